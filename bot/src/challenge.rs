//! Which challenges are accepted.

use crate::config::{Challenges, ClockKind, Seconds, Variant};
use crate::site::{Challenge, ChallengeClock};

/// The site's reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decline {
    Generic,
    Later,
    TooFast,
    TooSlow,
    TimeControl,
    Rated,
    Casual,
    Variant,
    NoBot,
    OnlyBot,
    NoAnon,
}

impl Decline {
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Later => "later",
            Self::TooFast => "toofast",
            Self::TooSlow => "tooslow",
            Self::TimeControl => "timecontrol",
            Self::Rated => "rated",
            Self::Casual => "casual",
            Self::Variant => "variant",
            Self::NoBot => "nobot",
            Self::OnlyBot => "onlybot",
            Self::NoAnon => "noanon",
        }
    }
}

impl ChallengeClock {
    /// None for a clock of another kind.
    #[must_use]
    pub fn clock_kind(&self) -> Option<ClockKind> {
        match self.kind.as_str() {
            "clock" if self.show.contains("d+") => Some(ClockKind::Bronstein),
            "clock" if self.show.contains("d/") => Some(ClockKind::Delay),
            "clock" if self.show.contains('|') => Some(ClockKind::ByoYomi),
            "clock" => Some(ClockKind::Fischer),
            "correspondence" => Some(ClockKind::Correspondence),
            "unlimited" => Some(ClockKind::Unlimited),
            _ => None,
        }
    }
}

/// What the bot has to do already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    pub games: u32,
    pub games_with_challenger: u32,
    /// No more games: the bot is about to end.
    pub is_closing: bool,
    /// The challenge offers another game with the same opponent.
    pub is_rematch: bool,
}

/// # Errors
/// The reason to decline.
pub fn judge(challenge: &Challenge, policy: &Challenges, load: Load) -> Result<(), Decline> {
    judge_opponent(challenge, policy)?;
    let variant = Variant::from_key(&challenge.variant.key).ok_or(Decline::Variant)?;
    if !policy.variants.contains(&variant) {
        return Err(Decline::Variant);
    }
    judge_clock(&challenge.time_control, &challenge.speed, policy)?;
    match challenge.rated {
        true if !policy.rated => return Err(Decline::Casual),
        false if !policy.casual => return Err(Decline::Rated),
        _ => {}
    }
    if load.is_rematch && !policy.rematches {
        return Err(Decline::Generic);
    }
    let is_busy =
        load.games >= policy.max_games.get() || load.games_with_challenger >= policy.max_games_with_one.get();
    if load.is_closing || is_busy { Err(Decline::Later) } else { Ok(()) }
}

fn judge_opponent(challenge: &Challenge, policy: &Challenges) -> Result<(), Decline> {
    let Some(user) = &challenge.challenger else {
        return if policy.anonymous && policy.allow.is_empty() { Ok(()) } else { Err(Decline::NoAnon) };
    };
    let is_named = |names: &[String]| names.iter().any(|name| name.eq_ignore_ascii_case(&user.name));
    if is_named(&policy.block) || (!policy.allow.is_empty() && !is_named(&policy.allow)) {
        return Err(Decline::Generic);
    }
    let is_bot = user.title.as_deref() == Some("BOT");
    if is_bot && !policy.bots {
        return Err(Decline::NoBot);
    }
    if !is_bot && !policy.humans {
        return Err(Decline::OnlyBot);
    }
    let range = i32::from(policy.min_rating)..=i32::from(policy.max_rating);
    if user.rating.is_some_and(|rating| !range.contains(&rating)) {
        return Err(Decline::Generic);
    }
    Ok(())
}

