//! Help for people who type what other programs understand.

use ollehto_protocol::gtp::CommandSpec;
use ollehto_protocol::notation::{parse_moves, print_moves};

use crate::board::Position;
use crate::notation;

/// Commands of protocols that we do not speak, and of those that are detected from the first line.
const OTHER_PROTOCOLS: &[&str] = &[
    "uci",
    "ucinewgame",
    "isready",
    "position",
    "setoption",
    "ugi",
    "usi",
    "tei",
    "xboard",
    "protover",
    "cecp",
    "nboard",
    "engine-protocol",
];

/// Words of other programs, with our command for the same.
const WORDS: &[(&[&str], &str)] = &[
    (&["new", "newgame", "new_game", "reset", "restart", "start", "clear", "init"], "clear_board"),
    (&["hint", "hints"], "ollehto-hints"),
    (&["eval", "evaluate", "value"], "ollehto-eval"),
    (&["analyze", "analyse", "analysis"], "ollehto-analyze"),
    (&["pv", "best"], "ollehto-pv"),
    (&["moves", "legal", "legal_moves"], "gogui-rules_legal_moves"),
    (&["show", "board", "print", "display", "d"], "showboard"),
    (&["score", "result"], "final_score"),
    (&["back", "takeback", "take_back", "u"], "undo"),
    (&["option", "options", "settings"], "ollehto-param"),
    (&["exit", "bye", "end", "q"], "quit"),
    (&["?", "h", "commands"], "help"),
];

/// Words of other programs for `genmove`.
const GO: &[&str] = &["go", "move", "think", "search"];

/// What a word that is no command may have meant.
pub(super) fn advice(word: &str, position: &Position) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let (side, opponent) = (notation::side(position.side()), notation::side(position.side().opponent()));
    if OTHER_PROTOCOLS.contains(&lower.as_str()) {
        return Some(
            "this engine speaks GTP, NBoard if the first line is 'nboard 2', UCI if it is 'uci', XBoard if it is 'xboard'".into(),
        );
    }
    if GO.contains(&lower.as_str()) {
        return Some(format!("for a move of the engine write 'genmove {side}'"));
    }
    if CommandSpec::find(&lower).is_some() {
        return Some(format!("commands are in small letters: '{lower}'"));
    }
    if let Some((_, command)) = WORDS.iter().find(|(words, _)| words.contains(&lower.as_str())) {
        return Some(format!("write '{command}'; 'help' lists all commands"));
    }
    match parse_moves(word.as_bytes()).ok()?.as_slice() {
        [] => None,
        &[vertex] if notation::action(vertex, position.size()).is_some() => Some(format!(
            "to make this move write 'play {side} {}', then 'genmove {opponent}' for the answer",
            vertex.to_string().to_ascii_lowercase()
        )),
        moves => {
            let on_board = moves.iter().all(|&vertex| notation::action(vertex, position.size()).is_some());
            on_board.then(|| format!("to make these moves write 'play_moves {}'", print_moves(moves)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn advised(word: &str) -> Option<String> {
        advice(word, &Position::start(Size::Eight))
    }

    #[test]
    fn every_advised_command_exists() {
        for (words, command) in WORDS {
            assert!(CommandSpec::find(command).is_some(), "{command}");
            assert!(words.iter().all(|word| CommandSpec::find(word).is_none()), "{words:?} are commands");
        }
        for word in OTHER_PROTOCOLS.iter().chain(GO) {
            assert!(CommandSpec::find(word).is_none(), "{word} is a command");
        }
    }

    #[test]
    fn unknown_words_get_no_advice() {
        for word in ["foo", "i9", "--7", "f55", "Genmoves", "=="] {
            assert_eq!(advised(word), None, "{word}");
        }
        assert_eq!(advice("f5", &Position::start(Size::Four)), None, "not on this board");
    }
}
