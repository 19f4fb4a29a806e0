//! What each GTP command does.

use std::io::Write;

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

use super::{Answer, Gtp, Purpose, Step, Wanted, text};

const ILLEGAL_MOVE: &str = "illegal move";
const CANNOT_UNDO: &str = "cannot undo";
/// The one game we play, whatever wins it: GoGui takes another name for another game.
const GAME: &str = "Othello";

impl<W: Write> Gtp<W> {
    /// Carries out a command, or says what search it needs. Every command is named here, so that one which nobody
    /// carries out does not compile.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn execute(&mut self, command: Command) -> Step {
        let (game, position) = (&self.session.game, self.session.game.position());
        let answer = match command {
            Command::Quit => return Step::Quit,
            Command::GenMove(side) => return self.generate(notation::color(side), true),
            Command::RegGenMove(side) => return self.generate(notation::color(side), false),
            Command::Hints(side) => return self.search(Purpose::Hints, side),
            Command::Analyze(side) => return self.search(Purpose::Analysis, side),
            Command::PrincipalVariation(side) => return self.search(Purpose::Variation, side),
            Command::MoveValues(side) => return self.search(Purpose::Values, side),
            Command::Evaluation => return self.search(Purpose::Evaluation, None),

            // Commands that change something.
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
            Command::Set(setting) => self.session.apply(setting).map(|()| String::new()),
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

            // Commands that only ask.
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
                // GoGui draws a white stone beside the first number, since it takes it for what Black has captured.
                Ok(format!("{} {}", position.discs(Color::White).len(), position.discs(Color::Black).len()))
            }
            Command::RulesFinalResult => Ok(text::final_result(game)),

            // Komi means nothing here, and `gogui-interrupt` says by being there all that it has to say.
            Command::Komi | Command::GoguiInterrupt => done(),
        };
        Step::Answer(answer)
    }

    fn size(&self) -> Size {
        self.session.game.position().size()
    }

    /// A move for a colour: the search for it, or the only thing it can do.
    fn generate(&mut self, color: Color, play: bool) -> Step {
        let position = match self.session.game.turn_of(color) {
            Ok(position) => position,
            Err(reason) => return Step::Answer(Err(format!("{ILLEGAL_MOVE}: {reason}"))),
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

    /// A search for a side, or for the one to move.
    fn search(&self, purpose: Purpose, side: Option<Side>) -> Step {
        let game = &self.session.game;
        let color = side.map_or(game.position().side(), notation::color);
        match game.turn_of(color) {
            Ok(position) => Step::Search(Wanted { purpose, position }),
            Err(reason) => Step::Answer(Err(reason.to_string())),
        }
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

    fn set_board(&mut self, text: &PositionText) -> Answer {
        self.new_game(notation::position(text).map_err(|error| error.to_string())?);
        done()
    }

    /// A whole game, under its own rules.
    fn load(&mut self, record: &ggf::GgfGame) -> Answer {
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

/// CPU time used so far, in seconds.
fn cpu_time() -> Answer {
    let time = os::process_time().ok_or("the CPU time is not known on this system")?;
    Ok(format!("{}.{:03}", time.as_secs(), time.subsec_millis()))
}
