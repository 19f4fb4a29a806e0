//! The grammar of records.

use nom::Parser;
use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{alphanumeric1, char, digit1, space0};
use nom::combinator::{all_consuming, eof, map, opt};
use nom::multi::many_till;
use nom::sequence::{delimited, pair, preceded, terminated};

use super::clock::GgfClock;
use super::game::{GgfGame, GgfPlayer, GgfResult};
use super::match_type::MatchType;
use super::move_text::{GgfMove, move_text};
use crate::coord::Side;
use crate::error::TextError;
use crate::notation::{PositionText, position};
use crate::number::foreign_decimal;
use crate::text::{self, GrammarError, Parsed, labelled};

/// Reads one record, perhaps with the number of games before it.
pub fn parse_game(text: &[u8]) -> Result<GgfGame, TextError> {
    let text = text::clean(text);
    text::read_all(&text, &text, game)
}

/// Reads all the records of a file, perhaps with numbers of games between them.
pub fn parse_games(text: &[u8]) -> Result<Vec<GgfGame>, TextError> {
    let text = text::clean(text);
    text::read_all(&text, &text, map(many_till(game, eof), |(games, _)| games))
}

pub(crate) fn game(input: &str) -> Parsed<'_, GgfGame> {
    let (rest, record) = record(input)?;
    Ok((rest, record.into_game()?))
}

/// The fields of a record in order, and the text from its end mark on.
struct FieldList<'a> {
    fields: Vec<Field<'a>>,
    end: &'a str,
}

struct Field<'a> {
    name: &'a str,
    value: &'a str,
}

fn record(input: &str) -> Parsed<'_, FieldList<'_>> {
    let start = preceded(opt(pair(digit1, space0)), labelled("a game, which begins with (;", tag("(;")));
    let (fields_at, _) = delimited(space0, start, space0).parse(input)?;
    let end = |input| map(terminated(tag(";)"), space0), |_| input).parse(input);
    let (rest, (fields, end)) = many_till(field, end).parse(fields_at)?;
    Ok((rest, FieldList { fields, end }))
}

fn field(input: &str) -> Parsed<'_, Field<'_>> {
    let name = labelled(
        "a field such as BO[...] or the end mark ;)",
        terminated(alphanumeric1, pair(space0, char('['))),
    );
    let close = labelled("a closing bracket", char(']'));
    let value = terminated(take_till(|c| c == ']'), pair(close, space0));
    map(pair(name, value), |(name, value): (&str, &str)| Field { name, value }).parse(input)
}

impl<'a> FieldList<'a> {
    fn into_game(self) -> Result<GgfGame, nom::Err<GrammarError<'a>>> {
        if let Some(other) = self.field("GM").filter(|game| !game.trim().eq_ignore_ascii_case("othello")) {
            return Err(GrammarError::expected(other, "a game of Othello"));
        }
        let board = match self.field("BO") {
            Some(value) => board(value)?,
            None => return Err(GrammarError::expected(self.end, "a board (the field BO)")),
        };
        let clock = |name| self.field(name).or(self.field("TI")).map(GgfClock::read);
        let kind = self.field("TY").map_or(MatchType::new(board.size()), MatchType::read);
        Ok(GgfGame {
            place: self.text("PC"),
            date: self.text("DT"),
            black: self.player("PB", "RB"),
            white: self.player("PW", "RW"),
            result: self.field("RE").and_then(GgfResult::read),
            clocks: [clock("TB"), clock("TW")],
            // Type and board may contradict each other; the board is what is played on.
            kind: MatchType { size: board.size(), ..kind },
            board,
            moves: self.moves()?,
            komi: self.field("KM").and_then(foreign_decimal),
            comment: self.text("CO"),
        })
    }

    fn field(&self, name: &str) -> Option<&'a str> {
        self.fields.iter().find(|field| field.name == name).map(|field| field.value)
    }

    fn text(&self, name: &str) -> Option<String> {
        self.field(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    fn player(&self, name: &str, rating: &str) -> GgfPlayer {
        let name = self.text(name).unwrap_or_default();
        GgfPlayer { name, rating: self.field(rating).and_then(foreign_decimal) }
    }

    fn moves(&self) -> Result<Vec<GgfMove>, nom::Err<GrammarError<'a>>> {
        let turn = |field: &Field<'a>| match field.name {
            "B" => Some((Side::Black, field.value)),
            "W" => Some((Side::White, field.value)),
            _ => None,
        };
        self.fields.iter().filter_map(turn).map(|(side, value)| read_turn(side, value)).collect()
    }
}

