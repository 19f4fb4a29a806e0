//! What is printed reads back as the value it was printed from.

use std::time::Duration;

use ollehto_protocol::coord::{Coord, Side, Vertex};
use ollehto_protocol::ggf::{
    GgfClock, GgfEnding, GgfGame, GgfMove, GgfPlayer, GgfResult, MatchType, MoveText, parse_game,
};
use ollehto_protocol::gtp::{self, COMMANDS, Command, GtpLine};
use ollehto_protocol::nboard::{self, Reply};
use ollehto_protocol::notation::{CellText, PositionText, parse_moves, parse_position, print_moves};
use ollehto_protocol::obf::{ObfMove, ObfProblem, parse_problem};
use ollehto_protocol::setting::{RulesName, Setting, parse_setting};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn side() -> impl Strategy<Value = Side> {
    select(&[Side::Black, Side::White][..])
}

fn coord() -> impl Strategy<Value = Coord> {
    (0u8..8, 0u8..8).prop_filter_map("on the board", |(column, row)| Coord::new(column, row))
}

fn vertex() -> impl Strategy<Value = Vertex> {
    prop_oneof![9 => coord().prop_map(Vertex::Place), 1 => Just(Vertex::Pass)]
}

fn position() -> impl Strategy<Value = PositionText> {
    let cell = select(&[CellText::Empty, CellText::Disc(Side::Black), CellText::Disc(Side::White)][..]);
    let cells = select(&[16usize, 36, 64][..]).prop_flat_map(move |area| vec(cell.clone(), area));
    (cells, side()).prop_filter_map("a board", |(cells, to_move)| PositionText::new(cells, to_move).ok())
}

/// Values with two decimals, which is how evaluations and times print.
fn eval() -> impl Strategy<Value = f64> {
    (-6400i32..=6400).prop_map(|hundredths| f64::from(hundredths) / 100.0)
}

fn move_text() -> impl Strategy<Value = MoveText> {
    let seconds = (0u64..1_000_000).prop_map(|hundredths| Duration::from_millis(hundredths * 10));
    (vertex(), option::of(eval()), option::of(seconds)).prop_map(|(vertex, eval, seconds)| MoveText {
        vertex,
        eval,
        seconds,
    })
}

fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        Just(Duration::from_secs(120)),
        (0u64..1_000_000_000).prop_map(Duration::from_millis),
        (0u64..1_000_000, 0u32..1_000_000_000).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
    ]
}

fn clock() -> impl Strategy<Value = GgfClock> {
    (duration(), duration(), duration()).prop_map(|(main, increment, grace)| GgfClock {
        main,
        increment,
        grace,
    })
}

fn kind() -> impl Strategy<Value = MatchType> {
    (any::<[bool; 3]>(), option::of(any::<u8>()), option::of(side())).prop_map(|(marks, random, color)| {
        let [synchro, komi, anti] = marks;
        MatchType { size: 8, synchro, komi, anti, random, color }
    })
}

fn outcome() -> impl Strategy<Value = GgfResult> {
    let ending =
        select(&[GgfEnding::Normal, GgfEnding::Resigned, GgfEnding::Timeout, GgfEnding::Adjourned][..]);
    (eval(), ending).prop_map(|(score, ending)| GgfResult { score, ending })
}

fn player() -> impl Strategy<Value = GgfPlayer> {
    (
        "([a-zA-Z0-9é()][a-zA-Z0-9 é().]{0,8}[a-z])?",
        option::of(any::<f64>().prop_filter("finite", |x| x.is_finite())),
    )
        .prop_map(|(name, rating)| GgfPlayer { name, rating })
}

fn game() -> impl Strategy<Value = GgfGame> {
    let head = (option::of("[A-Za-z/]{1,8}"), option::of("[0-9.:_-]{1,8}"), player(), player());
    let middle = (
        option::of(outcome()),
        option::of(clock()),
        option::of(clock()),
        any::<bool>(),
        kind(),
        option::of(eval()),
        option::of("[A-Za-z0-9:,.]{1,8}"),
    );
    let turn = (side(), move_text()).prop_map(|(side, text)| GgfMove { side, text });
    (head, middle, position(), vec(turn, 0..10)).prop_map(|(head, middle, board, moves)| {
        let (place, date, black, white) = head;
        let (result, first, second, alike, kind, komi, comment) = middle;
        let clocks = [first, if alike { first } else { second }];
        let kind = MatchType { size: board.size(), ..kind };
        GgfGame { place, date, black, white, result, clocks, kind, board, moves, komi, comment }
    })
}

