//! The journal of a match, read without the code that wrote it and judged by rules of our own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::mailbox::{Mailbox, Rules, Side};

/// A game as the journal tells it.
#[derive(Clone, Debug, Deserialize)]
pub struct Game {
    pub number: u32,
    pub black: String,
    pub white: String,
    pub start: String,
    pub opening: String,
    pub moves: Vec<Turn>,
    pub score: i32,
    pub ending: Ending,
}

/// A move as the journal tells it.
#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    #[serde(rename = "move")]
    pub text: String,
    pub seconds: f64,
    pub eval: Option<f64>,
    pub depth: Option<u8>,
}

/// How a game ended, as the journal tells it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    Played,
    Adjudicated,
    Forfeit { by: String, reason: String, detail: String, exit: Option<String>, stderr: Option<String> },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Header(Value),
    Game(Box<Game>),
    Pairs(u32),
}

impl Game {
    /// Who forfeited and why.
    pub fn forfeit(&self) -> Option<(&str, &str)> {
        match &self.ending {
            Ending::Forfeit { by, reason, .. } if by == "black" => Some((&self.black, reason)),
            Ending::Forfeit { reason, .. } => Some((&self.white, reason)),
            Ending::Played | Ending::Adjudicated => None,
        }
    }

    /// Everything about the game that does not depend on the speed of the machine.
    pub fn essence(&self) -> String {
        let moves: Vec<&str> = self.moves.iter().map(|turn| turn.text.as_str()).collect();
        format!("{} {} {} {:?}", self.pairing(), moves.join(" "), self.score, self.forfeit())
    }

    /// What the schedule alone decides.
    pub fn pairing(&self) -> String {
        format!("{} {} - {}: {} {}", self.number, self.black, self.white, self.start, self.opening)
    }

    /// The position before the first move of the players.
    pub fn first(&self) -> Mailbox {
        let mut board = Mailbox::parse(&self.start).unwrap_or_else(|problem| panic!("{problem} in {self:?}"));
        for name in chop(&self.opening) {
            place(&mut board, &name, self);
        }
        board
    }

    /// Plays the game again by rules of our own: every move legal, the result the right one.
    pub fn verify(&self, rules: Rules) -> Mailbox {
        let mut board = self.first();
        for turn in &self.moves {
            assert!(turn.seconds >= 0.0 && turn.seconds.is_finite(), "the time of {turn:?} in {self:?}");
            place(&mut board, &turn.text, self);
        }
        let squares = (board.size() * board.size()) as i32;
        match &self.ending {
            Ending::Forfeit { by, .. } => {
                let lost = if by == "black" { -squares } else { squares };
                assert_eq!(self.score, lost, "a forfeit loses all squares: {self:?}");
                assert!(by == "black" || by == "white", "{self:?}");
            }
            Ending::Played => {
                assert!(board.is_over(), "the game is not over: {self:?}");
                assert_eq!(self.score, board.final_score(Side::Black, rules), "the score of {self:?}");
            }
            Ending::Adjudicated => assert!(self.score.abs() <= squares, "the score of {self:?}"),
        }
        board
    }
}

/// The moves of a list without blanks; a pass in it would be `--`, `pa` or `pass`.
fn chop(list: &str) -> Vec<String> {
    let list = list.to_ascii_lowercase().replace("pass", "pa").replace(' ', "");
    list.as_bytes().chunks(2).map(|two| String::from_utf8_lossy(two).into_owned()).collect()
}

#[track_caller]
fn place(board: &mut Mailbox, name: &str, game: &Game) {
    let turn = board.read(name).unwrap_or_else(|| panic!("{name:?} is no move in {game:?}"));
    board.play(turn).unwrap_or_else(|problem| panic!("{problem} in {game:?}"));
}

/// A journal, all lines whole.
#[derive(Debug)]
pub struct Journal {
    pub header: Value,
    pub games: BTreeMap<u32, Game>,
}

/// A JSON line without its checksum, which must be right.
#[track_caller]
pub fn without_checksum(line: &str) -> String {
    let (fields, sum) = line.split_at(line.len() - r#","crc32":"01234567"}"#.len());
    let object = format!("{fields}}}");
    let expected = format!(r#","crc32":"{:08x}"}}"#, crc32fast::hash(object.as_bytes()));
    assert_eq!(sum, expected, "{line}");
    object
}

impl Journal {
    /// Reads a journal in which no line is torn and no game stands twice.
    #[track_caller]
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("the journal can be read");
        assert!(text.ends_with('\n'), "the last line of the journal is torn: {:?}", text.lines().last());
        let is_older = text.starts_with(r#"{"header":{"version":1,"#);
        let mut lines = text.lines().map(|line| {
            let object = if is_older { line.to_owned() } else { without_checksum(line) };
            serde_json::from_str(&object).unwrap_or_else(|error| panic!("{error} in the line {line}"))
        });
        let Some(Line::Header(mut header)) = lines.next() else {
            panic!("the journal begins without a header")
        };
        let mut games = BTreeMap::new();
        for line in lines {
            let game = match line {
                Line::Game(game) => game,
                Line::Pairs(pairs) => {
                    header["pairs"] = pairs.into();
                    continue;
                }
                Line::Header(_) => panic!("a second header"),
            };
            let number = game.number;
            assert!(games.insert(number, *game).is_none(), "game {number} stands twice in the journal");
        }
        Self { header, games }
    }

    /// Checks that there are exactly so many games, and plays every one of them again.
    #[track_caller]
    pub fn verify(&self, games: u32, rules: Rules) {
        let numbers: Vec<u32> = self.games.keys().copied().collect();
        assert_eq!(numbers, (0..games).collect::<Vec<_>>(), "the numbers of the games");
        for game in self.games.values() {
            game.verify(rules);
        }
        for (first, second) in self.pairs() {
            assert_eq!(
                (&first.start, &first.opening),
                (&second.start, &second.opening),
                "one pair, one opening"
            );
            assert_eq!((&first.black, &first.white), (&second.white, &second.black), "colours are swapped");
        }
    }

    /// Games `2n` and `2n + 1`.
    pub fn pairs(&self) -> impl Iterator<Item = (&Game, &Game)> {
        self.games
            .values()
            .filter(|game| game.number % 2 == 0)
            .filter_map(|game| Some((game, self.games.get(&(game.number + 1))?)))
    }

    /// The games as far as they do not depend on the speed of the machine.
    pub fn essences(&self) -> Vec<String> {
        self.games.values().map(Game::essence).collect()
    }

    /// The forfeits: the number of the game, the player, the reason and the particulars.
    pub fn forfeits(&self) -> Vec<String> {
        let forfeits = self.games.values().filter(|game| game.forfeit().is_some());
        forfeits.map(|game| format!("game {}: {:?} {:?}", game.number, game.forfeit(), game.ending)).collect()
    }
}
