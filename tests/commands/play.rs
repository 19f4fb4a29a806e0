//! `ollehto play`: whole games, line by line and in a pseudo terminal.

use std::fs;
use std::process::Command;

use crate::support::mailbox::{Mailbox, Move, Rules, Side};
use crate::support::process::{OLLEHTO, Process};
use crate::support::tournament::Folder;
use crate::support::transcript::{self, Peer};
use rustix::process::{Pid, Signal, kill_process};

/// A game whose files are in a folder of its own.
struct Game(Process);

impl Game {
    fn start(home: &Folder, arguments: &str) -> Self {
        let inside = home.text("");
        let words: Vec<String> =
            arguments.split_ascii_whitespace().map(|word| word.replace("IN/", &inside)).collect();
        let words: Vec<&str> = std::iter::once("play").chain(words.iter().map(String::as_str)).collect();
        Self(Process::ollehto_with(&words, &[("XDG_STATE_HOME", &home.text("state"))]))
    }

    /// Reads lines up to one that begins like this, and returns that one.
    #[track_caller]
    fn until(&mut self, beginning: &str) -> String {
        loop {
            match self.0.receive() {
                Some(line) if line.starts_with(beginning) => return line,
                Some(_) => {}
                None => self.0.fail(&format!("the output ends before {beginning:?}")),
            }
        }
    }

    /// The rest of the output, and the exit code.
    fn finish(mut self) -> (Vec<String>, Option<i32>) {
        self.0.close_input();
        let lines = std::iter::from_fn(|| self.0.receive()).collect();
        (lines, self.0.wait().code())
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.0.pid()).expect("a running process");
        kill_process(pid, signal).expect("it can be signalled");
    }
}

/// Plays all of a script and returns what was printed.
#[track_caller]
fn play(home: &Folder, arguments: &str, script: &[&str]) -> Vec<String> {
    let mut game = Game::start(home, arguments);
    script.iter().for_each(|line| game.0.send(line));
    let (lines, code) = game.finish();
    assert_eq!(code, Some(0), "{lines:#?}");
    lines
}

#[track_caller]
fn assert_line(lines: &[String], wanted: &str) {
    assert!(lines.iter().any(|line| line == wanted), "no line {wanted:?} in {lines:#?}");
}

/// The moves of a kept or saved game.
fn moves_of(record: &str) -> Vec<&str> {
    let start = record.find("]B[").map_or(record.len(), |at| at + 1);
    record[start..].split(']').filter_map(|field| field.get(..4)).collect()
}

fn kept(home: &Folder) -> Vec<String> {
    let Ok(entries) = fs::read_dir(home.file("state/ollehto/games")) else { return Vec::new() };
    entries.flatten().map(|entry| fs::read_to_string(entry.path()).expect("a record")).collect()
}

impl Peer for Game {
    fn send(&mut self, line: &str) {
        self.0.send(line);
    }

    fn close(&mut self) {
        self.0.close_input();
    }

    fn receive(&mut self) -> Option<String> {
        self.0.receive()
    }
}

#[test]
fn the_page_shows_a_real_game() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/play.md");
    let text = fs::read_to_string(path).expect("the page");
    let dialogues = transcript::parse_markdown("docs/play.md", &text).expect("dialogues");
    assert!(!dialogues.is_empty());
    for dialogue in dialogues {
        let home = Folder::new("play-page");
        let arguments = dialogue.arguments.strip_prefix(&["play".to_owned()]).expect("a game");
        let mut game = Game::start(&home, &arguments.join(" "));
        transcript::run(&dialogue, &mut game).unwrap_or_else(|problem| panic!("{problem}"));
    }
}

/// Reads a diagram, of which the line with the letters is read already: discs and legal moves.
fn diagram(game: &mut Game, size: usize) -> (String, Vec<usize>) {
    let (mut cells, mut legal) = (String::new(), Vec::new());
    for row in 0..size {
        let line = game.0.receive().expect("a row");
        for column in 0..size {
            let cell = line.get(2 + 3 * column..5 + 3 * column).expect("a cell");
            let symbol = cell.chars().nth(1).expect("three characters");
            if symbol == '+' {
                legal.push(row * size + column);
            }
            cells.push(if matches!(symbol, 'X' | 'O') { symbol } else { '-' });
        }
    }
    (cells, legal)
}

