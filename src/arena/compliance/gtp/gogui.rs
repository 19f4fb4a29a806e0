//! Steps on the extensions of GoGui, which can take the rules of a game from an engine.

use crate::arena::compliance::{StepResult, fail, games, pass};
use crate::arena::process::shortened;
use crate::board::{Color, Position, Square};
use crate::game::Game;

use super::GtpTester;

/// GoGui uses the rules of an engine only if it has all of these.
const RULES_COMMANDS: [&str; 3] =
    ["gogui-rules_game_id", "gogui-rules_legal_moves", "gogui-rules_side_to_move"];

impl GtpTester {
    pub(super) fn names_the_game(&mut self) -> StepResult {
        self.needs(&RULES_COMMANDS)?;
        self.begin()?;
        self.exactly("gogui-rules_game_id", "Othello")?;
        if self.knows("gogui-rules_board_size") {
            self.exactly("gogui-rules_board_size", "8")?;
        }
        pass()
    }

    pub(super) fn shows_the_board(&mut self) -> StepResult {
        self.needs(&RULES_COMMANDS)?;
        self.needs(&["gogui-rules_board"])?;
        for game in self.test_positions() {
            self.replay(&game)?;
            let text = self.accepted("gogui-rules_board")?;
            let shown: Vec<String> = text.lines().map(|line| line.replace(' ', "")).collect();
            let rows = rows_from_the_top(game.position());
            if shown != rows {
                return fail(format!("shows {}, not {}", shortened(&shown.join("/")), rows.join("/")));
            }
        }
        pass()
    }

    pub(super) fn lists_legal_moves(&mut self) -> StepResult {
        self.needs(&RULES_COMMANDS)?;
        for game in self.test_positions() {
            self.replay(&game)?;
            let text = self.accepted("gogui-rules_legal_moves")?;
            let mut told: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
            let mut expected = games::legal(game.position());
            if game.position().must_pass() {
                expected.push("pass".into());
            }
            told.sort_unstable();
            expected.sort_unstable();
            if told != expected {
                let expected =
                    if expected.is_empty() { "nothing after the end".into() } else { expected.join(" ") };
                return fail(format!("says '{}', not {expected}", shortened(&text)));
            }
        }
        pass()
    }

    pub(super) fn tells_side_and_counts(&mut self) -> StepResult {
        self.needs(&RULES_COMMANDS)?;
        for game in self.test_positions() {
            self.replay(&game)?;
            let position = game.position();
            if !position.is_over() {
                let side = self.accepted("gogui-rules_side_to_move")?;
                let expected = games::color(position.side());
                // GoGui reads the first letter only.
                if side.get(..1) != expected.get(..1) {
                    return fail(format!("says '{}' with {expected} to move", shortened(&side)));
                }
            }
            if self.knows("gogui-rules_captured_count") {
                // GoGui draws a white stone beside the first number and a black one beside the second.
                let [white, black] = [Color::White, Color::Black].map(|color| position.discs(color).len());
                self.exactly("gogui-rules_captured_count", &format!("{white} {black}"))?;
            }
        }
        pass()
    }

    pub(super) fn plays_sequences(&mut self) -> StepResult {
        self.needs(&["gogui-play_sequence"])?;
        self.begin()?;
        self.accepted("gogui-play_sequence B D3 W C3 B C4")?;
        // With an illegal move none is played.
        self.refused("gogui-play_sequence W E3 B A1")?;
        self.accepted("play white e3")?;
        pass()
    }

    pub(super) fn takes_back_several(&mut self) -> StepResult {
        self.needs(&["gg-undo"])?;
        self.begin()?;
        for turn in ["black d3", "white c3"] {
            self.accepted(&format!("play {turn}"))?;
        }
        self.refused("gg-undo 3")?;
        self.accepted("gg-undo 2")?;
        self.accepted("play black f5")?;
        pass()
    }

    pub(super) fn sets_up_stones(&mut self) -> StepResult {
        self.needs(&["gogui-setup", "gogui-setup_player"])?;
        self.begin()?;
        // The stones replace the start position.
        self.accepted("gogui-setup B A1 W B1 B H8 W G8")?;
        self.accepted("gogui-setup_player B")?;
        self.refused("play black d3")?;
        self.accepted("play black c1")?;
        pass()
    }

    /// The start, a middlegame, a forced pass and the end.
    fn test_positions(&self) -> Vec<Game> {
        let rules = self.engine.rules();
        vec![
            games::start(rules),
            games::random(rules, 5, 21),
            games::before_pass(rules),
            games::finished(rules),
        ]
    }
}

/// GoGui has row 8 at the top.
fn rows_from_the_top(position: &Position) -> Vec<String> {
    let cell = |square: Square| match square {
        _ if position.discs(Color::Black).contains(square) => 'X',
        _ if position.discs(Color::White).contains(square) => 'O',
        _ => '.',
    };
    Square::ALL.chunks(8).rev().map(|row| row.iter().map(|&square| cell(square)).collect()).collect()
}
