use super::*;
use serde_json::{Value, json};
use site_clock::SiteClock;

/// That of the test server.
#[path = "../tests/bot/server/site_clock.rs"]
#[allow(dead_code, reason = "the server needs more of it")]
mod site_clock;

const MS: Duration = Duration::from_millis(1);

fn clocks() -> Vec<Value> {
    let mut clocks = Vec::new();
    for initial in [30_000, 180_000, 900_000] {
        for extra in [0, 1000, 2000, 10_000, 60_000] {
            clocks.push(json!({"initial": initial, "increment": extra, "clockType": "fischer"}));
            clocks.push(json!({"initial": initial, "delay": extra, "clockType": "bronstein"}));
            clocks.push(json!({"initial": initial, "delay": extra, "clockType": "usdelay"}));
            for periods in [1, 3] {
                for (initial, increment) in [(initial, 0), (initial, 1000), (0, 0)] {
                    let byoyomi = extra.max(3000);
                    clocks.push(json!({"initial": initial, "increment": increment, "byoyomi": byoyomi,
                        "periods": periods, "clockType": "byoyomi"}));
                }
            }
        }
    }
    clocks
}

/// The longest that a move takes, its way included.
fn longest(config: &Value, reported: i64, empties: u8, rules: Rules, reserve: Duration) -> (i64, i64) {
    let clock: GameClock = serde_json::from_value(config.clone()).expect("a clock");
    let start = Timestamp::now();
    let move_clock = MoveClock::new(Some(&clock), reported as u64);
    let budget = move_clock.budget(&Limits::default(), start, empties, rules, reserve);
    let after = |end: Option<Timestamp>| (end.expect("on the clock") - start).as_millis() as i64;
    (after(budget.soft), after(budget.hard))
}

#[test]
fn no_flag_falls_even_if_every_move_takes_its_longest() {
    for config in clocks() {
        for rules in Rules::ALL {
            for reserve in [100, 300] {
                let mut clock = SiteClock::new(&config);
                for empties in (0..=60).rev().step_by(2) {
                    let before = clock.reported();
                    let (_, hard) = longest(&config, before, empties, rules, reserve * MS);
                    // A good way takes half of the reserve.
                    assert!(
                        clock.charge(hard + i64::from(reserve) / 2),
                        "{config} with {empties} empties: {hard} of {before}"
                    );
                }
            }
        }
    }
}

#[test]
fn free_time_is_used() {
    for kind in ["bronstein", "usdelay"] {
        let config = json!({"initial": 60_000, "delay": 5000, "clockType": kind});
        let (soft, hard) = longest(&config, 9000, 40, Rules::Reversed, 300 * MS);
        assert!((4700..5200).contains(&soft) && hard < 8700, "{soft} {hard}");
        let (soft, hard) = longest(&config, 5000, 40, Rules::Reversed, 300 * MS);
        assert_eq!((soft, hard), (4400, 4400), "the last of it");
    }
}

#[test]
fn a_period_of_byo_yomi_is_used_and_not_lost() {
    let config =
        json!({"initial": 60_000, "increment": 0, "byoyomi": 10_000, "periods": 3, "clockType": "byoyomi"});
    for periods in 1..=3 {
        let (_, hard) = longest(&config, 10_000 * periods, 40, Rules::Standard, 300 * MS);
        assert!((9000..9750).contains(&hard), "{hard}");
    }
    let (soft, hard) = longest(&config, 90_000, 40, Rules::Standard, 300 * MS);
    assert!(soft >= 9000 && hard < 60_000, "{soft} {hard}");
}

#[test]
fn without_a_clock_the_limits_decide() {
    assert_eq!(MoveClock::new(None, 86_400_000), MoveClock::None);
    let clock = json!({"initial": 0, "increment": 0, "clockType": "fischer"});
    let clock: GameClock = serde_json::from_value(clock).expect("a clock");
    assert_eq!(MoveClock::new(Some(&clock), NO_CLOCK), MoveClock::None);
    let start = Timestamp::now();
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    let budget = MoveClock::None.budget(&limits, start, 30, Rules::Reversed, 300 * MS);
    assert_eq!(budget.hard, start.checked_add(Duration::from_millis(4700)));
}
