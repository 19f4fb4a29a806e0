//! Lines and what they ask for.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{space0, space1};
use nom::combinator::{eof, opt, rest};
use nom::sequence::{preceded, terminated};

use super::command::Command;
use super::table::CommandSpec;
use crate::error::TextError;
use crate::number::whole;
use crate::text::{self, Parsed, word};

/// The number of a command, repeated in its reply.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct GtpId(pub u64);

impl fmt::Display for GtpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum GtpLine {
    /// An empty line, a comment, a number alone: no reply.
    Blank,
    /// The comment `# interrupt`: the running command should end soon. No reply.
    Interrupt,
    Request(GtpRequest),
}

/// A command that gets a reply, even if it is unreadable.
#[derive(Clone, Debug, PartialEq)]
pub struct GtpRequest {
    pub id: Option<GtpId>,
    pub command: Result<Command, GtpError>,
}

/// Columns count over the line as the user sees it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum GtpError {
    UnknownCommand(String),
    Syntax { usage: String, detail: TextError },
}

impl fmt::Display for GtpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The protocol prescribes this text to the letter.
            GtpError::UnknownCommand(_) => f.write_str("unknown command"),
            GtpError::Syntax { usage, detail } => write!(f, "syntax error: {detail}; usage: {usage}"),
        }
    }
}

impl std::error::Error for GtpError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GtpError::UnknownCommand(_) => None,
            GtpError::Syntax { detail, .. } => Some(detail),
        }
    }
}

/// Reads one line, with or without its end.
pub fn parse_line(line: &[u8]) -> GtpLine {
    let line = text::clean(line);
    if let Some(comment) = line.trim_matches(' ').strip_prefix('#') {
        return if comment.trim_matches(' ') == "interrupt" { GtpLine::Interrupt } else { GtpLine::Blank };
    }
    let code = line.split_once('#').map_or(&*line, |(code, _)| code);
    match parts(code) {
        Ok((_, (id, name, arguments))) if !name.is_empty() => {
            GtpLine::Request(GtpRequest { id, command: read_command(code, name, arguments) })
        }
        _ => GtpLine::Blank,
    }
}

/// Splits a line into number, command and arguments.
fn parts(input: &str) -> Parsed<'_, (Option<GtpId>, &str, &str)> {
    let id = terminated(whole.map(GtpId), alt((space1, eof)));
    preceded(space0, (opt(id), word, rest)).parse(input)
}