fn setting() -> impl Strategy<Value = Setting> {
    let time = (1u64..1_000_000_000).prop_map(Duration::from_micros);
    let file = "[a-z]{1,3}( [a-z]{4,6})?\\.log";
    prop_oneof![
        select(&[RulesName::Reversed, RulesName::Standard][..]).prop_map(Setting::Rules),
        select(&[4, 6, 8][..]).prop_map(Setting::Size),
        (1u32..=256).prop_map(Setting::Threads),
        (1u32..=65_536).prop_map(Setting::Hash),
        option::of(1u8..=60).prop_map(Setting::Depth),
        option::of(1u64..).prop_map(Setting::Nodes),
        option::of(1u8..=60).prop_map(Setting::Level),
        option::of(time).prop_map(Setting::Time),
        any::<bool>().prop_map(Setting::Ponder),
        option::of(file).prop_map(Setting::Log),
    ]
}

fn command(line: &str) -> Option<Command> {
    match gtp::parse_line(line.as_bytes()) {
        GtpLine::Request(request) => request.command.ok(),
        GtpLine::Blank | GtpLine::Interrupt => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves(moves in vec(vertex(), 0..61)) {
        prop_assert_eq!(parse_moves(print_moves(&moves).as_bytes()), Ok(moves.clone()));
        let spaced = moves.iter().map(|vertex| vertex.to_string()).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(parse_moves(spaced.as_bytes()), Ok(moves));
    }

    #[test]
    fn positions(position in position()) {
        let text = position.to_string();
        prop_assert_eq!(command(&format!("setboard {text}")), Some(Command::SetBoard(position.clone())));
        prop_assert_eq!(parse_position(text.as_bytes()), Ok(position));
    }

    #[test]
    fn problems(position in position(), known in vec((vertex(), -64i8..=64), 0..8)) {
        let known = known.into_iter().map(|(vertex, score)| ObfMove { vertex, score }).collect();
        let problem = ObfProblem { position, known };
        prop_assert_eq!(parse_problem(problem.to_string().as_bytes()), Ok(problem));
    }

    #[test]
    fn settings(setting in setting()) {
        let (name, value) = (setting.name(), setting.to_string());
        prop_assert_eq!(parse_setting(name, value.as_bytes()), Ok(setting.clone()));
        let line = format!("ollehto-param {name} {value}");
        prop_assert_eq!(command(&line), (!name.decides_the_game()).then_some(Command::Set(setting)));
    }

    #[test]
    fn games(game in game()) {
        prop_assert_eq!(parse_game(game.to_string().as_bytes()), Ok(game.clone()));
        let line = format!("set game {game}\r\n");
        prop_assert_eq!(nboard::parse_line(line.as_bytes()), Ok(nboard::Command::SetGame(Box::new(game))));
    }

    #[test]
    fn what_one_engine_answers_another_can_be_told(text in move_text()) {
        let MoveText { vertex, eval, seconds } = text;
        let answer = Reply::Move { vertex, eval, seconds }.to_string();
        let line = answer.replacen("===", "move", 1);
        prop_assert_eq!(nboard::parse_line(line.as_bytes()), Ok(nboard::Command::Move(text)));
    }

    #[test]
    fn plays(side in side(), vertex in vertex()) {
        prop_assert_eq!(command(&format!("play {side} {vertex}")), Some(Command::Play { side, vertex }));
    }
}

/// An argument of the kind that a word of the usage stands for.
fn example(word: &str) -> &str {
    match word.trim_matches(['[', ']', '.']) {
        "COLOUR" => "black",
        "VERTEX" => "pass",
        "SQUARE" => "d3",
        "NAME" => "depth",
        "VALUE" | "N|off" | "MIB" | "N" | "SECONDS|off" => "8",
        "RATING|off" => "1200",
        "NUMBER" | "MAIN" | "BYO_YOMI" | "STONES" | "SECONDS" | "DISCS" => "1",
        "POSITION" => "----------------X",
        "MOVES" => "f5d6c3",
        "RECORD" => "(;BO[4 ---------------- *];)",
        "FILE|off" => "game.log",
        "VERSION" => "1.6.0",
        choice => choice.split('|').next().unwrap_or(choice),
    }
}

#[test]
fn commands_take_what_their_usage_says() {
    for spec in COMMANDS {
        let words: Vec<&str> = spec.arguments.split_whitespace().map(example).collect();
        let line = format!("{} {}", spec.name, words.join(" "));
        assert!(command(&line).is_some(), "{line}");
        let alone = spec.arguments.is_empty() || spec.arguments.starts_with('[');
        assert_eq!(command(spec.name).is_some(), alone, "{}", spec.name);
    }
}
