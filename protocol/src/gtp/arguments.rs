//! The grammars of the commands' arguments.

use nom::Parser;
use nom::combinator::{eof, map, map_opt, rest};
use nom::multi::many_till;

use super::command::Command;
use crate::coord::{A_COLOUR, A_SQUARE, A_VERTEX, Side, colour, square, vertex};
use crate::ggf::game;
use crate::notation::{moves, position};
use crate::number::{A_WHOLE_NUMBER, SECONDS, decimal, seconds, to_duration, whole};
use crate::setting::{SettingName, setting};
use crate::text::{GrammarError, Parsed, argument, optional, remainder};

/// What may follow the name of a command. Each grammar is run over the whole rest of the line.
#[derive(Debug)]
pub(super) enum ArgumentGrammar {
    Nothing(Command),
    /// Anything; it is ignored.
    Anything(Command),
    Side(fn(Side) -> Command),
    MaybeSide(fn(Option<Side>) -> Command),
    Count(fn(u32) -> Command),
    /// A value to set this option, or nothing to show it.
    Setting(SettingName),
    Other(for<'a> fn(&'a str) -> Parsed<'a, Command>),
}

impl ArgumentGrammar {
    pub(super) fn read<'a>(&self, input: &'a str) -> Parsed<'a, Command> {
        match self {
            ArgumentGrammar::Nothing(command) => Ok((input, command.clone())),
            ArgumentGrammar::Anything(command) => map(rest, |_| command.clone()).parse(input),
            ArgumentGrammar::Side(command) => map(argument(A_COLOUR, colour), command).parse(input),
            ArgumentGrammar::MaybeSide(command) => {
                map(optional(argument(A_COLOUR, colour)), command).parse(input)
            }
            ArgumentGrammar::Count(command) => map(argument(A_WHOLE_NUMBER, whole), command).parse(input),
            ArgumentGrammar::Setting(name) => {
                map(optional(setting(*name)), |value| value.map_or(Command::Show(*name), Command::Set))
                    .parse(input)
            }
            ArgumentGrammar::Other(grammar) => grammar(input),
        }
    }
}

fn command_name(input: &str) -> Parsed<'_, String> {
    let name = map_opt(rest, |word: &str| (!word.is_empty()).then(|| word.to_owned()));
    argument("the name of a command", name).parse(input)
}

pub(super) fn known_command(input: &str) -> Parsed<'_, Command> {
    map(command_name, Command::KnownCommand).parse(input)
}

pub(super) fn help(input: &str) -> Parsed<'_, Command> {
    map(optional(command_name), Command::Help).parse(input)
}

pub(super) fn play(input: &str) -> Parsed<'_, Command> {
    let grammar = (argument(A_COLOUR, colour), argument(A_VERTEX, vertex));
    map(grammar, |(side, vertex)| Command::Play { side, vertex }).parse(input)
}

pub(super) fn time_settings(input: &str) -> Parsed<'_, Command> {
    let grammar = (argument(SECONDS, seconds), argument(SECONDS, seconds), argument(A_WHOLE_NUMBER, whole));
    map(grammar, |(main, byo_yomi, stones)| Command::TimeSettings { main, byo_yomi, stones }).parse(input)
}

pub(super) fn time_left(input: &str) -> Parsed<'_, Command> {
    // A client that lets a game go on after the flag has fallen may report a negative time.
    let time = map_opt(rest, |word| decimal(word).and_then(|seconds| to_duration(seconds.max(0.0))));
    let time = argument("a number of seconds", time);
    let grammar = (argument(A_COLOUR, colour), time, argument(A_WHOLE_NUMBER, whole));
    map(grammar, |(side, time, stones)| Command::TimeLeft { side, time, stones }).parse(input)
}

pub(super) fn set_game(input: &str) -> Parsed<'_, Command> {
    map(remainder("the name of a game"), Command::SetGame).parse(input)
}

pub(super) fn setboard(input: &str) -> Parsed<'_, Command> {
    map(position(None), Command::SetBoard).parse(input)
}

pub(super) fn load_game(input: &str) -> Parsed<'_, Command> {
    map(game, |game| Command::LoadGame(Box::new(game))).parse(input)
}

pub(super) fn play_moves(input: &str) -> Parsed<'_, Command> {
    if input.is_empty() {
        return Err(GrammarError::expected(input, A_VERTEX));
    }
    map(moves, Command::PlayMoves).parse(input)
}

pub(super) fn parameters(input: &str) -> Parsed<'_, Command> {
    let names = "an option (threads, hash, depth, nodes, level, elo, time, ponder, book, variety or log; \
                 rules and size belong into the command that starts the engine, as --rules and --size)";
    let name = map_opt(rest, |word| SettingName::parse(word).filter(|name| !name.decides_the_game()));
    match optional(argument(names, name)).parse(input)? {
        (rest, None) => Ok((rest, Command::Parameters)),
        (rest, Some(name)) => map(setting(name), Command::Set).parse(rest),
    }
}

pub(super) fn play_sequence(input: &str) -> Parsed<'_, Command> {
    let pairs = many_till((argument(A_COLOUR, colour), argument(A_VERTEX, vertex)), eof);
    map(pairs, |(moves, _)| Command::GoguiPlaySequence(moves)).parse(input)
}

pub(super) fn setup(input: &str) -> Parsed<'_, Command> {
    let pairs = many_till((argument(A_COLOUR, colour), argument(A_SQUARE, square)), eof);
    map(pairs, |(discs, _)| Command::GoguiSetup(discs)).parse(input)
}

pub(super) fn gogui_version(input: &str) -> Parsed<'_, Command> {
    map(rest, |version: &str| Command::GoguiVersion(version.to_owned())).parse(input)
}
