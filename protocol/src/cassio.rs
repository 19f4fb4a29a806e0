//! Cassio's Othello Engine Protocol: the client asks for values of positions.

use std::fmt;
use std::time::Duration;

use crate::coord::{Side, Vertex};
use crate::notation::{PositionText, parse_position};
use crate::number::decimal;
use crate::text;

/// What every command begins with.
pub(crate) const PREFIX: &str = "ENGINE-PROTOCOL";

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line: is the engine there?
    Alive,
    Init,
    Version,
    NewPosition,
    EmptyHash,
    /// `feed-hash`: values that the client knows.
    FeedHash,
    Search(SearchRequest),
    SearchInfos,
    Stop,
    Quit,
    Bad(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    pub position: PositionText,
    /// In plies; none: to the end of the game.
    pub depth: Option<u8>,
    /// The confidence asked for, in percent.
    pub precision: u8,
}

/// Reads one line, with or without its end.
pub fn parse_line(line: &[u8]) -> Command {
    let line = text::clean(line);
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    match words.next() {
        None => return Command::Alive,
        Some(PREFIX) => {}
        Some(other) => return Command::Bad(format!("unknown protocol \"{}\"", text::ascii_line(other))),
    }
    let name = words.next().unwrap_or_default();
    let arguments: Vec<&str> = words.collect();
    let search = |is_endgame| match parse_search(&arguments, is_endgame) {
        Some(request) => Command::Search(request),
        None => Command::Bad(format!("{name} cannot be read: position, alpha, beta, depth, precision")),
    };
    match name {
        "init" => Command::Init,
        "get-version" => Command::Version,
        "new-position" => Command::NewPosition,
        "empty-hash" => Command::EmptyHash,
        "feed-hash" => Command::FeedHash,
        "midgame-search" => search(false),
        "endgame-search" => search(true),
        "get-search-infos" => Command::SearchInfos,
        "stop" => Command::Stop,
        "quit" => Command::Quit,
        "" => Command::Bad("no command".into()),
        _ => Command::Bad(format!("unknown command {}", text::ascii_line(name))),
    }
}

/// The side to move follows the squares, perhaps after a blank.
fn parse_search(arguments: &[&str], is_endgame: bool) -> Option<SearchRequest> {
    let numbers = if is_endgame { 3 } else { 4 };
    let (position, numbers) = arguments.split_at_checked(arguments.len().checked_sub(numbers)?)?;
    let position = parse_position(position.join(" ").as_bytes()).ok()?;
    let numbers: Vec<f64> = numbers.iter().map(|number| decimal(number)).collect::<Option<_>>()?;
    // The values are exact, so that the window does not matter.
    let depth = (!is_endgame).then(|| numbers[2].clamp(1.0, 60.0) as u8);
    let precision = numbers.last()?.clamp(0.0, 100.0) as u8;
    Some(SearchRequest { position, depth, precision })
}

/// The value of a position. Moves of Black are in capitals, those of White in small letters.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchAnswer {
    pub position: PositionText,
    pub depth: u8,
    pub precision: u8,
    /// In discs, for the side to move.
    pub value: f64,
    /// With all passes.
    pub line: Vec<Vertex>,
    pub nodes: u64,
    pub elapsed: Duration,
}

impl fmt::Display for SearchAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.position.to_move();
        let letter = match side {
            Side::Black => 'B',
            Side::White => 'W',
        };
        let names: Vec<String> = [side, side.opponent()]
            .into_iter()
            .cycle()
            .zip(&self.line)
            .map(|(mover, &vertex)| name(vertex, mover))
            .collect();
        let best = names.first().map_or("--", String::as_str);
        let value = crate::number::printable_eval(self.value);
        let board = self.position.to_string().replace(' ', "");
        write!(f, "{board}, move {best}, depth {}, @{}%, ", self.depth, self.precision)?;
        write!(f, "{letter}{value:+.2} <= v <= {letter}{value:+.2}, {}, ", names.concat())?;
        write!(f, "node {}, time {:.3}", self.nodes, self.elapsed.as_secs_f64())
    }
}

fn name(vertex: Vertex, mover: Side) -> String {
    let name = match vertex {
        Vertex::Place(coord) => coord.to_string(),
        Vertex::Pass => "PS".to_owned(),
    };
    if mover == Side::Black { name } else { name.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::Coord;

    const START: &str = "---------------------------OX------XO---------------------------";

    fn read(line: &str) -> Command {
        parse_line(line.as_bytes())
    }

    #[test]
    fn lines_of_the_protocol() {
        for (line, command) in [
            ("\r\n", Command::Alive),
            ("ENGINE-PROTOCOL init", Command::Init),
            ("ENGINE-PROTOCOL get-version", Command::Version),
            ("ENGINE-PROTOCOL stop", Command::Stop),
            ("ENGINE-PROTOCOL dance", Command::Bad("unknown command dance".into())),
            ("ENGINE-PROTOCOL \0", Command::Bad("no command".into())),
            ("uci", Command::Bad("unknown protocol \"uci\"".into())),
        ] {
            assert_eq!(read(line), command, "{line:?}");
        }
        let position = parse_position(format!("{START} X").as_bytes()).unwrap();
        let request = |depth, precision| {
            Command::Search(SearchRequest { position: position.clone(), depth, precision })
        };
        let midgame = request(Some(27), 90);
        assert_eq!(read(&format!("ENGINE-PROTOCOL midgame-search {START}X -0.51 2.30 27 90")), midgame);
        assert_eq!(read(&format!("ENGINE-PROTOCOL midgame-search {START} X -64 64 27 90")), midgame);
        assert_eq!(read(&format!("ENGINE-PROTOCOL endgame-search {START}X -1 +1 100")), request(None, 100));
        for wrong in ["midgame-search", "endgame-search - 0 1 100", "midgame-search --X 0 1 x 100"] {
            assert!(matches!(read(&format!("ENGINE-PROTOCOL {wrong}")), Command::Bad(_)), "{wrong}");
        }
    }

    #[test]
    fn answers_are_as_edax_writes_them() {
        let place = |column, row| Vertex::Place(Coord::new(column, row).unwrap());
        let answer = SearchAnswer {
            position: parse_position(format!("{START} O").as_bytes()).unwrap(),
            depth: 20,
            precision: 73,
            value: -1.0,
            line: vec![place(6, 3), Vertex::Pass, place(6, 4)],
            nodes: 1143,
            elapsed: Duration::from_millis(64),
        };
        let text = format!(
            "{START}O, move g4, depth 20, @73%, W-1.00 <= v <= W-1.00, g4PSg5, node 1143, time 0.064"
        );
        assert_eq!(answer.to_string(), text);
    }
}
