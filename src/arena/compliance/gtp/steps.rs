//! The table of steps.

use crate::arena::compliance::{ComplianceStep, StepResult};

use super::GtpTester;

const fn step(
    name: &'static str,
    sent: &'static str,
    must: &'static str,
    check: fn(&mut GtpTester) -> StepResult,
) -> ComplianceStep<GtpTester> {
    ComplianceStep { name, sent, must, check }
}

pub(in crate::arena::compliance) const STEPS: &[ComplianceStep<GtpTester>] = &[
    step("starts and speaks GTP 2", "protocol_version", "it answers `2`", GtpTester::starts),
    step(
        "first answer comes quickly",
        "protocol_version",
        "it takes no more than 3 s from the start",
        GtpTester::starts_quickly,
    ),
    step("name and version", "name, version", "each is one line", GtpTester::has_a_name),
    step(
        "list of commands",
        "list_commands",
        "one a line, and none is missing that every client needs",
        GtpTester::lists_commands,
    ),
    step(
        "known_command",
        "known_command genmove, known_command no_such_command",
        "`true` and `false`",
        GtpTester::knows_commands,
    ),
    step(
        "ids are echoed",
        "7 protocol_version, then one without an id",
        "the id stands right behind the sign, and only where one was given",
        GtpTester::echoes_ids,
    ),
    step(
        "empty lines and comments",
        "empty lines, # a comment, protocol_version # and a comment",
        "only the command is answered",
        GtpTester::ignores_comments,
    ),
    step(
        "unknown command",
        "no_such_command",
        "it is refused, and the engine continues",
        GtpTester::refuses_the_unknown,
    ),
    step(
        "bad arguments",
        "play, play black, play purple d3, play black z9, boardsize x",
        "each is refused, and the engine continues",
        GtpTester::refuses_bad_syntax,
    ),
    step(
        "pipelined commands",
        "several commands at once",
        "they are answered in order",
        GtpTester::answers_in_order,
    ),
    step(
        "carriage returns",
        "lines that end in CR LF",
        "they are read as others are",
        GtpTester::reads_carriage_returns,
    ),
    step(
        "boardsize and clear_board",
        "boardsize 8, clear_board, boardsize 99",
        "8 is accepted with an empty answer, 99 refused",
        GtpTester::sets_up,
    ),
    step(
        "Quarry: list_games, set_game",
        "list_games, set_game Othello",
        "Othello is a line of the list and is accepted with an empty answer",
        GtpTester::knows_the_game,
    ),
    step(
        "spellings of colours and squares",
        "play in b, B, black, BLACK, Black with d3 and D3; White likewise",
        "all are accepted",
        GtpTester::takes_all_spellings,
    ),
    step(
        "illegal moves",
        "moves twice, on discs, without effect, out of turn; a pass with moves left",
        "each is refused, and the position stays",
        GtpTester::refuses_illegal_moves,
    ),
    step(
        "forced pass, told",
        "play COLOUR PASS where there is no move",
        "it is accepted, and so is the move after it",
        GtpTester::takes_passes,
    ),
    step(
        "forced pass, left out",
        "play and genmove of the other colour where there is no move",
        "the pass is implied",
        GtpTester::implies_passes,
    ),
    step("forced pass, own", "genmove where there is no move", "it answers `pass`", GtpTester::answers_pass),
    step(
        "genmove",
        "genmove for both colours in turn",
        "the moves are legal, and are played on its own board",
        GtpTester::chooses_legal_moves,
    ),
    step(
        "reg_genmove",
        "reg_genmove black",
        "the move is legal, and is not played",
        GtpTester::only_suggests,
    ),
    step(
        "time of a move",
        "time_settings, time_left, genmove",
        "the move comes within the time",
        GtpTester::keeps_its_time,
    ),
    step(
        "undo",
        "play twice, undo thrice",
        "two moves are taken back, the third undo is refused",
        GtpTester::takes_back,
    ),
    step(
        "whole game with its own clock",
        "time_settings, genmove for Black, random moves for White, final_score",
        "all moves are legal and in time, the score is right",
        GtpTester::plays_a_whole_game,
    ),
    step(
        "end of the game",
        "genmove, play COLOUR pass and play black D4 after the end",
        "it passes, takes passes, and refuses moves",
        GtpTester::passes_at_the_end,
    ),
    step(
        "rules: game and size",
        "gogui-rules_game_id, gogui-rules_board_size",
        "exactly `Othello` and `8`",
        GtpTester::names_the_game,
    ),
    step("rules: board", "gogui-rules_board", "rows 8 to 1 of X, O and dots", GtpTester::shows_the_board),
    step(
        "rules: legal moves",
        "gogui-rules_legal_moves",
        "capital squares, `pass` if forced, nothing after the end",
        GtpTester::lists_legal_moves,
    ),
    step(
        "rules: side and counts",
        "gogui-rules_side_to_move, gogui-rules_captured_count",
        "the side to move, and White's discs before Black's",
        GtpTester::tells_side_and_counts,
    ),
    step(
        "gogui-play_sequence",
        "a good sequence, then one with an illegal move",
        "all of it is played, or nothing",
        GtpTester::plays_sequences,
    ),
    step(
        "gg-undo",
        "gg-undo 3 and gg-undo 2 after two moves",
        "the first is refused, the second done",
        GtpTester::takes_back_several,
    ),
    step(
        "gogui-setup",
        "gogui-setup, gogui-setup_player",
        "the discs replace those of the start",
        GtpTester::sets_up_stones,
    ),
    step(
        "interrupt",
        "genmove black, # interrupt",
        "it moves at once; the comment itself is not answered",
        GtpTester::can_be_interrupted,
    ),
    step(
        "stop",
        "genmove black, stop",
        "it moves at once, and answers both in order",
        GtpTester::can_be_stopped,
    ),
    step("long line", "a line of 20000 bytes", "the engine continues", GtpTester::survives_a_long_line),
    step(
        "bytes that are no text",
        "all bytes but line ends",
        "the engine continues",
        GtpTester::survives_junk,
    ),
    step("quit", "quit", "it is answered with an empty answer, and the process ends", GtpTester::quits),
    step("end of input", "nothing more", "the process ends", GtpTester::ends_with_its_input),
    step(
        "end of input after commands",
        "five commands, and nothing more",
        "all are answered, then the process ends",
        GtpTester::finishes_its_queue,
    ),
    step(
        "no stray output",
        "all of the above",
        "every line belongs to an answer",
        GtpTester::says_nothing_unasked,
    ),
    step(
        "blank before the text",
        "all of the above",
        "one space after the sign or id, none at the end of the line",
        GtpTester::puts_one_blank,
    ),
    step(
        "empty line after each answer",
        "all of the above",
        "the line is truly empty",
        GtpTester::ends_with_an_empty_line,
    ),
    step("ASCII", "all of the above", "no other characters", GtpTester::keeps_to_ascii),
];
