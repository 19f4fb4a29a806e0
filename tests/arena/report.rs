//! The report of a match, read back from its files and, where a browser is installed, looked at through it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ollehto::arena::journal::{
    Diagnostics, ForfeitReason, GameEnding, GameRecord, Journal, JournalHeader, MoveRecord, PlayerEntry,
    VERSION,
};
use ollehto::arena::report::{MatchReport, ReportError};
use ollehto::board::{Color, Position, Size};
use ollehto::game::Game;
use ollehto::notation;
use ollehto::rules::Rules;
use ollehto_protocol::notation::{parse_moves, parse_position};
use serde_json::Value;

const NASTY: &str = "</script><b title=\"x\">&amp; 'Bob', {{data}}";
const PLAIN: &str = "plain \\ player";
const COMMENT: &str = "<!--<script>";

/// A folder of its own for each test, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ollehto-report-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A match of three players with names that no page expects.
fn header(rules: Rules, size: Size) -> JournalHeader {
    let player =
        |name: &str| PlayerEntry { name: name.into(), spec: format!("cmd=\"{name}\""), weights: None };
    JournalHeader {
        version: VERSION,
        rules: rules.to_string(),
        size: size.side(),
        players: [NASTY, PLAIN, COMMENT].map(player).into(),
        format: "round-robin".into(),
        pairs: 4,
        openings: "random, <4 plies>".into(),
        seed: 7,
        adjudicate: None,
        sprt: None,
        margin: 0.05,
    }
}

fn made(text: &str, count: usize) -> MoveRecord {
    let seconds = if text == "pass" { 0.0 } else { 0.001 * count as f64 };
    let eval = (!count.is_multiple_of(3)).then_some(count as f64 / 4.0 - 7.0);
    MoveRecord { text: text.into(), seconds, eval, depth: eval.map(|_| 5) }
}

/// A game that a generator of numbers played to its end, which is also given.
fn random_game(rules: Rules, size: Size, number: u32) -> (GameRecord, Position) {
    let mut game = Game::new(rules, size);
    let mut state = u64::from(number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut texts = Vec::new();
    while !game.position().is_over() {
        let moves: Vec<_> = game.position().moves().into_iter().map(ollehto::board::Move::Place).collect();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chosen = match moves.len() {
            0 => ollehto::board::Move::Pass,
            count => moves[(state >> 33) as usize % count],
        };
        texts.push(notation::vertex(chosen, size).to_string().to_lowercase());
        game.follow(chosen).expect("a legal move");
    }
    let names = [NASTY, PLAIN, COMMENT];
    let (first, second) = (number as usize / 2 % 3, (number as usize / 2 + 1) % 3);
    let (black, white) = if number.is_multiple_of(2) { (first, second) } else { (second, first) };
    let (opening, moves) = texts.split_at(4);
    let record = GameRecord {
        number,
        black: names[black].into(),
        white: names[white].into(),
        start: notation::position_text(&Position::start(size)).to_string(),
        opening: opening.join(" "),
        moves: moves.iter().zip(1..).map(|(text, count)| made(text, count)).collect(),
        score: game.result(Color::Black).0,
        ending: GameEnding::Played,
    };
    (record, *game.position())
}

/// Black a1, White b1, White to move: White passes and is wiped out, which wins the reversed game.
fn wipe_out(rules: Rules, number: u32) -> (GameRecord, Position) {
    let start = "XO-------------- O";
    let position = parse_position(start.as_bytes()).expect("a position");
    let mut game = Game::from_position(rules, notation::position(&position).expect("it has discs"));
    for vertex in parse_moves(b"pass c1").expect("moves") {
        game.follow(notation::action(vertex, Size::Four).expect("on the board")).expect("legal");
    }
    let (record, _) = random_game(rules, Size::Four, number);
    let moves = vec![made("pass", 1), made("c1", 2)];
    let score = game.result(Color::Black).0;
    (GameRecord { start: start.into(), opening: String::new(), moves, score, ..record }, *game.position())
}

/// The same game broken off: Black is said to have answered with nonsense, which stands as its last move.
fn forfeit((record, _): (GameRecord, Position), rules: Rules, size: Size) -> (GameRecord, Position) {
    let kept = 6;
    let mut game = Game::new(rules, size);
    let texts = record.moves.iter().take(kept).map(|made| made.text.as_str());
    let text = std::iter::once(record.opening.as_str()).chain(texts).collect::<Vec<_>>().join(" ");
    for vertex in parse_moves(text.as_bytes()).expect("moves") {
        game.follow(notation::action(vertex, size).expect("on the board")).expect("legal");
    }
    let mut moves = record.moves[..kept].to_vec();
    moves.push(made("<img src=x>", 9));
    let ending = GameEnding::Forfeit {
        by: "black".into(),
        reason: ForfeitReason::IllegalMove,
        diagnostics: Diagnostics::default(),
        detail: "said \"<img src=x>\",\nthen nothing".into(),
    };
    (GameRecord { moves, score: -(size.area() as i8), ending, ..record }, *game.position())
}

/// A journal, and the position that each of its games ends with.
fn write_journal(path: &Path, rules: Rules, size: Size) -> BTreeMap<u32, (GameRecord, Position)> {
    let mut journal = Journal::create(path, &header(rules, size)).expect("a new journal");
    let mut games = BTreeMap::new();
    for number in 0..24 {
        let game = match number {
            5 => forfeit(random_game(rules, size, number), rules, size),
            8 if size == Size::Four => wipe_out(rules, number),
            _ => random_game(rules, size, number),
        };
        journal.append(&game.0).expect("written");
        games.insert(number, game);
    }
    games
}

/// The data that the page gives to its script.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("the data");
    let (json, _) = rest.split_once("</script>").expect("the end of the data");
    serde_json::from_str(json).expect("JSON")
}

