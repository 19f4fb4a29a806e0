//! Steps that play moves.

use std::time::Duration;

use crate::arena::compliance::{
    ANSWER_TIMEOUT, STOP_TIMEOUT, StepFailure, StepResult, fail, games, pass, skip,
};
use crate::arena::process::shortened;
use crate::board::{Color, Move, Square};
use crate::game::Game;
use crate::random::Random;
use crate::time_source::Timestamp;

use super::{GtpTester, check_move};

/// Before a search is stopped.
const SEARCH_TIME: Duration = Duration::from_millis(300);

/// Time of a whole game, in times per move.
const GAME_OF: u64 = 10;

impl GtpTester {
    pub(super) fn sets_up(&mut self) -> StepResult {
        self.done("boardsize 8")?;
        self.done("clear_board")?;
        self.refused("boardsize 99")?;
        self.done("boardsize 8")?;
        self.done("clear_board")?;
        pass()
    }

    pub(super) fn knows_the_game(&mut self) -> StepResult {
        self.needs(&["list_games", "set_game"])?;
        let text = self.accepted("list_games")?;
        if !text.lines().any(|line| line == "Othello") {
            return fail(format!("list_games says '{}', without Othello", shortened(&text)));
        }
        self.done("set_game Othello")?;
        pass()
    }

    pub(super) fn takes_all_spellings(&mut self) -> StepResult {
        let mut refused = Vec::new();
        for color in ["black", "b", "B", "BLACK", "Black"] {
            for square in ["d3", "D3"] {
                self.begin()?;
                let command = format!("play {color} {square}");
                if self.ask(&command)?.is_error {
                    refused.push(format!("'{command}'"));
                }
            }
        }
        for color in ["white", "w", "W", "WHITE"] {
            self.begin()?;
            self.accepted("play black d3")?;
            if self.ask(&format!("play {color} c3"))?.is_error {
                refused.push(format!("'play {color} c3'"));
            }
        }
        if refused.is_empty() { pass() } else { fail(format!("refused: {}", refused.join(", "))) }
    }

    pub(super) fn refuses_illegal_moves(&mut self) -> StepResult {
        self.begin()?;
        self.accepted("play black d3")?;
        let before = self.shown_position()?;
        // Played twice, occupied, flipping nothing, the other side's turn, and a pass that is not forced.
        for turn in ["black d3", "white d4", "white a1", "black e6", "white pass"] {
            self.refused(&format!("play {turn}"))?;
        }
        if self.shown_position()? != before {
            return fail("the board has changed");
        }
        for turn in ["white c3", "black c4", "white e3"] {
            self.accepted(&format!("play {turn}"))?;
        }
        pass()
    }

    /// The engine's position, by all commands that show it.
    fn shown_position(&mut self) -> Result<Vec<String>, StepFailure> {
        let mut shown = Vec::new();
        for command in
            ["gogui-rules_board", "gogui-rules_side_to_move", "gogui-rules_legal_moves", "showboard"]
        {
            if self.knows(command) {
                shown.push(self.accepted(command)?);
            }
        }
        Ok(shown)
    }

    pub(super) fn takes_passes(&mut self) -> StepResult {
        let mut game = games::before_pass(self.engine.rules());
        self.replay(&game)?;
        self.accepted(&format!("play {} PASS", games::color(game.position().side())))?;
        game.follow(Move::Pass).map_err(|error| StepFailure::Fail(error.to_string()))?;
        self.accepts_next(&game)
    }

    pub(super) fn implies_passes(&mut self) -> StepResult {
        let game = games::before_pass(self.engine.rules());
        self.replay(&game)?;
        let passed = game.position().with_side(game.position().side().opponent());
        let passed = Game::from_position(game.rules(), passed);
        self.accepts_next(&passed)?;
        self.replay(&game)?;
        self.genmove(&mut passed.clone())?;
        pass()
    }

    fn accepts_next(&mut self, game: &Game) -> StepResult {
        let (side, action) = (game.position().side(), games::any_move(game));
        self.accepted(&format!("play {} {}", games::color(side), games::name(action)))?;
        pass()
    }

    pub(super) fn answers_pass(&mut self) -> StepResult {
        let mut game = games::before_pass(self.engine.rules());
        self.replay(&game)?;
        self.genmove(&mut game)?;
        pass()
    }

    pub(super) fn chooses_legal_moves(&mut self) -> StepResult {
        let mut game = self.begin()?;
        let mut told = Vec::new();
        for _ in 0..4 {
            // The next move is legal only if the engine has played this one.
            let (action, _) = self.genmove(&mut game)?;
            told.push(games::name(action));
        }
        self.accepts_next(&game)?;
        Ok(told.join(" "))
    }

    pub(super) fn only_suggests(&mut self) -> StepResult {
        self.needs(&["reg_genmove"])?;
        let game = self.begin()?;
        let answer = self.ask_within("reg_genmove black", self.move_timeout())?;
        check_move("reg_genmove black", &answer, &game)?;
        self.accepts_next(&game)
    }

    pub(super) fn keeps_its_time(&mut self) -> StepResult {
        self.needs(&["time_settings", "time_left"])?;
        let seconds = self.engine.seconds();
        let limit = Duration::from_secs(seconds);
        let mut game = self.begin()?;
        let mut longest = Duration::ZERO;
        for (main, period, stones) in [(0, seconds, 1), (600, 0, 0)] {
            // Byo-yomi, then little time left: both allow the time of one move.
            self.done(&format!("time_settings {main} {period} {stones}"))?;
            let color = games::color(game.position().side());
            self.done(&format!("time_left {color} {seconds} {stones}"))?;
            let (_, after) = self.genmove(&mut game)?;
            longest = longest.max(after);
        }
        if longest > self.engine.within(limit) {
            return fail(format!("took {:.2} s of {seconds} s", longest.as_secs_f64()));
        }
        Ok(format!("at most {:.2} s of {seconds} s", longest.as_secs_f64()))
    }