/// Plays the last legal move that the diagram shows, and follows the game by rules of its own.
fn play_by_the_rules(size: usize, rules: Rules) {
    let home = Folder::new("play-oracle");
    let mut game = Game::start(
        &home,
        &format!("--size {size} --rules {} --level 1 --seed 5 --color white", rules.word()),
    );
    let mut board = Mailbox::start(size);
    let result = loop {
        let Some(line) = game.0.receive() else { game.0.fail("the output ends within the game") };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "plays", square] => board.play(board.read(square).expect("a square")).expect("a legal move"),
            [_, "has", "no", "move", "and", "passes"] => board.play(Move::Pass).expect("a forced pass"),
            ["a", "b", ..] if game_row(&words, size) => {
                let (cells, legal) = diagram(&mut game, size);
                assert_eq!(cells, board.cells_text('X'));
                game.0.receive();
                let counts = game.0.receive().expect("the counts");
                let discs = [Side::Black, Side::White].map(|side| board.count(side));
                assert!(
                    counts.starts_with(&format!("Black (X) {}, White (O) {}", discs[0], discs[1])),
                    "{counts}"
                );
                if board.is_over() {
                    break counts;
                }
                assert_eq!(board.to_move(), Side::White);
                assert_eq!(legal, board.placements(Side::White));
                let chosen = *legal.last().expect("no pass is left to the player");
                let name = board.name(Move::Place(chosen));
                game.0.send(&name.to_lowercase());
            }
            _ => {}
        }
    };
    let score = board.final_score(Side::Black, rules);
    let expected = match score {
        0 => "A draw".to_owned(),
        1.. => format!("Black wins by {score}:"),
        _ => format!("White wins by {}:", -score),
    };
    assert!(result.contains(&expected), "{result}: {expected}");
    game.0.send("quit");
    let (_, code) = game.finish();
    assert_eq!(code, Some(0));
    let records = kept(&home);
    assert_eq!(records.len(), 1);
    assert!(records[0].contains(&format!("RE[{score:+}]")), "{}", records[0]);
}

fn game_row(words: &[&str], size: usize) -> bool {
    words.len() == size
}

#[test]
fn whole_games_follow_the_rules() {
    for rules in [Rules::Reversed, Rules::Standard] {
        for size in [4, 6, 8] {
            play_by_the_rules(size, rules);
        }
    }
}

#[test]
fn a_killed_game_goes_on() {
    let home = Folder::new("play-kill");
    let mut game = Game::start(&home, "--level 1 --seed 3");
    game.0.send("f5");
    game.until("White plays");
    game.until("Black to move");
    game.signal(Signal::KILL);
    drop(game.finish());
    let records = kept(&home);
    let moves = moves_of(&records[0]);
    assert_eq!(moves.len(), 2, "{records:?}");
    let mut game = Game::start(&home, "--continue");
    game.until("Black (X): You. White (O): Ollehto, level 1.");
    game.until("Black to move");
    game.0.send("undo");
    game.until("2 moves taken back");
    game.0.send("redo");
    game.until("2 moves replayed");
    let (lines, code) = game.finish();
    assert_eq!(code, Some(0));
    assert_line(&lines, "The game is kept. Go on with: ollehto play --continue");
    assert_eq!(moves_of(&kept(&home)[0]), moves);
}

#[test]
fn signals_end_the_program_and_keep_the_game() {
    for signal in [Signal::INT, Signal::TERM] {
        let home = Folder::new("play-signal");
        // The book knows no answer to this, and the engine would think for ever.
        let mut game = Game::start(&home, "--color both --level 60 --time 100000");
        for square in ["f5", "f4", "f3", "f6", "go"] {
            game.0.send(square);
        }
        game.until("White plays f6");
        game.signal(signal);
        assert_eq!(game.0.wait().code(), Some(130));
        assert_eq!(moves_of(&kept(&home)[0]).len(), 4);
    }
}

