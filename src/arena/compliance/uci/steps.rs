//! The table of steps.

use crate::arena::compliance::{ComplianceStep, step};

use super::UciTester;

const LEGAL: &str = "`bestmove` with a legal move, as in P@e3";
const ONE_ANSWER: &str = "no bestmove before it, and exactly one after it";

pub(in crate::arena::compliance) const STEPS: &[ComplianceStep<UciTester>] = &[
    step("uci", "uci", "`id name`, the options, `uciok`", UciTester::starts),
    step("isready", "isready", "`readyok`", UciTester::is_ready),
    step(
        "variant",
        "setoption name UCI_Variant",
        "the option offers the game by its name",
        UciTester::offers_the_variant,
    ),
    step(
        "options",
        "setoption with odd blanks and case, and of other engines",
        "all are accepted",
        UciTester::takes_options,
    ),
    step("start position", "position startpos, go depth 1", LEGAL, UciTester::moves_from_the_start),
    step(
        "positions",
        "position startpos moves …, position fen …, go depth 1",
        LEGAL,
        UciTester::reads_positions,
    ),
    step(
        "illegal moves",
        "position with an illegal move, go depth 1",
        "a legal move after those before it",
        UciTester::refuses_illegal_moves,
    ),
    step(
        "forced pass",
        "position, go where there is no move",
        "a null move on the lowest own disc, as in a1a1",
        UciTester::answers_a_forced_pass,
    ),
    step(
        "end of the game",
        "position, go after the end",
        "`bestmove (none)` or `bestmove 0000`",
        UciTester::has_no_move_at_the_end,
    ),
    step(
        "score",
        "go depth 4 at the start, in the middle and near the end",
        "`info` with `score` before every bestmove",
        UciTester::tells_a_score,
    ),
    step(
        "rules",
        "position fen …, go depth 6 one move before the end",
        "the score is that of the rules, not only the name of the variant",
        UciTester::plays_by_the_rules,
    ),
    step("variations", "go depth 8", "all moves after `pv` are legal", UciTester::shows_legal_lines),
    step("whole game", "a game against random moves, depth 1", LEGAL, UciTester::plays_a_game),
    step("movetime", "go movetime", "a move within the time", UciTester::keeps_to_a_time),
    step("clock", "go wtime btime winc binc", "a move within the time", UciTester::keeps_to_a_clock),
    step("nodes", "go nodes 2000", LEGAL, UciTester::keeps_to_nodes),
    step(
        "searchmoves",
        "go depth 2 searchmoves, for each move",
        "the move asked for",
        UciTester::searches_the_moves_asked_for,
    ),
    step(
        "several lines",
        "setoption name MultiPV value 3, go depth 4",
        "`multipv` 1 to 3 with different moves",
        UciTester::shows_several_lines,
    ),
    step(
        "limited strength",
        "setoption name UCI_LimitStrength value true, UCI_Elo 1500, go",
        LEGAL,
        UciTester::plays_weaker,
    ),
    step("stop", "go infinite, stop", ONE_ANSWER, UciTester::stops),
    step(
        "stop of a solved position",
        "go infinite near the end, stop",
        ONE_ANSWER,
        UciTester::waits_when_solved,
    ),
    step("stops in a row", "go infinite and stop, 50 times", ONE_ANSWER, UciTester::answers_each_stop_once),
    step("stop without a search", "stop, ponderhit", "nothing is answered", UciTester::ignores_idle_stops),
    step(
        "isready while searching",
        "go infinite, isready",
        "`readyok` at once, and the search goes on",
        UciTester::is_ready_while_searching,
    ),
    step("ponder", "go ponder with a clock, ponderhit", ONE_ANSWER, UciTester::ponders),
    step("stop of a ponder search", "go ponder, stop", ONE_ANSWER, UciTester::stops_pondering),
    step(
        "leaves",
        "position startpos, go perft 3",
        "`Nodes searched: 56`, as Fairy-Stockfish has it",
        UciTester::counts_leaves,
    ),
    step(
        "unknown lines",
        "empty lines, unknown words, position without arguments",
        "the engine continues",
        UciTester::ignores_the_unknown,
    ),
    step("carriage returns", "lines that end with CR LF", LEGAL, UciTester::reads_carriage_returns),
    step("long line", "a line of 20,000 bytes", "the engine continues", UciTester::survives_a_long_line),
    step("junk", "all bytes in one line", "the engine continues", UciTester::survives_junk),
    step("plain ASCII", "all of the above", "no other characters", UciTester::keeps_to_ascii),
    step("quit", "quit", "the process ends", UciTester::quits),
    step("end of input", "the input is closed", "the process ends", UciTester::ends_with_its_input),
    step(
        "end of input while searching",
        "go infinite, the input is closed",
        "the process ends",
        UciTester::ends_in_the_midst_of_a_search,
    ),
];