    pub(super) fn takes_back(&mut self) -> StepResult {
        self.needs(&["undo"])?;
        self.begin()?;
        let before = self.shown_position()?;
        for turn in ["black d3", "white c3"] {
            self.accepted(&format!("play {turn}"))?;
        }
        self.accepted("undo")?;
        self.accepted("undo")?;
        if self.shown_position()? != before {
            return fail("the board is not as it was");
        }
        self.refused("undo")?;
        self.accepted("play black f5")?;
        pass()
    }

    pub(super) fn plays_a_whole_game(&mut self) -> StepResult {
        let mut game = self.begin()?;
        let limit = Duration::from_secs(GAME_OF * self.engine.seconds());
        let has_clock = self.knows("time_settings");
        if has_clock {
            self.accepted(&format!("time_settings {} 0 0", limit.as_secs()))?;
        }
        let mut random = Random::new(8);
        let mut spent = Duration::ZERO;
        while !game.position().is_over() {
            let side = game.position().side();
            if side == Color::Black && !game.position().must_pass() {
                spent += self.genmove(&mut game)?.1;
            } else {
                let action = games::play_random(&mut game, &mut random);
                self.send_move(side, action)?;
            }
        }
        if has_clock && spent > self.engine.within(limit) {
            return fail(format!("its moves took {:.1} s of {} s", spent.as_secs_f64(), limit.as_secs()));
        }
        let moves = game.moves().len();
        self.knows_the_score(&game).map(|score| format!("{moves} moves, {:.1} s{score}", spent.as_secs_f64()))
    }

    /// Empty squares may count for the winner, as in tournaments, or not at all.
    fn knows_the_score(&mut self, game: &Game) -> StepResult {
        if !self.knows("final_score") {
            return Ok(", no final_score".into());
        }
        let text = self.accepted("final_score")?;
        let [black, white] = [Color::Black, Color::White].map(|color| game.position().discs(color).len());
        let plain = (f64::from(black) - f64::from(white)) * f64::from(game.rules().sign());
        let full = f64::from(game.result(Color::Black).0);
        match parse_score(&text) {
            Some(score) if score == full || score == plain => Ok(format!(", {text}")),
            _ => fail(format!(
                "final_score says '{}', with {full:+} for Black by the {} rules",
                shortened(&text),
                game.rules()
            )),
        }
    }

    pub(super) fn passes_at_the_end(&mut self) -> StepResult {
        let game = games::finished(self.engine.rules());
        self.replay(&game)?;
        for color in ["black", "white"] {
            let answer = self.ask_within(&format!("genmove {color}"), self.move_timeout())?;
            if answer.is_error || !answer.text.eq_ignore_ascii_case("pass") {
                return fail(format!("genmove {color} says '{}', not 'pass'", shortened(&answer.text)));
            }
        }
        self.replay(&game)?;
        for turn in ["black pass", "white pass"] {
            self.accepted(&format!("play {turn}"))?;
        }
        self.refused(&format!("play black {}", Square::D4))?;
        pass()
    }

    pub(super) fn can_be_interrupted(&mut self) -> StepResult {
        self.needs(&["gogui-interrupt"])?;
        self.accepted("gogui-interrupt")?;
        self.engine.send("# interrupt")?;
        self.exactly("protocol_version", "2")?;
        self.ends_a_search("# interrupt")
    }

    pub(super) fn can_be_stopped(&mut self) -> StepResult {
        self.needs(&["stop"])?;
        let told = self.ends_a_search("stop")?;
        // Its own answer follows that of the search.
        match self.answer("", ANSWER_TIMEOUT)?.is_error {
            true => fail("stop is refused"),
            false => Ok(told),
        }
    }

    /// Sends a line during a long search and expects the move soon.
    fn ends_a_search(&mut self, line: &str) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        self.replay(&game)?;
        if self.knows("time_settings") {
            self.accepted("time_settings 36000 0 0")?;
        }
        let command = format!("genmove {}", games::color(game.position().side()));
        self.engine.send(&command)?;
        if self.engine.receive_any(Timestamp::now() + SEARCH_TIME)?.is_some() {
            self.engine.stop_engine();
            return skip("it moved before it could be stopped");
        }
        self.engine.send(line)?;
        let answer = self.answer("", STOP_TIMEOUT)?;
        check_move(&command, &answer, &game)?;
        Ok(format!("answered after {:.3} s", answer.after.as_secs_f64()))
    }
}

/// `B+10`, `W+4.0` or `0`, from Black's view.
fn parse_score(text: &str) -> Option<f64> {
    match text.split_at_checked(2) {
        Some(("B+" | "b+", margin)) => margin.parse().ok(),
        Some(("W+" | "w+", margin)) => margin.parse::<f64>().ok().map(|margin| -margin),
        _ => text.parse().ok().filter(|&margin: &f64| margin == 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_in_all_formats() {
        for (text, score) in [
            ("B+10", Some(10.0)),
            ("W+4.5", Some(-4.5)),
            ("0", Some(0.0)),
            ("10", None),
            ("", None),
            ("Draw", None),
        ] {
            assert_eq!(parse_score(text), score, "{text}");
        }
    }
}
