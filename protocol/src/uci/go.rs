//! What `go` asks for.

use std::time::Duration;

/// Moves and numbers are as the client wrote them; nothing is checked against the position.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GoRequest {
    /// `wtime` and `btime`, so that of Othello's Black comes first. A clock that has run out is at zero.
    pub clocks: [Option<Duration>; 2],
    /// `winc` and `binc`.
    pub increments: [Duration; 2],
    pub moves_to_go: Option<u32>,
    pub move_time: Option<Duration>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Until stopped.
    pub infinite: bool,
    /// The opponent has not made the last move yet.
    pub ponder: bool,
    /// Search only these; none: all.
    pub search_moves: Vec<String>,
    /// Count the leaves of the tree of this depth instead of searching.
    pub perft: Option<u32>,
    /// Words that mean nothing here.
    pub ignored: Vec<String>,
}

/// Words after which a list of moves ends.
const WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "perft",
];

impl GoRequest {
    pub(super) fn read<'a>(words: impl Iterator<Item = &'a str>) -> GoRequest {
        let mut request = GoRequest::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let name = word.to_ascii_lowercase();
            match name.as_str() {
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "searchmoves" => {
                    let is_move = |word: &&str| !WORDS.contains(&word.to_ascii_lowercase().as_str());
                    while let Some(named) = words.next_if(is_move) {
                        request.search_moves.push(named.to_owned());
                    }
                }
                name if WORDS.contains(&name) => {
                    match words.next_if(|word| word.parse::<f64>().is_ok_and(f64::is_finite)) {
                        Some(number) => request.set(name, number),
                        None => request.ignored.push(word.to_owned()),
                    }
                }
                _ => request.ignored.push(word.to_owned()),
            }
        }
        request
    }

    fn set(&mut self, name: &str, number: &str) {
        // Programs send clocks below zero, and some send fractions. The cast keeps to the range of the type.
        let whole = number.parse::<f64>().unwrap_or_default().max(0.0) as u64;
        let time = Duration::from_millis(whole);
        let count = u32::try_from(whole).unwrap_or(u32::MAX);
        match name {
            "wtime" => self.clocks[0] = Some(time),
            "btime" => self.clocks[1] = Some(time),
            "winc" => self.increments[0] = time,
            "binc" => self.increments[1] = time,
            "movestogo" => self.moves_to_go = Some(count).filter(|&moves| moves > 0),
            "movetime" => self.move_time = Some(time),
            "depth" => self.depth = Some(count.max(1)),
            "nodes" => self.nodes = Some(whole.max(1)),
            "perft" => self.perft = Some(count),
            // There is no mate to look for.
            _ => self.ignored.push(format!("{name} {number}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> GoRequest {
        GoRequest::read(line.split_whitespace())
    }

    #[test]
    fn all_limits() {
        let asked = read("wtime 60000 btime -5 winc 1000 binc 0 movestogo 12");
        assert_eq!(asked.clocks, [Some(Duration::from_secs(60)), Some(Duration::ZERO)]);
        assert_eq!((asked.increments[0], asked.moves_to_go), (Duration::from_secs(1), Some(12)));
        let asked = read("depth 0 nodes 99999999999 movetime 250.7 perft 3");
        assert_eq!((asked.depth, asked.nodes, asked.perft), (Some(1), Some(99_999_999_999), Some(3)));
        assert_eq!(asked.move_time, Some(Duration::from_millis(250)));
        assert!(read("infinite").infinite && read("ponder wtime 5").ponder);
        assert_eq!(read(""), GoRequest::default());
    }

    #[test]
    fn moves_end_at_the_next_limit() {
        let asked = read("searchmoves P@e3 P@f4 depth 3");
        assert_eq!((asked.search_moves, asked.depth), (vec!["P@e3".to_owned(), "P@f4".to_owned()], Some(3)));
    }

    #[test]
    fn the_rest_is_named_and_harms_nothing() {
        let asked = read("quickly wtime x depth 4 mate 3 movetime");
        assert_eq!(asked.ignored, ["quickly", "wtime", "x", "mate 3", "movetime"]);
        assert_eq!((asked.depth, asked.clocks), (Some(4), [None; 2]));
    }
}
