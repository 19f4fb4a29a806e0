//! What each GTP command does.

use std::io::Write;

use ollehto_protocol::coord::{Coord, Side, Vertex};
use ollehto_protocol::ggf;
use ollehto_protocol::gtp::{COMMANDS, Command, CommandSpec};
use ollehto_protocol::notation::print_moves;
use ollehto_protocol::setting::Setting;

use crate::board::{Bitboard, Color, Move, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

use super::{Answer, Gtp, Purpose, Step, Wanted, text};

const ILLEGAL_MOVE: &str = "illegal move";
const CANNOT_UNDO: &str = "cannot undo";
/// The one game we play, whatever wins it: GoGui takes another name for another game.
const GAME: &str = "Othello";

impl<W: Write> Gtp<W> {
    /// Carries out a command, or says what search it needs.
    pub(super) fn execute(&mut self, command: Command) -> Step {
        let wanted = match command {
            Command::Quit => return Step::Quit,
            Command::GenMove(side) => return self.generate(notation::color(side), true),
            Command::RegGenMove(side) => return self.generate(notation::color(side), false),
            Command::Hints(side) => self.wanted(Purpose::Hints, side),
            Command::Analyze(side) => self.wanted(Purpose::Analysis, side),
            Command::PrincipalVariation(side) => self.wanted(Purpose::Variation, side),
            Command::MoveValues(side) => self.wanted(Purpose::Values, side),
            Command::Evaluation => self.wanted(Purpose::Evaluation, None),
            other => return Step::Answer(self.answer_to(other)),
        };
        match wanted {
            Ok(wanted) => Step::Search(wanted),
            Err(reason) => Step::Answer(Err(reason)),
        }
    }

    fn answer_to(&mut self, command: Command) -> Answer {
        match command {
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
            Command::SetBoard(text) => {
                self.new_game(notation::position(&text).map_err(|error| error.to_string())?);
                done()
            }
            Command::LoadGame(record) => self.load(&record),
            Command::GoguiSetup(discs) => self.set_up(&discs),
            Command::GoguiSetupPlayer(side) => {
                let position = self.session.game.position().with_side(notation::color(side));
                self.new_game(position);
                done()
            }
            Command::TimeSettings { main, byo_yomi, stones } => {
                self.clocks.set(main, byo_yomi, stones);
                self.session.expect_play();
                done()
            }
            Command::TimeLeft { side, time, stones } => {
                self.clocks.tell(notation::color(side), time, stones);
                done()
            }
            Command::Set(Setting::Size(side)) => self.resize(side.into()),
            Command::Set(setting) => self.session.apply(setting).map(|()| String::new()),
            Command::Show(name) => Ok(self.session.value(name)),
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
            other => self.tell(other),
        }
    }

    /// Commands that only ask.
    fn tell(&self, command: Command) -> Answer {
        let (game, position) = (&self.session.game, self.session.game.position());
        Ok(match command {
            Command::ProtocolVersion => "2".into(),
            Command::Name => self.session.name().into(),
            Command::Version => env!("CARGO_PKG_VERSION").into(),
            Command::KnownCommand(name) => CommandSpec::find(&name).is_some().to_string(),
            Command::ListCommands => COMMANDS.iter().map(|spec| spec.name).collect::<Vec<_>>().join("\n"),
            Command::Help(topic) => return help(topic.as_deref()),
            Command::ListGames => GAME.into(),
            Command::SetGame(name) if name == GAME => String::new(),
            Command::SetGame(_) => return Err(format!("unknown game: only {GAME} is played")),
            Command::ShowBoard => text::board(game),
            Command::ShowPosition => notation::position_text(position).to_string(),
            Command::ShowMoves => {
                let moves =
                    game.moves().into_iter().map(|(_, action)| notation::vertex(action, position.size()));
                print_moves(&moves.collect::<Vec<_>>())
            }
            Command::ShowGame => notation::record(game).to_string(),
            Command::FinalScore => text::final_score(game),
            Command::CpuTime => cpu_time()?,
            Command::Parameters => text::parameters(&self.session),
            Command::GoguiAnalyzeCommands => text::ANALYZE_COMMANDS.into(),
            Command::GoguiTitle => format!("{} ({} rules)", self.session.name(), game.rules()),
            Command::GoguiSigint => std::process::id().to_string(),
            Command::GoguiActionForward(_) | Command::GoguiActionBackward(_) | Command::RulesBoardGfx => {
                text::board_graphics(game)
            }
            Command::RulesGameId => GAME.into(),
            Command::RulesBoardSize => position.size().side().to_string(),
            Command::RulesBoard => text::rules_board(position),
            Command::RulesLegalMoves => text::legal_moves(position),
            Command::RulesSideToMove => notation::side(position.side()).to_string(),
            Command::RulesCapturedCount => {
                format!("{} {}", position.discs(Color::Black).len(), position.discs(Color::White).len())
            }
            Command::RulesFinalResult => text::final_result(game),
            // `gogui-rules_setup` and `gogui-interrupt` say by being there all that they have to say.
            _ => String::new(),
        })
    }

    fn size(&self) -> Size {
        self.session.game.position().size()
    }

    /// A move for a colour: the search for it, or the only thing it can do.
    fn generate(&mut self, color: Color, play: bool) -> Step {
        let Ok(position) = self.session.game.turn_of(color) else {
            return Step::Answer(Err(ILLEGAL_MOVE.into()));
        };
        if position.moves().is_empty() {
            if play {
                let passed = self.session.game.play(color, Move::Pass);
                debug_assert!(passed.is_ok(), "whoever cannot move may pass");
                self.session.review_pondering();
            }
            return Step::Answer(Ok(text::name(Move::Pass, position.size())));
        }
        let purpose = if play { Purpose::Move(color) } else { Purpose::Advice };
        Step::Search(Wanted { purpose, position })
    }

    fn wanted(&self, purpose: Purpose, side: Option<Side>) -> Result<Wanted, String> {
        let game = &self.session.game;
        let color = side.map_or(game.position().side(), notation::color);
        let position = game.turn_of(color).map_err(|error| error.to_string())?;
        Ok(Wanted { purpose, position })
    }

    /// Plays all of the moves or none.
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

    /// Plays a move list, in which forced passes need not be written.
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

    /// A whole game, under its own rules.
    fn load(&mut self, record: &ggf::Game) -> Answer {
        let rules = if record.kind.anti { Rules::Reversed } else { Rules::Standard };
        let game = notation::game(record, rules).map_err(|illegal| format!("bad record: {illegal}"))?;
        self.session.set_rules(rules);
        self.start(game);
        done()
    }

    /// Discs given by GoGui, in place of the start position.
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

/// Processor time used so far, in seconds.
#[cfg(unix)]
fn cpu_time() -> Answer {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Ok(format!("{}.{:03}", time.tv_sec, time.tv_nsec / 1_000_000))
}

#[cfg(not(unix))]
fn cpu_time() -> Answer {
    Err("the processor time is not known on this system".into())
}
