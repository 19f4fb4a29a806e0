//! The tests' own tools, tested: a referee that errs would excuse the engine.

use crate::support::gtp::{self, Reply};
use crate::support::mailbox::{Mailbox, Move, Rules, Side};
use crate::support::nboard;
use crate::support::transcript::{self, Peer, Step};

#[test]
fn gtp_framing_is_judged_strictly() {
    let ok = |id, text: &str| Ok(Reply { id, text: Ok(text.to_owned()) });
    assert_eq!(gtp::parse("=", &[]), ok(None, ""));
    assert_eq!(gtp::parse("= ", &[]), ok(None, ""));
    assert_eq!(gtp::parse("=7 D3", &[]), ok(Some(7), "D3"));
    assert_eq!(gtp::parse("= a", &["b".to_owned()]), ok(None, "a\nb"));
    assert_eq!(gtp::parse("? no", &[]), Ok(Reply { id: None, text: Err("no".to_owned()) }));
    for bad in ["", "D3", "=D3", "=  D3", "= D3 ", "?", " = D3", "=7D3"] {
        assert!(gtp::parse(bad, &[]).is_err(), "{bad:?}");
    }
}

#[test]
fn nboard_lines_are_read_as_nboard_reads_them() {
    let good = [
        "pong 7",
        "=== PA",
        "=== F5//1.2",
        "=== f5/-0.50/0.02",
        "search F5-D6-C3 +3.13 0 8",
        "search F5d6C3 -4 0 100%",
        "search PA 0.00 0 24@98%",
        "nodestats 123456789012 0.013",
        "analysis 60 -10.00",
        "status",
        "status Thinking hard",
        "set myname Ollehto",
        "learned",
    ];
    for line in good {
        assert!(nboard::parse(line).is_ok(), "{line:?}: {:?}", nboard::parse(line));
    }
    let bad = [
        "pong",
        "===",
        "=== F5/1e-3",
        "=== F5/1,5",
        "=== F9",
        "=== F5D6",
        "search F5 nan 0 1",
        "search F5 1.0 0 d8",
        "search F5 1.0 8",
        "search F5 1.0 3 8",
        "nodestats 1e6 0.1",
        "info depth 3",
        "= D3",
        "",
    ];
    for line in bad {
        assert!(nboard::parse(line).is_err(), "{line:?}: {:?}", nboard::parse(line));
    }
}

#[test]
fn mailbox_knows_the_rules() {
    let counts: Vec<u64> = (1..=7).map(|depth| Mailbox::start(8).perft(depth)).collect();
    assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55092]);
    let board = Mailbox::start(8);
    let names: Vec<String> = board.moves().into_iter().map(|turn| board.name(turn)).collect();
    assert_eq!(names, ["D3", "C4", "F5", "E6"]);
    assert_eq!(board.read("f5"), Some(Move::Place(37)));
    assert_eq!(board.read("PA"), Some(Move::Pass));
    assert_eq!([board.read("i1"), board.read("a9"), board.read("a"), board.read("a10")], [None; 4]);
    assert_eq!(board.text(), "---------------------------OX------XO--------------------------- X");
    assert_eq!(Mailbox::parse(&board.text()), Ok(board));
}

#[test]
fn mailbox_counts_the_empties_for_the_side_with_more_discs() {
    let wiped = Mailbox::parse("XXX------------- O").expect("a good position");
    assert!(wiped.is_over());
    assert_eq!(wiped.final_score(Side::Black, Rules::Standard), 16);
    assert_eq!(wiped.final_score(Side::White, Rules::Reversed), 16);
    assert_eq!(wiped.result(Rules::Standard), "B+16");
    assert_eq!(wiped.result(Rules::Reversed), "W+16");
    let drawn = Mailbox::parse("XXXX--------OOOO X").expect("a good position");
    assert_eq!(drawn.result(Rules::Reversed), "0");
}

#[test]
fn mailbox_passes_only_when_it_must() {
    let mut board = Mailbox::parse("XO-------------- O").expect("a good position");
    assert!(board.must_pass());
    assert!(board.play(Move::Place(2)).is_err());
    board.play(Move::Pass).expect("the only turn");
    assert!(board.play(Move::Pass).is_err());
    board.play(Move::Place(2)).expect("takes the last disc");
    assert!(board.is_over());
}

/// Answers each line from a list, all at once.
struct Script {
    answers: Vec<Vec<&'static str>>,
    ready: Vec<&'static str>,
    sent: Vec<String>,
}

impl Peer for Script {
    fn send(&mut self, line: &str) {
        self.sent.push(line.to_owned());
        self.ready.extend(self.answers.remove(0));
    }

    fn close(&mut self) {}

    fn receive(&mut self) -> Option<String> {
        if self.ready.is_empty() { None } else { Some(self.ready.remove(0).to_owned()) }
    }
}

