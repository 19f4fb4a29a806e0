//! The one table behind parsing, `list_commands`, `known_command` and `help`.

use super::arguments::ArgumentGrammar::{Anything, Count, MaybeSide, Nothing, Other, Setting, Side};
use super::arguments::{self, ArgumentGrammar};
use super::command::Command;
use crate::setting::SettingName;
use crate::text::Parsed;

#[derive(Debug)]
pub struct CommandSpec {
    pub name: &'static str,
    /// As in a usage line.
    pub arguments: &'static str,
    /// One line.
    pub summary: &'static str,
    grammar: ArgumentGrammar,
}

impl CommandSpec {
    pub fn find(name: &str) -> Option<&'static CommandSpec> {
        COMMANDS.iter().find(|spec| spec.name == name)
    }

    pub fn usage(&self) -> String {
        format!("{} {}", self.name, self.arguments).trim_end().to_owned()
    }

    pub(super) fn read<'a>(&self, arguments: &'a str) -> Parsed<'a, Command> {
        self.grammar.read(arguments)
    }
}

const fn spec(
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    grammar: ArgumentGrammar,
) -> CommandSpec {
    CommandSpec { name, arguments, summary, grammar }
}

/// In the order of `help`.
pub static COMMANDS: &[CommandSpec] = &[
    spec("protocol_version", "", "the version of the protocol", Nothing(Command::ProtocolVersion)),
    spec("name", "", "the name of the engine", Nothing(Command::Name)),
    spec("version", "", "the version of the engine", Nothing(Command::Version)),
    spec("known_command", "NAME", "whether the command exists", Other(arguments::known_command)),
    spec("list_commands", "", "the names of all commands", Nothing(Command::ListCommands)),
    spec("help", "[NAME]", "what a command, or each command, does", Other(arguments::help)),
    spec("quit", "", "quit", Nothing(Command::Quit)),
    spec("boardsize", "N", "start a new game on a 4x4, 6x6 or 8x8 board", Count(Command::BoardSize)),
    spec("clear_board", "", "start a new game", Nothing(Command::ClearBoard)),
    spec("komi", "[NUMBER]", "accepted for clients made for Go; changes nothing", Anything(Command::Komi)),
    spec(
        "play",
        "COLOUR VERTEX",
        "play a move; a forced pass before it may be left out",
        Other(arguments::play),
    ),
    spec("genmove", "COLOUR", "search a move and play it", Side(Command::GenMove)),
    spec("reg_genmove", "COLOUR", "search a move without playing it", Side(Command::RegGenMove)),
    spec("undo", "", "take back the last move", Nothing(Command::Undo)),
    spec("gg-undo", "N", "take back the last N moves", Count(Command::GgUndo)),
    spec("final_score", "", "the result, such as B+10, W+4 or 0", Nothing(Command::FinalScore)),
    spec("showboard", "", "the position as a diagram", Nothing(Command::ShowBoard)),
    spec("cputime", "", "CPU time used, in seconds", Nothing(Command::CpuTime)),
    spec(
        "time_settings",
        "MAIN BYO_YOMI STONES",
        "set the clocks, in seconds; 0 1 0 means no limit",
        Other(arguments::time_settings),
    ),
    spec("time_left", "COLOUR SECONDS STONES", "what a player's clock shows", Other(arguments::time_left)),
    spec("list_games", "", "the games the engine can play", Nothing(Command::ListGames)),
    spec("set_game", "NAME", "choose one of the games", Other(arguments::set_game)),
    spec(
        "setboard",
        "POSITION",
        "set up a position: 16, 36 or 64 squares from a1 on as X, O or -, then the side to move",
        Other(arguments::setboard),
    ),
    spec(
        "loadggf",
        "RECORD",
        "go to the end of a game in GGF, under its rules: reversed if TY has an a",
        Other(arguments::load_game),
    ),
    spec("showposition", "", "the position as setboard takes it", Nothing(Command::ShowPosition)),
    spec("showmoves", "", "the moves played, as play_moves takes them", Nothing(Command::ShowMoves)),
    spec("showggf", "", "the game as a record in GGF", Nothing(Command::ShowGame)),
    spec(
        "play_moves",
        "MOVES",
        "play moves such as f5d6c3, both sides in turn",
        Other(arguments::play_moves),
    ),
    spec("stop", "", "stop the search and answer with the best move so far", Nothing(Command::Stop)),
    spec("clear_cache", "", "clear the transposition table", Nothing(Command::ClearCache)),
    spec(
        "rules",
        "[reversed|standard]",
        "show or set who wins: the fewest discs or the most",
        Setting(SettingName::Rules),
    ),
    spec("threads", "[N]", "show or set the number of search threads", Setting(SettingName::Threads)),
    spec(
        "hash",
        "[MIB]",
        "show or set the size of the transposition table, in MiB",
        Setting(SettingName::Hash),
    ),
    spec("depth", "[N|off]", "show or set the depth limit, in plies", Setting(SettingName::Depth)),
    spec("nodes", "[N|off]", "show or set the node limit", Setting(SettingName::Nodes)),
    spec("level", "[N|off]", "show or set the depth of play, endgame included", Setting(SettingName::Level)),
    spec(
        "elo",
        "[RATING|off]",
        "show or set the strength of its moves, from 800 to 3200",
        Setting(SettingName::Elo),
    ),
    spec("time", "[SECONDS|off]", "show or set the time for one move", Setting(SettingName::Time)),
    spec(
        "ponder",
        "[on|off]",
        "show or set pondering: searching in the opponent's time",
        Setting(SettingName::Ponder),
    ),
    spec("book", "[on|off|FILE]", "show or set the opening book to play from", Setting(SettingName::Book)),
    spec(
        "variety",
        "[DISCS]",
        "show or set what a move from the book may lose against the best one",
        Setting(SettingName::Variety),
    ),
    spec("log", "[FILE|off]", "show or set the log file", Setting(SettingName::Log)),
    spec("ollehto-hints", "[COLOUR]", "the moves' values as GoGui graphics", MaybeSide(Command::Hints)),
    spec("ollehto-analyze", "[COLOUR]", "search until stopped", MaybeSide(Command::Analyze)),
    spec("ollehto-pv", "[COLOUR]", "the principal variation", MaybeSide(Command::PrincipalVariation)),
    spec("ollehto-values", "[COLOUR]", "each move with its value", MaybeSide(Command::MoveValues)),
    spec(
        "ollehto-eval",
        "",
        "value in discs, depth and principal variation of the position",
        Nothing(Command::Evaluation),
    ),
    spec(
        "ollehto-param",
        "[NAME VALUE]",
        "options that may change during a game: show all, or set one",
        Other(arguments::parameters),
    ),
    spec("gogui-interrupt", "", "whether '# interrupt' is understood", Nothing(Command::GoguiInterrupt)),
    spec("gogui-analyze_commands", "", "what to offer for analysis", Nothing(Command::GoguiAnalyzeCommands)),
    spec(
        "gogui-play_sequence",
        "[COLOUR VERTEX]...",
        "play several moves, or none if one is illegal",
        Other(arguments::play_sequence),
    ),
    spec("gogui-setup", "[COLOUR SQUARE]...", "set up a position by its discs", Other(arguments::setup)),
    spec("gogui-setup_player", "COLOUR", "set the side to move", Side(Command::GoguiSetupPlayer)),
    spec("gogui-title", "", "a title for the window", Anything(Command::GoguiTitle)),
    spec("gogui-version", "[VERSION]", "GoGui tells its version", Other(arguments::gogui_version)),
    spec("gogui-sigint", "", "the process id of the engine", Nothing(Command::GoguiSigint)),
    spec("gogui-rules_game_id", "", "the name of the game", Nothing(Command::RulesGameId)),
    spec("gogui-rules_board_size", "", "the size of the board", Nothing(Command::RulesBoardSize)),
    spec("gogui-rules_board", "", "the position, last row first", Nothing(Command::RulesBoard)),
    spec("gogui-rules_legal_moves", "", "the moves; none at the end", Nothing(Command::RulesLegalMoves)),
    spec("gogui-rules_side_to_move", "", "whose turn it is", Nothing(Command::RulesSideToMove)),
    spec(
        "gogui-rules_captured_count",
        "",
        "White's discs, then Black's",
        Nothing(Command::RulesCapturedCount),
    ),
    spec("gogui-rules_final_result", "", "the result in words", Nothing(Command::RulesFinalResult)),
    spec("gogui-rules_board_gfx", "", "graphics for the board", Nothing(Command::RulesBoardGfx)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_words_in_lower_case() {
        for (at, spec) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[..at].iter().all(|other| other.name != spec.name), "{}", spec.name);
            assert!(spec.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'-' | b'_')), "{}", spec.name);
            assert!(CommandSpec::find(spec.name).is_some());
        }
        assert!(CommandSpec::find("").is_none());
    }

    #[test]
    fn help_texts_are_one_line_of_ascii() {
        for spec in COMMANDS {
            for text in [spec.summary, &spec.usage()] {
                assert!(!text.is_empty() && text == text.trim(), "{}", spec.name);
                assert!(text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '), "{}", spec.name);
            }
        }
    }

    #[test]
    fn every_option_but_the_size_is_a_command() {
        for name in SettingName::ALL {
            let known = CommandSpec::find(&name.to_string()).is_some();
            assert_eq!(known, name != SettingName::Size, "{name}");
        }
    }
}
