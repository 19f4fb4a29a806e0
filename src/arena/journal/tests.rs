use super::*;
use crate::files::trial::LogTrial;

fn header(pairs: u32) -> JournalHeader {
    let player = |name: &str| PlayerEntry { name: name.into(), spec: name.into(), weights: None };
    JournalHeader {
        version: VERSION,
        rules: "reversed".into(),
        size: 4,
        players: ["random", "greedy"].map(player).into(),
        format: "round-robin".into(),
        pairs,
        openings: "random:4".into(),
        seed: 1,
        adjudicate: None,
        sprt: Some([0.0, 4.5]),
        margin: 0.2,
    }
}

fn game(number: u32) -> GameRecord {
    let seconds = 0.1 * f64::from(number);
    let moves = vec![MoveRecord { text: "d3".into(), seconds, eval: Some(-1.5), depth: None }];
    let ending = match number {
        1 => GameEnding::Forfeit {
            by: "white".into(),
            reason: ForfeitReason::Crash,
            detail: "\u{e9}\n\"}".into(),
            diagnostics: Diagnostics { exit: Some("exit code 3".into()), ..Diagnostics::default() },
        },
        _ => GameEnding::Played,
    };
    let (black, white) = ("random".into(), "greedy".into());
    let (start, opening) = ("-----OX--XO----- X".into(), "a2a3".into());
    GameRecord { number, black, white, start, opening, moves, score: -6, ending }
}

fn text(game: &GameRecord) -> String {
    serde_json::to_string(game).expect("plain data")
}

fn resume(path: &Path, games: &[GameRecord]) -> Result<Vec<String>, JournalError> {
    let (mut journal, found) = Journal::resume(path, 2, header)?;
    for game in games.iter().filter(|game| !found.contains_key(&game.number)) {
        journal.append(game)?;
    }
    Ok(found.values().map(text).collect())
}

#[test]
fn journals_survive_damage() {
    let games: Vec<GameRecord> = (0..3).map(game).collect();
    let records: Vec<String> = games.iter().map(text).collect();
    let trial = LogTrial {
        name: "journal",
        records: &records,
        write: &|path, count| {
            let write = || {
                let mut journal = Journal::create(path, &header(2))?;
                games[..count].iter().try_for_each(|game| journal.append(game))
            };
            write().map_err(|error| error.to_string())
        },
        resume: &|path| resume(path, &games).map_err(|error| error.to_string()),
        is_chain: false,
        is_large: false,
    };
    trial.run();
}
