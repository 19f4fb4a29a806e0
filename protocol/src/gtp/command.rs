//! Every command a client can give.

use std::time::Duration;

use crate::coord::{Coord, Side, Vertex};
use crate::ggf::GgfGame;
use crate::notation::PositionText;
use crate::setting::{Setting, SettingName};

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `protocol_version`
    ProtocolVersion,
    /// `name`
    Name,
    /// `version`
    Version,
    /// `known_command NAME`
    KnownCommand(String),
    /// `list_commands`
    ListCommands,
    /// `help`, perhaps about one command
    Help(Option<String>),
    /// `quit`
    Quit,
    /// `boardsize N`
    BoardSize(u32),
    /// `clear_board`
    ClearBoard,
    /// `komi`; whatever follows means nothing in this game
    Komi,
    /// `play COLOUR VERTEX`
    Play { side: Side, vertex: Vertex },
    /// `genmove COLOUR`
    GenMove(Side),
    /// `reg_genmove COLOUR`
    RegGenMove(Side),
    /// `undo`
    Undo,
    /// `gg-undo N`
    GgUndo(u32),
    /// `final_score`
    FinalScore,
    /// `showboard`
    ShowBoard,
    /// `cputime`
    CpuTime,
    /// `time_settings MAIN BYO_YOMI STONES`
    TimeSettings {
        /// Before overtime.
        main: Duration,
        /// Of one overtime period.
        byo_yomi: Duration,
        /// Moves of one overtime period.
        stones: u32,
    },
    /// `time_left COLOUR SECONDS STONES`
    TimeLeft {
        side: Side,
        /// Zero if it has run out.
        time: Duration,
        /// Moves left in this overtime period; 0 before overtime.
        stones: u32,
    },
    /// `list_games`
    ListGames,
    /// `set_game NAME`
    SetGame(String),
    /// `setboard POSITION`
    SetBoard(PositionText),
    /// `loadggf RECORD`
    LoadGame(Box<GgfGame>),
    /// `showposition`
    ShowPosition,
    /// `showmoves`
    ShowMoves,
    /// `showggf`
    ShowGame,
    /// `play_moves MOVES`
    PlayMoves(Vec<Vertex>),
    /// `stop`
    Stop,
    /// `clear_cache`
    ClearCache,
    /// An option's name with a value, or `ollehto-param NAME VALUE`
    Set(Setting),
    /// An option's name alone
    Show(SettingName),
    /// `ollehto-hints`, perhaps for one side
    Hints(Option<Side>),
    /// `ollehto-analyze`, perhaps for one side
    Analyze(Option<Side>),
    /// `ollehto-pv`, perhaps for one side
    PrincipalVariation(Option<Side>),
    /// `ollehto-values`, perhaps for one side
    MoveValues(Option<Side>),
    /// `ollehto-eval`
    Evaluation,
    /// `ollehto-param` alone
    Parameters,
    /// `gogui-interrupt`
    GoguiInterrupt,
    /// `gogui-analyze_commands`
    GoguiAnalyzeCommands,
    /// `gogui-play_sequence`, with the moves in order
    GoguiPlaySequence(Vec<(Side, Vertex)>),
    /// `gogui-setup`, with the discs of the position
    GoguiSetup(Vec<(Side, Coord)>),
    /// `gogui-setup_player COLOUR`
    GoguiSetupPlayer(Side),
    /// `gogui-title`
    GoguiTitle,
    /// `gogui-version`, with GoGui's version, which may be empty
    GoguiVersion(String),
    /// `gogui-sigint`
    GoguiSigint,
    /// `gogui-rules_game_id`
    RulesGameId,
    /// `gogui-rules_board_size`
    RulesBoardSize,
    /// `gogui-rules_board`
    RulesBoard,
    /// `gogui-rules_legal_moves`
    RulesLegalMoves,
    /// `gogui-rules_side_to_move`
    RulesSideToMove,
    /// `gogui-rules_captured_count`
    RulesCapturedCount,
    /// `gogui-rules_final_result`
    RulesFinalResult,
    /// `gogui-rules_board_gfx`
    RulesBoardGfx,
}