fn judge_clock(clock: &ChallengeClock, speed: &str, policy: &Challenges) -> Result<(), Decline> {
    let kind = clock.clock_kind().ok_or(Decline::TimeControl)?;
    if !policy.clocks.contains(&kind) {
        return Err(Decline::TimeControl);
    }
    if matches!(kind, ClockKind::Correspondence | ClockKind::Unlimited) {
        return Ok(());
    }
    let (initial, increment) = (Seconds::new(clock.limit), Seconds::new(clock.increment));
    // The site lets no bot play that fast.
    if speed == "ultraBullet" || initial < policy.min_initial || increment < policy.min_increment {
        return Err(Decline::TooFast);
    }
    if initial > policy.max_initial || increment > policy.max_increment {
        return Err(Decline::TooSlow);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use serde_json::json;

    fn challenge(change: impl FnOnce(&mut serde_json::Value)) -> Challenge {
        let mut value = json!({
            "id": "abcd1234",
            "status": "created",
            "challenger": {"id": "ann", "name": "Ann", "title": null, "rating": 1500, "online": true},
            "destUser": {"id": "ollehto", "name": "Ollehto", "title": "BOT", "rating": 2400},
            "variant": {"key": "antiflipello", "name": "AntiOthello", "lib": 5},
            "rated": true,
            "speed": "blitz",
            "timeControl": {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"},
        });
        change(&mut value);
        serde_json::from_value(value).expect("a challenge")
    }

    fn verdict(config: &str, change: impl FnOnce(&mut serde_json::Value)) -> Result<(), Decline> {
        let config: Config = toml::from_str(&format!("[challenges]\n{config}")).expect("right");
        judge(&challenge(change), &config.challenges, Load::default())
    }

    #[test]
    fn both_variants_and_all_clocks_are_accepted() {
        for show in ["3+2", "3 d+2", "3 d/2", "3|10(2x)", "½+0"] {
            for key in ["antiflipello", "flipello"] {
                let change = |c: &mut serde_json::Value| {
                    c["timeControl"]["show"] = json!(show);
                    c["variant"]["key"] = json!(key);
                };
                assert_eq!(verdict("", change), Ok(()), "{show} {key}");
            }
        }
    }

    #[test]
    fn each_reason_has_its_case() {
        let no_change = |_: &mut serde_json::Value| ();
        assert_eq!(verdict("", |c| c["variant"]["key"] = json!("octagonflipello")), Err(Decline::Variant));
        assert_eq!(verdict("variants = [\"flipello\"]", no_change), Err(Decline::Variant));
        assert_eq!(verdict("rated = false", no_change), Err(Decline::Casual));
        assert_eq!(verdict("casual = false", |c| c["rated"] = json!(false)), Err(Decline::Rated));
        assert_eq!(verdict("humans = false", no_change), Err(Decline::OnlyBot));
        assert_eq!(verdict("bots = false", |c| c["challenger"]["title"] = json!("BOT")), Err(Decline::NoBot));
        assert_eq!(verdict("anonymous = false", |c| c["challenger"] = json!(null)), Err(Decline::NoAnon));
        assert_eq!(verdict("block = [\"ANN\"]", no_change), Err(Decline::Generic));
        assert_eq!(verdict("allow = [\"bob\"]", no_change), Err(Decline::Generic));
        assert_eq!(verdict("min_rating = 1600", no_change), Err(Decline::Generic));
        assert_eq!(verdict("min_initial = 300", no_change), Err(Decline::TooFast));
        assert_eq!(verdict("max_increment = 1", no_change), Err(Decline::TooSlow));
        assert_eq!(verdict("", |c| c["speed"] = json!("ultraBullet")), Err(Decline::TooFast));
        assert_eq!(verdict("clocks = [\"byoyomi\"]", no_change), Err(Decline::TimeControl));
        assert_eq!(
            verdict("", |c| c["timeControl"] = json!({"type": "correspondence", "daysPerTurn": 2})),
            Err(Decline::TimeControl)
        );
    }

    #[test]
    fn a_busy_bot_asks_to_come_back_later() {
        let policy = Challenges::default();
        let judged = |load| judge(&challenge(|_| ()), &policy, load);
        assert_eq!(judged(Load { games: 3, ..Load::default() }), Ok(()));
        assert_eq!(judged(Load { games: 4, ..Load::default() }), Err(Decline::Later));
        assert_eq!(
            judged(Load { games: 1, games_with_challenger: 1, ..Load::default() }),
            Err(Decline::Later)
        );
        assert_eq!(judged(Load { is_closing: true, ..Load::default() }), Err(Decline::Later));
    }
}
