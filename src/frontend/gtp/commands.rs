use std::io::{self, Write};

use ollehto_protocol::coord::{Coord, Side, Vertex};
use ollehto_protocol::ggf;
use ollehto_protocol::gtp::{COMMANDS, Command, CommandSpec};
use ollehto_protocol::notation::{PositionText, print_moves};
use ollehto_protocol::setting::Setting;

use crate::board::{Bitboard, Color, Move, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::os;
use crate::rules::Rules;

use super::searches::{self, SearchKind, Ticket};
use super::{Answer, Gtp, Step, text};

const ILLEGAL_MOVE: &str = "illegal move";
const CANNOT_UNDO: &str = "cannot undo";
/// Whatever the rules: GoGui takes another name for another game.
const GAME: &str = "Othello";

impl<W: Write> Gtp<W> {
    /// Carries out a command or begins its search. Every command is named here, so that a forgotten one does not compile.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn execute(&mut self, command: Command, ticket: Ticket) -> io::Result<Step> {
        let (game, position) = (&self.session.game, self.session.game.position());
        let answer = match command {
            Command::Quit => return Ok(Step::Quit),
            Command::GenMove(side) => return self.generate(ticket, &searches::GENMOVE, side),
            Command::RegGenMove(side) => return self.generate(ticket, &searches::REG_GENMOVE, side),
            Command::Hints(side) => return self.search(ticket, &searches::HINTS, side),
            Command::Analyze(side) => return self.search(ticket, &searches::ANALYSIS, side),
            Command::PrincipalVariation(side) => return self.search(ticket, &searches::VARIATION, side),
            Command::MoveValues(side) => return self.search(ticket, &searches::VALUES, side),
            Command::Evaluation => return self.search(ticket, &searches::EVALUATION, None),

            // Commands with an effect.
            Command::Play { side, vertex } => self.play(&[(side, vertex)]),
            Command::GoguiPlaySequence(moves) => self.play(&moves),
            Command::PlayMoves(moves) => self.play_moves(&moves),
            Command::Undo => self.undo(1),
            Command::GgUndo(count) => self.undo(count),
            Command::BoardSize(side) => self.resize(side),
            Command::ClearBoard => {
                self.new_game(Position::start(self.size()));
                done()
            }
            Command::SetBoard(text) => self.set_board(&text),
            Command::LoadGame(record) => self.load(&record),
            Command::GoguiSetup(discs) => self.set_up(&discs),
            Command::GoguiSetupPlayer(side) => {
                let position = position.with_side(notation::color(side));
                self.new_game(position);
                done()
            }
            Command::TimeSettings { main, byo_yomi, stones } => {
                self.clocks.set(main, byo_yomi, stones);
                self.session.prepare_table();
                done()
            }
            Command::TimeLeft { side, time, stones } => {
                self.clocks.tell(notation::color(side), time, stones);
                done()
            }
            Command::Set(Setting::Size(side)) => self.resize(side.into()),
            Command::Set(setting) => {
                self.session.apply(setting).map(|()| String::new()).map_err(|error| error.to_string())
            }
            Command::Stop => {
                self.session.stop_pondering();
                done()
            }
            Command::ClearCache => {
                self.session.clear_cache();
                done()
            }
            Command::GoguiVersion(_) => {
                self.graphics_wanted = true;
                done()
            }

            // Questions.
            Command::ProtocolVersion => Ok("2".into()),
            Command::Name => Ok(self.session.name().into()),
            Command::Version => Ok(env!("CARGO_PKG_VERSION").into()),
            Command::KnownCommand(name) => Ok(CommandSpec::find(&name).is_some().to_string()),
            Command::ListCommands => Ok(COMMANDS.iter().map(|spec| spec.name).collect::<Vec<_>>().join("\n")),
            Command::Help(topic) => help(topic.as_deref()),
            Command::ListGames | Command::RulesGameId => Ok(GAME.into()),
            Command::SetGame(name) if name == GAME => done(),
            Command::SetGame(_) => Err(format!("unknown game: only {GAME} is played")),
            Command::ShowBoard => Ok(text::board(game)),
            Command::ShowPosition => Ok(notation::position_text(position).to_string()),
            Command::ShowMoves => {
                let moves =
                    game.moves().into_iter().map(|(_, action)| notation::vertex(action, position.size()));
                Ok(print_moves(&moves.collect::<Vec<_>>()))
            }
            Command::ShowGame => Ok(notation::record(game).to_string()),
            Command::FinalScore => Ok(text::final_score(game)),
            Command::CpuTime => cpu_time(),
            Command::Show(name) => Ok(self.session.value(name)),
            Command::Parameters => Ok(text::parameters(&self.session)),
            Command::GoguiAnalyzeCommands => Ok(text::ANALYZE_COMMANDS.into()),
            Command::GoguiTitle => Ok(format!("{} ({} rules)", self.session.name(), game.rules())),
            Command::GoguiSigint => Ok(std::process::id().to_string()),
            Command::RulesBoardGfx => Ok(text::board_graphics(game, self.last_move.as_ref())),
            Command::RulesBoardSize => Ok(position.size().side().to_string()),
            Command::RulesBoard => Ok(text::rules_board(position)),
            Command::RulesLegalMoves => Ok(text::legal_moves(position)),
            Command::RulesSideToMove => Ok(notation::side(position.side()).to_string()),
            Command::RulesCapturedCount => {
                // GoGui draws a white stone beside the first number: it takes it for Black's captures.
                Ok(format!("{} {}", position.discs(Color::White).len(), position.discs(Color::Black).len()))
            }
            Command::RulesFinalResult => Ok(text::final_result(game)),

            // Komi has no meaning here; `gogui-interrupt` only has to exist.
            Command::Komi | Command::GoguiInterrupt => done(),
        };
        Ok(Step::Answer(answer))
    }

    fn size(&self) -> Size {
        self.session.game.position().size()
    }

    /// A move for a side: a search, or a pass.
    fn generate(&mut self, ticket: Ticket, kind: &'static SearchKind, side: Side) -> io::Result<Step> {
        let color = notation::color(side);
        let position = match self.session.game.turn_of(color) {
            Ok(position) => position,
            Err(reason) => return Ok(Step::Answer(Err(format!("{ILLEGAL_MOVE}: {reason}")))),
        };
        if position.moves().is_empty() {
            if kind.plays() {
                let passed = self.session.game.play(color, Move::Pass);
                debug_assert!(passed.is_ok(), "a side without moves may pass");
                self.session.review_pondering();
            }
            return Ok(Step::Answer(Ok(text::name(Move::Pass, position.size()))));
        }
        self.begin(ticket, kind, position)?;
        Ok(Step::Searching)
    }

    /// A search for a side, or for the one to move.
    fn search(&mut self, ticket: Ticket, kind: &'static SearchKind, side: Option<Side>) -> io::Result<Step> {
        let game = &self.session.game;
        match game.turn_of(side.map_or(game.position().side(), notation::color)) {
            Ok(position) => {
                self.begin(ticket, kind, position)?;
                Ok(Step::Searching)
            }
            Err(reason) => Ok(Step::Answer(Err(reason.to_string()))),
        }
    }

    /// All of the moves or none.
    fn play(&mut self, moves: &[(Side, Vertex)]) -> Answer {
        let size = self.size();
        let mut game = self.session.game.clone();
        for &(side, vertex) in moves {
            let action = notation::action(vertex, size).ok_or(ILLEGAL_MOVE)?;
            game.play(notation::color(side), action).map_err(|_| ILLEGAL_MOVE)?;
        }
        self.session.game = game;
        self.session.review_pondering();
        done()
    }

    /// Forced passes may be left out.
    fn play_moves(&mut self, moves: &[Vertex]) -> Answer {
        let size = self.size();
        let mut game = self.session.game.clone();
        for (number, &vertex) in (1..).zip(moves) {
            let played = notation::action(vertex, size).map(|action| game.follow(action));
            if !matches!(played, Some(Ok(()))) {
                return Err(format!(
                    "{ILLEGAL_MOVE}: {vertex}, number {number} of the list; nothing was played"
                ));
            }
        }
        self.session.game = game;
        self.session.review_pondering();
        done()
    }

    fn undo(&mut self, count: u32) -> Answer {
        if !self.session.game.undo(count as usize) {
            return Err(CANNOT_UNDO.into());
        }
        self.session.review_pondering();
        done()
    }

    fn resize(&mut self, side: u32) -> Answer {
        let size = Size::from_side(side).ok_or("unacceptable size")?;
        self.session.restart(size);
        self.clocks.restart();
        done()
    }

    fn set_board(&mut self, text: &PositionText) -> Answer {
        self.new_game(notation::position(text).map_err(|error| error.to_string())?);
        done()
    }

    /// By the record's own rules.
    fn load(&mut self, record: &ggf::GgfGame) -> Answer {
        let rules = if record.kind.anti { Rules::Reversed } else { Rules::Standard };
        let game = notation::game(record, rules).map_err(|illegal| format!("bad record: {illegal}"))?;
        self.session.set_rules(rules);
        self.start(game);
        done()
    }

    /// Replaces the start position.
    fn set_up(&mut self, discs: &[(Side, Coord)]) -> Answer {
        let size = self.size();
        let mut of = [Bitboard::EMPTY; 2];
        for &(side, coord) in discs {
            let square =
                notation::square(coord, size).ok_or_else(|| format!("{coord} is not on the board"))?;
            if (of[0] | of[1]).contains(square) {
                return Err(format!("{coord} is given twice"));
            }
            of[usize::from(side == Side::White)] |= square.into();
        }
        let position = Position::new(of[0], of[1], Color::Black, size).ok_or("impossible position")?;
        if discs.is_empty() {
            return Err(notation::NoDiscs.to_string());
        }
        self.new_game(position);
        done()
    }

    fn new_game(&mut self, position: Position) {
        self.start(Game::from_position(self.session.game.rules(), position));
    }

    fn start(&mut self, game: Game) {
        self.session.game = game;
        self.session.review_pondering();
        self.clocks.restart();
    }
}

fn done() -> Answer {
    Ok(String::new())
}

fn help(topic: Option<&str>) -> Answer {
    let line = |spec: &CommandSpec| format!("{:<38} {}", spec.usage(), spec.summary);
    match topic {
        None => Ok(COMMANDS.iter().map(line).collect::<Vec<_>>().join("\n")),
        Some(name) => CommandSpec::find(name)
            .map(line)
            .ok_or_else(|| format!("no command is called {name}; help alone lists all")),
    }
}

/// In seconds.
fn cpu_time() -> Answer {
    let time = os::process_time().ok_or("the CPU time is not known on this system")?;
    Ok(format!("{}.{:03}", time.as_secs(), time.subsec_millis()))
}