fn read_command(line: &str, name: &str, arguments: &str) -> Result<Command, GtpError> {
    let Some(spec) = CommandSpec::find(name) else {
        return Err(GtpError::UnknownCommand(name.to_owned()));
    };
    text::read_all(line, arguments, |input| spec.read(input))
        .map_err(|detail| GtpError::Syntax { usage: spec.usage(), detail })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::coord::{Coord, Side, Vertex};
    use crate::setting::{RulesName, Setting, SettingName};

    fn request(line: &str) -> GtpRequest {
        match parse_line(line.as_bytes()) {
            GtpLine::Request(request) => request,
            other => panic!("{line:?}: {other:?}"),
        }
    }

    fn command(line: &str) -> Command {
        request(line).command.unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    fn failure(line: &str) -> String {
        request(line).command.unwrap_err().to_string()
    }

    fn place(column: u8, row: u8) -> Vertex {
        Vertex::Place(Coord::new(column, row).unwrap())
    }

    #[test]
    fn what_needs_no_answer() {
        for line in [
            "",
            " ",
            "\r\n",
            "\t",
            "\x01\x02",
            "# text",
            "  #",
            "7",
            " 7 \r",
            "7 # name",
            "# interrupted",
            "##",
        ] {
            assert_eq!(parse_line(line.as_bytes()), GtpLine::Blank, "{line:?}");
        }
        for line in ["# interrupt", "#interrupt", "  #   interrupt \r\n", "#\tinterrupt"] {
            assert_eq!(parse_line(line.as_bytes()), GtpLine::Interrupt, "{line:?}");
        }
    }

    #[test]
    fn numbers_and_comments() {
        assert_eq!(request("7 name"), GtpRequest { id: Some(GtpId(7)), command: Ok(Command::Name) });
        assert_eq!(request("\t007\tname # who?\r\n").id, Some(GtpId(7)));
        assert_eq!(request("name").id, None);
        assert_eq!(command("na\x07me"), Command::Name);
        assert_eq!(command("name#"), Command::Name);
        // Clients number by the clock too.
        assert_eq!(request("1700000000000 name").id, Some(GtpId(1_700_000_000_000)));
        // Anything else is taken for a command.
        for line in ["99999999999999999999 name", "7name", "-7 name"] {
            assert_eq!(request(line).id, None);
            assert_eq!(failure(line), "unknown command");
        }
    }

    #[test]
    fn names_are_case_sensitive() {
        let unknown = Err(GtpError::UnknownCommand("Name".to_owned()));
        assert_eq!(request("3 Name x"), GtpRequest { id: Some(GtpId(3)), command: unknown });
        assert_eq!(failure("J\u{f6}rg"), "unknown command");
    }

    #[test]
    fn moves_and_clocks() {
        let d3 = place(3, 2);
        let table = [
            ("play B D3", Command::Play { side: Side::Black, vertex: d3 }),
            ("play black d3", Command::Play { side: Side::Black, vertex: d3 }),
            ("play W PASS", Command::Play { side: Side::White, vertex: Vertex::Pass }),
            ("genmove b", Command::GenMove(Side::Black)),
            ("genmove white", Command::GenMove(Side::White)),
            ("reg_genmove W", Command::RegGenMove(Side::White)),
            ("gg-undo 2", Command::GgUndo(2)),
            ("boardsize 8", Command::BoardSize(8)),
            ("boardsize 19", Command::BoardSize(19)),
            ("komi 6.5", Command::Komi),
            ("komi", Command::Komi),
            ("komi as you like it", Command::Komi),
            (
                "time_settings 60 10.5 5",
                Command::TimeSettings {
                    main: Duration::from_secs(60),
                    byo_yomi: Duration::from_millis(10_500),
                    stones: 5,
                },
            ),
            (
                "time_left b 118 0",
                Command::TimeLeft { side: Side::Black, time: Duration::from_secs(118), stones: 0 },
            ),
            ("time_left w -3 0", Command::TimeLeft { side: Side::White, time: Duration::ZERO, stones: 0 }),
            ("play_moves f5 d6", Command::PlayMoves(vec![place(5, 4), place(3, 5)])),
        ];
        for (line, expected) in table {
            assert_eq!(command(line), expected, "{line}");
        }
    }

    #[test]
    fn names_options_and_analysis() {
        let table = [
            ("known_command play", Command::KnownCommand("play".to_owned())),
            ("help", Command::Help(None)),
            ("help play", Command::Help(Some("play".to_owned()))),
            ("set_game Othello", Command::SetGame("Othello".to_owned())),
            ("set_game Reversed  Reversi ", Command::SetGame("Reversed  Reversi".to_owned())),
            ("rules", Command::Show(SettingName::Rules)),
            ("rules standard", Command::Set(Setting::Rules(RulesName::Standard))),
            ("depth off", Command::Set(Setting::Depth(None))),
            ("log my file.log", Command::Set(Setting::Log(Some("my file.log".to_owned())))),
            ("ollehto-hints", Command::Hints(None)),
            ("ollehto-analyze w", Command::Analyze(Some(Side::White))),
            ("ollehto-pv", Command::PrincipalVariation(None)),
            ("ollehto-values b", Command::MoveValues(Some(Side::Black))),
            ("ollehto-param", Command::Parameters),
            ("ollehto-param ponder 1", Command::Set(Setting::Ponder(true))),
        ];
        for (line, expected) in table {
            assert_eq!(command(line), expected, "{line}");
        }
    }

    #[test]
    fn gogui_extensions() {
        let (d3, d4) = (place(3, 2), Coord::new(3, 3).unwrap());
        let moves = vec![(Side::Black, d3), (Side::White, Vertex::Pass)];
        let table = [
            ("gogui-play_sequence B D3 W PASS", Command::GoguiPlaySequence(moves)),
            ("gogui-play_sequence", Command::GoguiPlaySequence(vec![])),
            ("gogui-setup b D4", Command::GoguiSetup(vec![(Side::Black, d4)])),
            ("gogui-setup_player B", Command::GoguiSetupPlayer(Side::Black)),
            ("gogui-title", Command::GoguiTitle),
            ("gogui-title any thing", Command::GoguiTitle),
            ("gogui-version 1.6.0", Command::GoguiVersion("1.6.0".to_owned())),
            ("gogui-version", Command::GoguiVersion(String::new())),
        ];
        for (line, expected) in table {
            assert_eq!(command(line), expected, "{line}");
        }
    }

    #[test]
    fn errors_point_at_the_line_as_typed() {
        let table = [
            (
                "play x d3",
                "syntax error: expected a colour (black or white) at column 6, found 'x'; \
                 usage: play COLOUR VERTEX",
            ),
            (
                "7  play b z9 # no",
                "syntax error: expected a square (a1 to h8) or pass at column 11, found 'z9'; \
                 usage: play COLOUR VERTEX",
            ),
            (
                "play b",
                "syntax error: expected a square (a1 to h8) or pass at column 7, found nothing; \
                 usage: play COLOUR VERTEX",
            ),
            (
                "gg-undo#2",
                "syntax error: expected a whole number at column 8, found nothing; usage: gg-undo N",
            ),
            ("name you", "syntax error: expected nothing more at column 6, found 'you'; usage: name"),
            (
                "genmove bl",
                "syntax error: expected a colour (black or white) at column 9, found 'bl'; \
                 usage: genmove COLOUR",
            ),
            ("gg-undo -1", "syntax error: expected a whole number at column 9, found '-1'; usage: gg-undo N"),
            (
                "threads 0",
                "syntax error: threads takes a whole number from 1 to 256, found '0' at column 9; \
                 usage: threads [N]",
            ),
            (
                "ollehto-param level",
                "syntax error: level takes a whole number from 1 to 60, or off, found nothing at column 20; \
                 usage: ollehto-param [NAME VALUE]",
            ),
            (
                "gogui-setup b d4 w pass",
                "syntax error: expected a square (a1 to h8) at column 20, found 'pass'; \
                 usage: gogui-setup [COLOUR SQUARE]...",
            ),
        ];
        for (line, message) in table {
            assert_eq!(failure(line), message);
        }
    }

    #[test]
    fn a_wrong_parameter_is_told_which_there_are() {
        for line in ["ollehto-param rules standard", "ollehto-param size 6", "ollehto-param x 1"] {
            let message = failure(line);
            for name in SettingName::ALL {
                assert!(message.contains(&name.to_string()), "{line}: {message}");
            }
            assert!(message.contains("--rules and --size"), "{line}: {message}");
        }
    }

    #[test]
    fn wrong_arguments() {
        let lines = [
            "known_command",
            "known_command a b",
            "help a b",
            "boardsize",
            "boardsize x",
            "boardsize 8 8",
            "play",
            "play b d3 x",
            "play d3",
            "genmove",
            "genmove b w",
            "gg-undo",
            "gg-undo 4294967296",
            "time_settings 1 2",
            "time_settings -1 0 0",
            "time_settings inf 0 0",
            "time_left b",
            "time_left b 1e999 0",
            "set_game",
            "setboard",
            "setboard ----",
            "loadggf",
            "loadggf (;GM[Othello];)",
            "showggf x",
            "play_moves",
            "play_moves f5 d",
            "rules chess",
            "hash 0",
            "time 0",
            "ponder maybe",
            "ollehto-param x",
            "ollehto-param rules standard",
            "ollehto-param size 6",
            "ollehto-param depth 99",
            "ollehto-pv z",
            "ollehto-eval b",
            "gogui-play_sequence B",
            "gogui-play_sequence D3 B",
            "gogui-setup_player",
        ];
        for line in lines {
            assert!(failure(line).starts_with("syntax error: "), "{line}");
        }
    }
}