fn read_turn(side: Side, value: &str) -> Result<GgfMove, nom::Err<GrammarError<'_>>> {
    let (_, text) = preceded(space0, move_text).parse(value)?;
    Ok(GgfMove { side, text })
}

/// The value of a board field: size, squares and side to move.
fn board(value: &str) -> Result<PositionText, nom::Err<GrammarError<'_>>> {
    let size = map(terminated(digit1, space0), |digits: &str| digits.parse().ok());
    let (squares, size) = preceded(space0, labelled("the size of the board", size)).parse(value)?;
    match size {
        Some(4 | 6 | 8) => {}
        _ => {
            return Err(GrammarError::expected(
                value.trim_start(),
                "a board of a size that can be played (4, 6 or 8)",
            ));
        }
    }
    all_consuming(position(size)).parse(squares).map(|(_, board)| board)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{GgfEnding, MoveText};
    use super::*;
    use crate::coord::Vertex;

    const BOARD: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    fn read(text: &str) -> GgfGame {
        parse_game(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn with(fields: &str) -> GgfGame {
        read(&format!("(;{fields}{BOARD};)"))
    }

    fn failure(text: &str) -> String {
        parse_game(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_game_from_nboard_prints_as_it_came() {
        let text = format!(
            "(;GM[Othello]PC[NBoard]DT[2026-11-15 00:23:06 GMT]PB[human]PW[PyOth3]RE[?]TI[5:00]TY[8]{BOARD}\
             B[F5//4.22]W[F6/-0.43/0.10];)"
        );
        let game = read(&text);
        assert_eq!(game.place.as_deref(), Some("NBoard"));
        assert_eq!(game.date.as_deref(), Some("2026-11-15 00:23:06 GMT"));
        assert_eq!((game.black.name.as_str(), game.white.name.as_str()), ("human", "PyOth3"));
        assert_eq!((game.black.rating, game.result, game.komi), (None, None, None));
        assert_eq!(game.clock(Side::Black).main, Duration::from_secs(300));
        assert_eq!(game.clock(Side::Black), game.clock(Side::White));
        assert_eq!(game.board.to_move(), Side::Black);
        assert_eq!(game.moves.iter().map(|turn| turn.side).collect::<Vec<_>>(), [Side::Black, Side::White]);
        assert_eq!(game.moves[0].text.seconds, Some(Duration::from_millis(4220)));
        assert_eq!(game.to_string(), text);
    }

    #[test]
    fn a_game_from_a_server() {
        let game = read(&format!(
            "1 (;GM[Othello]PC[GGS/os]DT[2009.07.01_02:52:45.MDT]PB[ant]PW[bee]RB[1720.5]RW[2000]\
             TB[15:00//02:00]TW[01:00/0:10,25]TY[s8r18]RE[+4.000:r]KB[-1]KW[2]KM[0.5]XX[?]\
             CO[a (;comment) here]{BOARD}B[d3//0.01]W[c5]\r\nB[pass]W[--/-0,5/5.0E-4] ;)\r\n"
        ));
        assert_eq!((game.black.rating, game.white.rating), (Some(1720.5), Some(2000.0)));
        assert_eq!(game.result, Some(GgfResult { score: 4.0, ending: GgfEnding::Resigned }));
        assert_eq!(game.clock(Side::Black).main, Duration::from_secs(900));
        assert_eq!(game.clock(Side::White).increment, Duration::from_secs(10));
        assert_eq!((game.kind.synchro, game.kind.random, game.komi), (true, Some(18), Some(0.5)));
        assert_eq!(game.moves.len(), 4);
        assert_eq!(game.moves[2].text, MoveText { vertex: Vertex::Pass, eval: None, seconds: None });
        assert_eq!(game.moves[3].text.eval, Some(-0.5));
        let printed = game.to_string();
        assert!(
            printed.contains(
                "RB[1720.5]RW[2000]RE[+4:r]TB[15:00]TW[1:00/0:10]TY[s8r18]KM[0.5]CO[a (_comment) here]BO["
            ),
            "{printed}"
        );
        assert_eq!(read(&printed).to_string(), printed);
    }

    #[test]
    fn results() {
        let table = [
            ("?", None),
            ("", None),
            ("-10", Some((-10.0, GgfEnding::Normal))),
            ("-10.000", Some((-10.0, GgfEnding::Normal))),
            ("+4.000:r", Some((4.0, GgfEnding::Resigned))),
            ("-64:t", Some((-64.0, GgfEnding::Timeout))),
            ("0:l", Some((0.0, GgfEnding::Adjourned))),
            ("2:z", Some((2.0, GgfEnding::Normal))),
        ];
        for (text, result) in table {
            let result = result.map(|(score, ending)| GgfResult { score, ending });
            assert_eq!(with(&format!("RE[{text}]")).result, result, "{text:?}");
        }
    }

    #[test]
    fn what_is_missing_has_a_meaning() {
        let game = with("");
        assert_eq!(game, GgfGame::new(game.board.clone()));
        assert!(game.clock(Side::White).is_unlimited());
        assert_eq!((game.kind.size, game.kind.anti), (8, false));
        let own = with("TB[1:00]");
        assert!(!own.clock(Side::Black).is_unlimited() && own.clock(Side::White).is_unlimited());
    }

    #[test]
    fn the_board_decides_the_size() {
        let game = read("(;TY[8a]BO[6 -------------- ox----xo ----- ---- ---- - x];)");
        assert_eq!((game.board.size(), game.kind.size, game.kind.anti), (6, 6, true));
        let odd = read("(; BO [4.... .0x. .*o. .__- O] ;)");
        assert_eq!(odd.board.to_string(), "-----OX--XO----- O");
    }

    #[test]
    fn errors_point_at_the_record() {
        let table = [
            ("", "expected a game, which begins with (; at column 1, found nothing"),
            ("(;GM[Othello];)", "expected a board (the field BO) at column 14, found ';)'"),
            ("(;PB[x", "expected a closing bracket at column 7, found nothing"),
            ("(;PB[x]", "expected a field such as BO[...] or the end mark ;) at column 8, found nothing"),
            ("(;PB[x])", "expected a field such as BO[...] or the end mark ;) at column 8, found ')'"),
            (
                "(;BO[10 --- *];)",
                "expected a board of a size that can be played (4, 6 or 8) at column 6, found '10'",
            ),
            (
                "(;BO[999999 *];)",
                "expected a board of a size that can be played (4, 6 or 8) at column 6, found '999999'",
            ),
            ("(;BO[---- *];)", "expected the size of the board at column 6, found '----'"),
            ("(;BO[8 ------ *];)", "expected 64 squares and then the side to move (X or O), found 6"),
            ("(;BO[4 ----------------];)", "expected the side to move (X or O) at column 24, found '];)'"),
            (
                "(;BO[4 ----z----------- *];)",
                "expected a square (X, O or -) at column 12, found 'z-----------'",
            ),
            (
                "(;BO[4 ---------------- *]B[a1]W[z9/1];)",
                "expected a square (a1 to h8) or pass at column 34, found 'z9/1'",
            ),
            ("(;BO[4 ---------------- *];) x", "expected nothing more at column 30, found 'x'"),
        ];
        for (text, message) in table {
            assert_eq!(failure(text), message, "{text}");
        }
    }

    #[test]
    fn files_hold_many_games() {
        let one = format!("(;PB[a]{BOARD}B[f5];)");
        let count = |text: String| parse_games(text.as_bytes()).map(|games| games.len());
        assert_eq!(count(String::new()), Ok(0));
        assert_eq!(count(" \r\n\r\n".to_owned()), Ok(0));
        assert_eq!(count(one.clone()), Ok(1));
        assert_eq!(count(format!("1 {one}\r\n\r\n2 {one}{one}\n{one}\n")), Ok(4));
        let error = parse_games(format!("{one}\nrubbish").as_bytes()).unwrap_err().to_string();
        assert!(
            error.starts_with("expected a game, which begins with (;") && error.ends_with("'rubbish'"),
            "{error}"
        );
    }

    #[test]
    fn names_cannot_break_a_record() {
        let mut game = with("PB[J\u{f6}rg]");
        assert_eq!(read(&game.to_string()), game);
        game.black.name = " a]B[a1];)\n(; ".to_owned();
        game.white.rating = Some(f64::NAN);
        game.komi = Some(f64::INFINITY);
        game.result = Some(GgfResult { score: f64::NAN, ending: GgfEnding::Timeout });
        let again = read(&game.to_string());
        assert_eq!(again.black.name, "a_B_a1__)(_");
        assert_eq!((again.moves.len(), again.white.rating, again.komi, again.result), (0, None, None, None));
    }
}
