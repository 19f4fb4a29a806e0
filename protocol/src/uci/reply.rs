//! Lines to the client.

use std::fmt;
use std::time::Duration;

use crate::text::ascii_line;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ScoreText {
    /// Hundredths of a disc.
    Centidiscs(i32),
    /// The game is won, or lost if negative, and over after so many moves of the side to move.
    Mate(i32),
}

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreText::Centidiscs(value) => write!(f, "cp {value}"),
            ScoreText::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// One line of a search.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SearchInfo {
    pub depth: u8,
    /// From 1.
    pub rank: usize,
    pub score: ScoreText,
    pub nodes: u64,
    pub elapsed: Duration,
    pub line: Vec<String>,
}

impl SearchInfo {
    fn nodes_per_second(&self) -> u64 {
        let nanos = self.elapsed.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

/// One line to the client. Displays without a line end, in ASCII.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Reply {
    Id {
        name: String,
        author: String,
    },
    /// What stands after `option name`.
    Option(String),
    UciOk,
    ReadyOk,
    Info(SearchInfo),
    /// The value of a finished game.
    Over(ScoreText),
    Text(String),
    BestMove {
        best: Option<String>,
        ponder: Option<String>,
    },
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id { name, author } => {
                write!(f, "id name {}\nid author {}", ascii_line(name), ascii_line(author))
            }
            Reply::Option(text) => write!(f, "option name {}", ascii_line(text)),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => {
                let SearchInfo { depth, rank, score, nodes, elapsed, line } = info;
                let (speed, time) = (info.nodes_per_second(), elapsed.as_millis());
                write!(f, "info depth {depth} seldepth {depth} multipv {rank} score {score} ")?;
                write!(f, "nodes {nodes} nps {speed} time {time} pv {}", line.join(" "))
            }
            Reply::Over(score) => write!(f, "info depth 0 score {score}"),
            Reply::Text(text) => write!(f, "info string {}", ascii_line(text)),
            Reply::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
                ponder.iter().try_for_each(|reply| write!(f, " ponder {reply}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_clients_read_them() {
        let info = SearchInfo {
            depth: 12,
            rank: 2,
            score: ScoreText::Centidiscs(-250),
            nodes: 3000,
            elapsed: Duration::from_micros(2500),
            line: vec!["P@e3".into(), "P@d3".into()],
        };
        assert_eq!(
            Reply::Info(info.clone()).to_string(),
            "info depth 12 seldepth 12 multipv 2 score cp -250 nodes 3000 nps 1200000 time 2 pv P@e3 P@d3"
        );
        let instant = SearchInfo { elapsed: Duration::ZERO, nodes: u64::MAX, ..info };
        assert!(Reply::Info(instant).to_string().contains(&format!("nps {}", u64::MAX)));
        assert_eq!(Reply::Over(ScoreText::Mate(0)).to_string(), "info depth 0 score mate 0");
        let best = |best: Option<&str>, ponder: Option<&str>| {
            Reply::BestMove { best: best.map(str::to_owned), ponder: ponder.map(str::to_owned) }.to_string()
        };
        assert_eq!(best(Some("P@e3"), Some("P@d3")), "bestmove P@e3 ponder P@d3");
        assert_eq!(best(Some("a1a1"), None), "bestmove a1a1");
        assert_eq!(best(None, None), "bestmove (none)");
        assert_eq!(Reply::Text("J\u{f6}rg\n".into()).to_string(), "info string J?rg");
    }
}