#[test]
fn games_are_saved_and_loaded_and_nothing_is_replaced_unasked() {
    let home = Folder::new("play-save");
    home.write("precious", "mine\n");
    let file = home.text("game.ggf");
    let precious = home.text("precious");
    let script = ["b1", &format!("save {precious}"), &format!("save {file}"), "undo", "save", "quit"]
        .map(str::to_owned);
    let script: Vec<&str> = script.iter().map(String::as_str).collect();
    let lines = play(&home, "--size 4 --color both", &script);
    assert_line(&lines, &format!("{precious} exists already: name another file, or replace it with --force"));
    assert_line(&lines, &format!("Saved to {file}"));
    assert_eq!(fs::read_to_string(home.file("precious")).expect("a file"), "mine\n");
    assert!(moves_of(&fs::read_to_string(home.file("game.ggf")).expect("a record")).is_empty());
    let save = format!("save --force {precious}");
    play(&home, "IN/game.ggf", &["b1", "a1", &save]);
    let lines = play(&home, "--rules standard --level 1", &[&format!("load {precious}")]);
    assert_line(&lines, "Ollehto on 4x4, reversed rules: the fewest discs win.");
    assert_line(&lines, "1 [O] X  .  .  1");
}

#[test]
fn bad_files_are_named_with_their_fault() {
    let home = Folder::new("play-bad");
    home.write("empty", "");
    home.write("torn", "(;GM[Othello]BO[8 ---");
    let board = "BO[4 -----O*--*O----- *]";
    home.write("illegal", &format!("(;GM[Othello]TY[4a]{board}B[A1];)"));
    for (file, part) in [
        ("empty", "holds no game"),
        ("torn", "line 1, column 22: the record is torn"),
        ("illegal", "move 1, Black a1, is illegal"),
        ("missing", "cannot read"),
    ] {
        let mut game = Game::start(&home, &format!("IN/{file}"));
        let status = game.0.wait();
        let errors = game.0.stderr();
        assert_eq!(status.code(), Some(1), "{file}");
        assert!(errors.contains(part) && errors.contains(file), "{file}: {errors}");
        let lines = play(&home, "--size 4", &[&format!("load {}", home.text(file)), "board"]);
        assert!(lines.iter().any(|line| line.contains(part)), "{file}: {lines:#?}");
        assert_line(&lines, "Black to move.");
    }
    let mut game = Game::start(&home, "--continue");
    assert_eq!(game.0.wait().code(), Some(1));
    assert!(game.0.stderr().contains("there is no unfinished game: start one with `ollehto play`"));
}

#[test]
fn a_game_is_loaded_up_to_its_fault() {
    let home = Folder::new("play-fault");
    let board = "BO[4 -----O*--*O----- *]";
    home.write("list", "b1 a1 h8\n");
    home.write("torn", &format!("(;GM[Othello]RE[-16:r]TY[4a]{board}B[B1]W[A1]B["));
    home.write("several", &format!("(;TY[4a]{board}B[D3];)\n(;TY[4a]{board}B[B1]W[A1]B[Z1];)\n"));
    home.write("link", "https://a.b/ollehto.html#1r4=b1a1zz\n");
    for (file, place) in [
        ("list", "line 1, column 7: move 3, Black h8, is illegal"),
        ("torn", "line 1, column "),
        ("several", "line 2, column "),
        ("link", "line 1, column 34: expected a square"),
    ] {
        let told = format!("Read up to a fault: {place}");
        let named = play(&home, &format!("--color both IN/{file}"), &["board"]);
        let loaded = play(&home, "--size 4 --color both", &[&format!("load {}", home.text(file))]);
        for lines in [named, loaded] {
            assert!(lines.iter().any(|line| line.starts_with(&told)), "{file}: {lines:#?}");
            assert_line(&lines, "1 [O] X  .  .  1");
            assert_line(&lines, "Ollehto on 4x4, reversed rules: the fewest discs win.");
        }
    }
}