fn run_script(text: &str, answers: &[&[&'static str]]) -> Result<(), String> {
    let dialogues = transcript::parse("script.txt", text).expect("a good transcript");
    let answers = answers.iter().map(|lines| lines.to_vec()).collect();
    transcript::run(&dialogues[0], &mut Script { answers, ready: Vec::new(), sent: Vec::new() })
}

#[test]
fn transcripts_are_compared_line_by_line() {
    let exact = "$ ollehto\n> name\n< = Ollehto\n<\n";
    assert_eq!(run_script(exact, &[&["= Ollehto", ""]]), Ok(()));
    let wrong = run_script(exact, &[&["= Another", ""]]).expect_err("a different name");
    assert_eq!(wrong, "script.txt:3: after sending \"name\": expected \"= Ollehto\", received \"= Another\"");
    assert!(run_script(exact, &[&["= Ollehto"]]).is_err(), "a line is missing");
    assert!(run_script(exact, &[&["= Ollehto", "", "more"]]).is_err(), "a line too many");
    let skipping = "$ ollehto\n> hint\n< ...\n> ping 1\n< pong 1\n";
    assert_eq!(run_script(skipping, &[&["status", "status"], &["status", "pong 1"]]), Ok(()));
    assert!(run_script(skipping, &[&["status"], &["status"]]).is_err(), "the pong is missing");
}

#[test]
fn patterns_leave_gaps() {
    for (pattern, line) in [("{}", ""), ("= {}", "= D3"), ("a{}c{}e", "abcde"), ("{}x", "xxx"), ("ab", "ab")]
    {
        assert!(transcript::matches(pattern, line), "{pattern:?} {line:?}");
    }
    for (pattern, line) in [("= {}", "=D3"), ("a{}c", "ab"), ("", "x"), ("ab{}b", "ab")] {
        assert!(!transcript::matches(pattern, line), "{pattern:?} {line:?}");
    }
}

#[test]
fn transcripts_say_where_they_are_wrong() {
    let dialogues =
        transcript::parse("t.txt", "# why\n\n$ ollehto --size 6 --depth 1\n> # interrupt\n>\n< ...\n<\n");
    let dialogues = dialogues.expect("a good transcript");
    assert_eq!(dialogues[0].arguments, ["--size", "6", "--depth", "1"]);
    assert_eq!(dialogues[0].origin, "t.txt:3");
    let steps = [
        (4, Step::Send("# interrupt".to_owned())),
        (5, Step::Send(String::new())),
        (6, Step::Any),
        (7, Step::Expect(String::new())),
    ];
    assert_eq!(dialogues[0].steps, steps);
    assert!(transcript::parse("t.txt", "> name").expect_err("no program").starts_with("t.txt:1:"));
    assert!(transcript::parse("t.txt", "$ ollehto\n>name").expect_err("no blank").starts_with("t.txt:2:"));
}

#[test]
fn markdown_gives_its_console_blocks() {
    let text = "# Title\n```console\n$ cargo test\n```\n```sh\n$ ollehto\n```\ntext\n```console\n$ ollehto --depth 1\n> name\n< = Ollehto\n```\n";
    let dialogues = transcript::parse_markdown("README.md", text).expect("good blocks");
    assert_eq!(dialogues.len(), 1);
    assert_eq!(dialogues[0].origin, "README.md:10");
    assert_eq!(dialogues[0].steps.len(), 2);
}

#[test]
fn a_dialogue_for_readers_shows_real_output() {
    let dialogue = |line: &str| format!("```console\n$ ollehto\n> go\n< {line}\n```\n");
    let read = |line: &str| transcript::parse_markdown("README.md", &dialogue(line));
    assert!(read("=== D6/0.38/{}").is_err(), "a placeholder is no output");
    // Shown, received, whether that is the same.
    let table = [
        ("= C3", "= C3", true),
        ("= C3", "= C4", false),
        ("=== D6/0.38/0.07", "=== D6/0.38/12.5", true),
        ("=== D6/0.38/0.07", "=== D6/0.39/0.07", false),
        ("=== D6/0.38/0.07", "=== D6/0.38/soon", false),
        ("=== D6/0.38/0.07", "=== D6/0.38/", false),
        ("=== D6/0.38", "=== D6/0.39", false),
        ("nodestats 153 0.067", "nodestats 153 1.000", true),
        ("nodestats 153 0.067", "nodestats 154 0.067", false),
        ("status 153 0.067", "status 153 1.000", false),
    ];
    for (shown, received, same) in table {
        let dialogues = read(shown).expect("a dialogue");
        let Some((_, Step::Expect(pattern))) = dialogues[0].steps.last() else { panic!("{dialogues:?}") };
        assert_eq!(transcript::matches(pattern, received), same, "{shown:?} and {received:?}");
    }
}
