//! The table of steps.

use crate::arena::compliance::{ComplianceStep, step};

use super::NBoardTester;

pub(in crate::arena::compliance) const STEPS: &[ComplianceStep<NBoardTester>] = &[
    step("answers a ping before anything", "ping 1, without nboard 2", "`pong 1`", NBoardTester::starts),
    step("nboard 2", "nboard 2", "nothing is answered", NBoardTester::takes_the_version),
    step(
        "pings with gaps, in a row",
        "ping with a far number, with the greatest, three at once",
        "each has its pong, in order",
        NBoardTester::answers_all_pings,
    ),
    step("set depth", "set depth 1, 26 and 4", "nothing but a name is answered", NBoardTester::is_named),
    step("set contempt", "set contempt 100, -100 and 0", "nothing is answered", NBoardTester::takes_contempt),
    step(
        "unknown lines",
        "empty lines, comments, unknown words and variables, clear",
        "nothing is answered, and the engine continues",
        NBoardTester::ignores_the_unknown,
    ),
    step(
        "go without a game",
        "set depth 4, go",
        "a legal move of the start position",
        NBoardTester::moves_from_the_start,
    ),
    step(
        "go plays nothing itself",
        "set game, and go three times",
        "each answer is legal in the game that was told",
        NBoardTester::does_not_play_itself,
    ),
    step(
        "game texts with passes and notes",
        "set game with passes, times, decimal commas and exponents, then go",
        "the move is legal after the last pass",
        NBoardTester::reads_game_texts,
    ),
    step(
        "forced pass",
        "set game, go where there is no move",
        "`=== PA`",
        NBoardTester::answers_a_forced_pass,
    ),
    step(
        "end of the game",
        "set game, go after the end",
        "`=== PA`, or nothing",
        NBoardTester::passes_at_the_end,
    ),
    step(
        "whole game by move lines",
        "go for Black, random moves for White, all told by move",
        "every answer is legal",
        NBoardTester::follows_moves,
    ),
    step("moves without their word", "F5", "it is taken as move F5", NBoardTester::takes_bare_moves),
    step(
        "bad game texts",
        "set game with rubbish, with half a text, with an illegal move",
        "the game before them stays",
        NBoardTester::keeps_the_game,
    ),
    step(
        "clock of the game text",
        "set game with a clock, go",
        "the move comes within what is left",
        NBoardTester::keeps_its_time,
    ),
    step(
        "hint: form",
        "hint 1, hint 2, hint 4",
        "search MOVES VALUE 0 DEPTH, and only legal moves",
        NBoardTester::values_moves,
    ),
    step("hint 64: all moves", "hint 64", "every depth has all legal moves", NBoardTester::values_all_moves),
    step("hint 64: best first", "hint 64", "at every depth the values fall", NBoardTester::sorts_moves),
    step(
        "hint at a forced pass",
        "hint 4 where there is no move",
        "nothing, or search PA",
        NBoardTester::values_a_pass,
    ),
    step(
        "hint stops on any line",
        "set contempt, set depth or set game during hint 64",
        "nothing more is said of the search",
        NBoardTester::stops_on_any_line,
    ),
    step(
        "ping during hint",
        "ping during hint 64",
        "the pong comes at once",
        NBoardTester::answers_pings_while_searching,
    ),
    step(
        "ping during go",
        "ping during go",
        "the pong comes at once, and no move after it",
        NBoardTester::stops_choosing,
    ),
    step(
        "nothing old after a pong",
        "set game, ping, hint 64, ten times in turn for two positions",
        "after a pong only what was asked after it is answered",
        NBoardTester::separates_requests,
    ),
    step(
        "analyze",
        "analyze after ten moves",
        "a value for each position from 0 to 10",
        NBoardTester::analyzes,
    ),
    step("learn", "learn", "learned", NBoardTester::learns),
    step(
        "carriage returns",
        "lines that end in CR LF",
        "they are read as others are",
        NBoardTester::reads_carriage_returns,
    ),
    step("long line", "a line of 20000 bytes", "the engine continues", NBoardTester::survives_a_long_line),
    step(
        "bytes that are no text",
        "all bytes but line ends",
        "the engine continues",
        NBoardTester::survives_junk,
    ),
    step("quit", "quit", "the process ends", NBoardTester::quits),
    step("end of input", "nothing more", "the process ends", NBoardTester::ends_with_its_input),
    step(
        "end of input during hint",
        "hint 64, and nothing more",
        "the process ends at once",
        NBoardTester::ends_in_the_midst_of_a_search,
    ),
    step(
        "form of all lines",
        "all of the above",
        "NBoard can read every line that begins with a word it knows",
        NBoardTester::is_well_formed,
    ),
    step("ASCII", "all of the above", "no other characters", NBoardTester::keeps_to_ascii),
];
