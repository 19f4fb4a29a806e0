//! A player's clock as the site keeps it (`Clock.scala` of its rules library), in milliseconds.

use serde_json::Value;

#[derive(Clone, Debug)]
pub struct SiteClock {
    config: Value,
    left: i64,
    spent_periods: i64,
}

impl SiteClock {
    /// By the site's JSON of a clock.
    pub fn new(config: &Value) -> Self {
        let number = |key: &str| config[key].as_i64().unwrap_or(0);
        // The time on a delay clock holds the delay of the present move.
        let extra = if config["clockType"] == "usdelay" { number("delay") } else { 0 };
        let starts_in_byoyomi = number("initial") == 0 && number("byoyomi") > 0;
        let left = if starts_in_byoyomi { number("byoyomi").max(5000) } else { number("initial") + extra };
        Self { config: config.clone(), left, spent_periods: i64::from(starts_in_byoyomi) }
    }

    fn number(&self, key: &str) -> i64 {
        self.config[key].as_i64().unwrap_or(0)
    }

    /// `wtime` or `btime`: all that the next move may take.
    pub fn reported(&self) -> i64 {
        self.left + (self.number("periods") - self.spent_periods).max(0) * self.number("byoyomi")
    }

    /// `winc` or `binc`.
    pub fn increment(&self) -> i64 {
        match self.config["clockType"].as_str() {
            Some("bronstein" | "usdelay") => self.number("delay"),
            Some("byoyomi") if self.spent_periods > 0 => self.number("byoyomi"),
            _ => self.number("increment"),
        }
    }

    /// False if the flag falls.
    pub fn charge(&mut self, taken: i64) -> bool {
        if taken >= self.reported() {
            return false;
        }
        match self.config["clockType"].as_str() {
            Some("fischer") => self.left += self.number("increment") - taken,
            Some("bronstein" | "usdelay") => self.left += taken.min(self.number("delay")) - taken,
            _ => self.charge_byoyomi(taken),
        }
        true
    }

    fn charge_byoyomi(&mut self, taken: i64) {
        let (period, after) = (self.number("byoyomi"), self.left - taken);
        let periods_left = self.number("periods") - self.spent_periods;
        let used = if after <= 0 { (-after / period + 1).min(periods_left) } else { 0 };
        if self.spent_periods > 0 || used > 0 {
            self.left = after.max(period);
        } else {
            self.left = after + self.number("increment");
        }
        self.spent_periods += used;
    }
}