/// Checks that every element is closed in its turn, and nothing but known elements is there.
fn assert_well_formed(page: &str) {
    const VOID: [&str; 3] = ["meta", "input", "br"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.trim_start_matches("<!DOCTYPE html>");
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..];
        let end = tag.find('>').expect("a tag ends");
        let (inside, after) = (&tag[..end], &tag[end + 1..]);
        let name = inside.trim_start_matches('/').split([' ', '/', '\n']).next().expect("a name");
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric()) && !name.is_empty(), "<{inside}>");
        assert_eq!(inside.matches('"').count() % 2, 0, "<{inside}>");
        rest = after;
        if inside.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "<{inside}>");
        } else if !inside.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
            // Raw text until its own end tag.
            if name == "script" || name == "style" {
                rest = &rest[rest.find(&format!("</{name}")).expect("an end")..];
            }
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

/// Reads RFC 4180.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (quoted, c) {
            (true, '"') if rest.next_if_eq(&'"').is_some() => field.push('"'),
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(std::mem::take(&mut field)),
            (false, '\r') => {
                assert_eq!(rest.next(), Some('\n'), "lines end with CR LF");
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            _ => field.push(c),
        }
    }
    assert!(!quoted && row.is_empty() && field.is_empty(), "the last line is whole");
    rows
}

#[test]
fn the_page_holds_every_game_and_only_what_it_should() {
    let folder = Folder::new("page");
    for rules in Rules::ALL {
        for size in Size::ALL {
            let journal = folder.file(&format!("{rules}-{size:?}.jsonl"));
            let games = write_journal(&journal, rules, size);
            let page = MatchReport::load(&journal).expect("a report").page();
            assert_well_formed(&page);
            assert!(!page.contains("http"), "the page needs nothing from elsewhere");
            assert!(!page.contains("<b title") && !page.contains("<img") && !page.contains("<!--"));
            assert!(
                page.contains(
                    "&lt;/script&gt;&lt;b title=&quot;x&quot;&gt;&amp;amp; &#39;Bob&#39;, {{data}}"
                )
            );
            let data = data_of(&page);
            assert_eq!(data["players"], serde_json::json!([NASTY, PLAIN, COMMENT]));
            let shown = data["games"].as_array().expect("a list of games");
            assert_eq!(shown.len(), games.len());
            for (game, (record, last)) in shown.iter().zip(games.values()) {
                assert_eq!(game["number"], record.number);
                assert_eq!(game["score"], record.score);
                let discs = [Color::Black, Color::White].map(|color| last.discs(color).len());
                assert_eq!(game["discs"], serde_json::json!(discs), "game {}", record.number);
            }
            assert_eq!(shown[5]["refused"], "<img src=x>");
        }
    }
}

#[test]
fn the_table_holds_every_game() {
    let folder = Folder::new("table");
    let journal = folder.file("match.jsonl");
    let games = write_journal(&journal, Rules::Reversed, Size::Six);
    let rows = parse_csv(&MatchReport::load(&journal).expect("a report").csv());
    assert_eq!(rows.len(), games.len() + 1);
    assert!(rows.iter().all(|row| row.len() == 12), "{rows:?}");
    assert_eq!(rows[0][..3], ["number", "pair", "black"]);
    for (row, (record, _)) in rows[1..].iter().zip(games.values()) {
        let moves = record.moves.iter().map(|made| made.text.as_str()).collect::<Vec<_>>().join(" ");
        let (number, pair) = (record.number.to_string(), (record.number / 2).to_string());
        let expected =
            [&number, &pair, &record.black, &record.white, &record.opening, &moves].map(String::as_str);
        assert_eq!(row[..6], expected);
        assert_eq!(row[6], record.score.to_string());
        let seconds: f64 = row[9..11].iter().map(|field| field.parse::<f64>().expect("a number")).sum();
        let all: f64 = record.moves.iter().map(|made| made.seconds).sum();
        assert!((seconds - all).abs() < 1e-3, "{seconds} {all}");
    }
    assert_eq!(rows[6][7..9], ["forfeit", "black: illegal move: said \"<img src=x>\",\nthen nothing"]);
}

