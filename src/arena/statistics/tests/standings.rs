//! Whole matches, from the records of their games to the text.

use crate::arena::journal::{
    Diagnostics, ForfeitReason, GameEnding, GameRecord, JournalHeader, MoveRecord, PlayerEntry, VERSION,
};
use crate::arena::statistics::report::standings_report;
use crate::arena::statistics::summary::{Slowest, first_mover};
use crate::arena::statistics::*;
use crate::board::Color;

const TWO: &str = r"5 of 6 games, reversed rules, 8×8, openings: random 1

new against old
  score        3.5 of 5, 70.0 %: 3 won, 1 drawn, 1 lost
  pairs        0: 0, ½: 0, 1: 0, 1½: 1, 2: 1
  Elo          +190.8 (95 %: -141.0 to +534.8)
  LOS          87.9 %
  discs        +7.0
  SPRT         (0, 100): LLR 0.49 in (-2.94, 2.94), undecided after 2 pairs

player  games  won-drawn-lost   score  as Black   score  as White    score
new         5           3-1-1  70.0 %     1-1-1  50.0 %     2-0-0  100.0 %
old         5           1-1-3  30.0 %     0-0-2   0.0 %     1-1-1   50.0 %

player  moves  mean time  slowest  slowest in game no.   total  mean depth  forfeits
new         4     1.50 s   3.75 s                    3  6.00 s         9.5         0
old         6     1.50 s   4.75 s                    4  9.00 s         9.5         1

forfeits of  reason     games  first game no.  exit  cause  last on standard error
old          time over      1               3  -     -      -

";

const ROUND_ROBIN: &str = r"6 of 18 games, reversed rules, 8×8, openings: random 1

   player                      Elo    ±  games  won  drawn  lost   score
1  greedy                      +85  174      4    3      0     1  75.0 %
2  a player with a long name   +43  137      4    2      1     1  62.5 %
3  random                     -128  199      4    0      1     3  12.5 %

   points of                    1      2      3
1  greedy                       \    1/2    2/2
2  a player with a long name  1/2      \  1.5/2
3  random                     0/2  0.5/2      \

player  against                    won-drawn-lost   score   Elo          95 %     LOS  discs
random  greedy                              0-0-2   0.0 %  -191  -805 to +251  19.5 %  -14.0
random  a player with a long name           0-1-1  25.0 %   -89  -405 to +285  28.9 %   -2.0
greedy  a player with a long name           1-0-1  50.0 %    +0  -331 to +331  50.0 %      -

player                     games  won-drawn-lost   score  as Black    score  as White   score
random                         4           0-1-3  12.5 %     0-1-1   25.0 %     0-0-2   0.0 %
greedy                         4           3-0-1  75.0 %     2-0-0  100.0 %     1-0-1  50.0 %
a player with a long name      4           2-1-1  62.5 %     2-0-0  100.0 %     0-1-1  25.0 %

player                     moves  mean time  slowest  slowest in game no.   total  mean depth  forfeits
random                         4     1.50 s   3.75 s                    3  6.00 s         9.5         0
greedy                         4     1.75 s   5.75 s                    5  7.00 s         9.5         1
a player with a long name      4     2.00 s   4.75 s                    4  8.00 s         9.5         0

forfeits of  reason        games  first game no.  exit  cause  last on standard error
greedy       illegal move      1               5  -     -      -

";

const NOTES: &str = r"Intervals are for 95 %, over pairs of games. Elo and ratings include a prior of one pair for each player, spread evenly
over the five scores. LOS: likelihood of superiority. Discs: mean per game, over pairs without a forfeit.
";

const START: &str = "---------------------------OX------XO--------------------------- X";

fn header(players: &[&str], sprt: Option<[f64; 2]>) -> JournalHeader {
    let entry =
        |name: &&str| PlayerEntry { name: (*name).to_owned(), spec: (*name).to_owned(), weights: None };
    JournalHeader {
        version: VERSION,
        rules: "reversed".into(),
        size: 8,
        players: players.iter().map(entry).collect(),
        format: "round-robin".into(),
        pairs: 3,
        openings: "random 1".into(),
        seed: 1,
        adjudicate: None,
        sprt,
        margin: 0.05,
    }
}

/// A game of three moves after an opening of one, so that White moves first.
fn game(number: u32, black: &str, white: &str, score: i8) -> GameRecord {
    let played = |text: &str, seconds, depth| MoveRecord { text: text.into(), seconds, eval: None, depth };
    GameRecord {
        number,
        black: black.into(),
        white: white.into(),
        start: START.into(),
        opening: "d3".into(),
        moves: vec![
            played("c5", 0.25, Some(8)),
            played("pass", 0.0, None),
            played("f6", 0.75 + f64::from(number), Some(11)),
        ],
        score,
        ending: GameEnding::Played,
    }
}