#[test]
fn files_without_an_end_are_refused() {
    let home = Folder::new("play-endless");
    home.write("large", &"#\n".repeat(3 << 20));
    let large = home.text("large");
    let script = ["load /dev/zero".to_owned(), format!("load {large}"), format!("load {}", home.text(""))];
    let lines = play(&home, "--size 4", &script.each_ref().map(String::as_str));
    assert_line(&lines, "/dev/zero is no file of games");
    assert_line(
        &lines,
        &format!("{large} has more than 4 MiB: copy the game that you want to a file of its own"),
    );
}

#[test]
fn other_rules_than_those_of_a_game_are_refused() {
    let home = Folder::new("play-rules");
    home.write("anti", "(;TY[4a]BO[4 -----O*--*O----- *]B[B1];)");
    home.write("silent", "(;TY[4]BO[4 -----O*--*O----- *]B[B1];)");
    let mut game = Game::start(&home, "IN/anti --rules standard");
    assert_eq!(game.0.wait().code(), Some(1));
    let errors = game.0.stderr();
    assert!(errors.contains("anti is a game by reversed rules: leave out --rules standard"), "{errors}");
    let lines = play(&home, "IN/silent --rules reversed --color both", &[]);
    assert_line(&lines, "Ollehto on 4x4, reversed rules: the fewest discs win.");
    play(&home, "--size 4 --rules standard --color both", &["b1"]);
    let mut game = Game::start(&home, "--continue --rules reversed");
    assert_eq!(game.0.wait().code(), Some(1));
    let errors = game.0.stderr();
    assert!(errors.contains("is a game by standard rules: leave out --rules reversed"), "{errors}");
    let lines = play(&home, "--continue --rules standard", &[]);
    assert_line(&lines, "Ollehto on 4x4, standard rules: the most discs win.");
}

#[test]
fn the_games_of_a_session_are_saved_in_one_file() {
    let home = Folder::new("play-session");
    play(&home, "--size 4 --color both --save IN/games.ggf", &["b1", "new", "c4", "d4"]);
    let text = fs::read_to_string(home.file("games.ggf")).expect("the games");
    let games: Vec<usize> = text.lines().map(|line| moves_of(line).len()).collect();
    assert_eq!(games, [1, 2]);
    assert!(kept(&home).is_empty());
    let mut game = Game::start(&home, "--size 4 --save IN/games.ggf");
    assert_eq!(game.0.wait().code(), Some(1));
    assert!(game.0.stderr().contains("exists already"));
}

#[test]
fn an_empty_clock_loses_the_game() {
    let home = Folder::new("play-clock");
    let mut game = Game::start(&home, "--clock 0.0001 --color both");
    let over = game.until("Black (X) 2, White (O) 2. Black has no time left");
    assert_eq!(over, "Black (X) 2, White (O) 2. Black has no time left: White wins.");
    game.0.send("d3");
    game.until("The game is over: start a new one, take back, or review it");
}

#[test]
fn the_review_names_the_worst_moves() {
    let home = Folder::new("play-review");
    // Solved from the start, so that the figures are those of perfect play.
    let mut game = Game::start(&home, "--size 4 --color both");
    for square in ["b1", "a1", "d3", "c1", "review"] {
        game.0.send(square);
    }
    let (lines, _) = game.finish();
    assert_line(&lines, "Value for Black after each move, in discs:");
    assert_line(&lines, "The worst moves:");
    assert!(lines.iter().any(|line| line.starts_with("Black: accuracy ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.ends_with(", proven")), "{lines:#?}");
}

#[test]
fn a_seed_repeats_a_game() {
    let game = |seed: u32| {
        let home = Folder::new("play-seed");
        let lines = play(&home, &format!("--color white --level 1 --seed {seed}"), &["go", "go", "go"]);
        lines.into_iter().filter(|line| line.contains(" plays ")).collect::<Vec<_>>()
    };
    assert_eq!(game(1), game(1));
    assert_eq!(game(1).len(), 7);
}

#[test]
fn a_person_plays_in_a_terminal() {
    let home = Folder::new("play-terminal");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mocks/terminal.py");
    let output = Command::new("python3")
        .args([script, OLLEHTO, "play"])
        .env("XDG_STATE_HOME", home.file("state"))
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
        .output()
        .expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(moves_of(&kept(&home)[0]).len(), 2);
}