#[test]
fn a_match_of_two_with_a_test_and_one_without_games() {
    let folder = Folder::new("two");
    let mut two = header(Rules::Reversed, Size::Four);
    two.players.truncate(2);
    two.sprt = Some([0.0, 20.0]);
    for games in [0, 1, 8] {
        let journal = folder.file(&format!("{games}.jsonl"));
        let mut written = Journal::create(&journal, &two).expect("a new journal");
        for number in 0..games {
            let (mut record, _) = random_game(Rules::Reversed, Size::Four, number);
            let names = if number.is_multiple_of(2) { [NASTY, PLAIN] } else { [PLAIN, NASTY] };
            [record.black, record.white] = names.map(String::from);
            written.append(&record).expect("written");
        }
        let page = MatchReport::load(&journal).expect("a report").page();
        assert_well_formed(&page);
        assert_eq!(page.contains("No game is finished yet"), games == 0);
        assert_eq!(page.contains("pentanomial"), games > 0);
        assert_eq!(page.contains("Sequential test</dt><dd>undecided"), games > 0);
        assert!(!page.contains("NaN") && !page.contains(">inf"), "all numbers are numbers");
    }
}

#[test]
fn errors_name_the_file_and_what_to_do() {
    let folder = Folder::new("errors");
    let journal = folder.file("match.jsonl");
    let problem = |result: Result<MatchReport, ReportError>| match result {
        Ok(_) => panic!("no report is possible"),
        Err(error) => error.to_string(),
    };
    assert!(problem(MatchReport::load(&journal)).contains("match.jsonl"));
    write_journal(&journal, Rules::Reversed, Size::Four);
    let text = fs::read_to_string(&journal).expect("the journal");
    let other = folder.file("other.jsonl");
    let illegal = |line: &str| {
        let (fields, _) = line.rsplit_once(",\"crc32\"").expect("a checksum");
        let fields = fields.replace("\"opening\":\"", "\"opening\":\"a1 ");
        format!("{fields},\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(format!("{fields}}}").as_bytes()))
    };
    fs::write(&other, text.lines().map(illegal).collect::<String>()).expect("written");
    assert!(problem(MatchReport::load(&other)).contains("game 0: its opening"));
    // What its checksum does not confirm is damage.
    fs::write(&other, text.replace("\"opening\":\"", "\"opening\":\"a1 ")).expect("written");
    assert!(problem(MatchReport::load(&other)).contains("line 2: the checksum is wrong"));
}

/// The page after its script has run; none if there is no browser.
fn dump(page: &Path, folder: &Folder, address: &str) -> Option<String> {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.file("browser").display()))
        .arg(format!("file://{}#{address}", page.display()))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_browser_replays_every_game() {
    let folder = Folder::new("browser");
    for (rules, size) in
        [(Rules::Reversed, Size::Four), (Rules::Standard, Size::Six), (Rules::Reversed, Size::Eight)]
    {
        let journal = folder.file(&format!("{rules}-{size:?}.jsonl"));
        let html = journal.with_extension("html");
        let games = write_journal(&journal, rules, size);
        fs::write(&html, MatchReport::load(&journal).expect("a report").page()).expect("written");
        let Some(checked) = dump(&html, &folder, "selfcheck") else {
            println!("skipped: no chromium on the path, so that no browser has looked at the page");
            return;
        };
        assert!(!checked.contains("data-error"), "the script failed: {checked}");
        assert!(checked.contains(&format!("data-ready=\"{}\"", games.len())), "the script did not finish");
        let discs = |last: &Position| [Color::Black, Color::White].map(|color| last.discs(color).len());
        let lines = games.iter().map(|(number, (_, last))| {
            let [black, white] = discs(last);
            format!("{number}:{black}-{white}")
        });
        let expected =
            format!("selfcheck ok; {} games; {}", games.len(), lines.collect::<Vec<_>>().join(" "));
        assert!(checked.contains(&expected), "{expected}\n{checked}");
        // A link into a game: the board after a move that Rust has made too.
        let shown = dump(&html, &folder, "game=7&move=5").expect("the browser was there");
        let moves = format!("{} {}", games[&7].0.opening, games[&7].0.moves[0].text);
        let mut game = Game::new(rules, size);
        for vertex in parse_moves(moves.as_bytes()).expect("moves") {
            game.follow(notation::action(vertex, size).expect("on the board")).expect("legal");
        }
        let [black, white] = discs(game.position());
        assert!(shown.contains(&format!("id=\"black-discs\">{black}</b>")), "{black} black discs");
        assert!(shown.contains(&format!("id=\"white-discs\">{white}</b>")), "{white} white discs");
        assert!(shown.contains("Move 5 of "), "the move shown is named");
        // The refused move and its particulars stay text.
        let refused = dump(&html, &folder, "game=5").expect("the browser was there");
        assert!(refused.contains("Refused: &lt;img src=x&gt;") && !refused.contains("<img"));
        assert!(!shown.contains("data-error") && !refused.contains("data-error"));
    }
}