fn forfeit(number: u32, black: &str, white: &str, by: &str, reason: ForfeitReason) -> GameRecord {
    let score = if by == "black" { -64 } else { 64 };
    let ending = GameEnding::Forfeit {
        by: by.into(),
        reason,
        detail: String::new(),
        diagnostics: Diagnostics::default(),
    };
    GameRecord { ending, ..game(number, black, white, score) }
}

/// Two pairs and a half; the second pair has a forfeit.
fn head_to_head() -> Vec<GameRecord> {
    vec![
        game(0, "new", "old", 10),
        game(1, "old", "new", -4),
        game(2, "new", "old", 0),
        forfeit(3, "old", "new", "black", ForfeitReason::Time),
        game(4, "new", "old", -2),
    ]
}

#[test]
fn a_match_of_two_is_counted() {
    let standings = Standings::of(&header(&["new", "old"], Some([0.0, 100.0])), &head_to_head());
    let head_to_head = standings.head_to_head(0, 1).expect("two players");
    assert_eq!(head_to_head.tally(), WinDrawLoss { wins: 3, draws: 1, losses: 1 });
    assert_eq!(head_to_head.pairs(), &Pentanomial::new([0, 0, 0, 1, 1]));
    assert_eq!(head_to_head.singles(), WinDrawLoss { wins: 0, draws: 0, losses: 1 });
    assert_eq!(
        (head_to_head.margins().pairs(), head_to_head.margins().mean().map(|mean| mean.value)),
        (1, Some(7.0))
    );
    assert_eq!(standings.against(1, 0), WinDrawLoss { wins: 1, draws: 1, losses: 3 });
    let [new, old] = standings.players() else { panic!("two players") };
    assert_eq!(
        (new.black, new.white),
        (WinDrawLoss { wins: 1, draws: 1, losses: 1 }, WinDrawLoss { wins: 2, draws: 0, losses: 0 })
    );
    assert!(new.forfeits.is_empty() && old.forfeits == [(ForfeitReason::Time, 1)].into());
    assert_eq!(standings.test().map(|test| test.seen().pairs()), Some(2));
}

#[test]
fn time_goes_to_who_used_it() {
    let standings = Standings::of(&header(&["new", "old"], None), &head_to_head()[..2]);
    let [new, old] = standings.players() else { panic!("two players") };
    // White makes the first and the third move; the pass of Black was the referee's.
    assert_eq!((new.time.moves, new.time.total), (2, 2.0));
    assert_eq!(new.time.slowest, Some(Slowest { seconds: 1.75, game: 1, ply: 2 }));
    assert_eq!((old.time.mean(), old.depths.mean()), (Some(0.5), Some(9.5)));
    assert_eq!(TimeStats::default().mean(), None);
}

#[test]
fn the_first_mover_comes_from_the_opening() {
    let mut record = game(0, "a", "b", 0);
    assert_eq!(first_mover(&record), Some(Color::White));
    record.opening.clear();
    assert_eq!(first_mover(&record), Some(Color::Black));
    record.opening = "a1".into();
    assert_eq!(first_mover(&record), None);
}

#[test]
fn the_order_of_the_games_does_not_matter() {
    let header = header(&["new", "old"], Some([0.0, 100.0]));
    let text = report(&header, &head_to_head());
    assert_eq!(report(&header, head_to_head().iter().rev()), text);
    let mut standings = Standings::new(&header);
    head_to_head().iter().for_each(|game| standings.add(game));
    assert_eq!(standings_report(&header, &standings), text);
}

#[test]
fn strangers_are_left_out() {
    let header = header(&["new", "old"], None);
    let games = [game(0, "new", "somebody", 2), game(1, "new", "new", 2)];
    let standings = Standings::of(&header, &games);
    assert_eq!((standings.games(), standings.players()[0].tally().games()), (0, 0));
}

#[test]
fn the_text_of_a_match_of_two() {
    let header = header(&["new", "old"], Some([0.0, 100.0]));
    assert_eq!(report(&header, &head_to_head()), [TWO, NOTES].concat());
    assert_eq!(
        progress(&Standings::of(&header, &head_to_head())),
        "3-1-1 70.0 %, Elo +191 ± 338, LLR 0.49 (-2.94, 2.94)"
    );
    assert_eq!(progress(&Standings::new(&header)), "no games yet");
}

#[test]
fn the_text_of_a_round_robin() {
    let header = header(&["random", "greedy", "a player with a long name"], None);
    let [random, greedy, long] = ["random", "greedy", "a player with a long name"];
    let games = [
        game(0, random, greedy, -20),
        game(1, greedy, random, 8),
        game(2, random, long, 0),
        game(3, long, random, 4),
        game(4, greedy, long, 6),
        forfeit(5, long, greedy, "white", ForfeitReason::IllegalMove),
    ];
    assert_eq!(report(&header, &games), [ROUND_ROBIN, NOTES].concat());
    assert_eq!(progress(&Standings::of(&header, &games)), "greedy leads with 75.0 %");
    assert_eq!(progress(&Standings::new(&header)), "no games yet");
}
