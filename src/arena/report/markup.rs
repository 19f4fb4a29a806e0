//! Numbers for people.

/// With `½` for half a point.
pub(super) fn points(points: f64) -> String {
    let whole = points.floor();
    match (whole, points > whole) {
        (_, false) => format!("{whole:.0}"),
        (0.0, true) => "½".into(),
        (_, true) => format!("{whole:.0}½"),
    }
}

/// `1 game`, `2 games`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Three digits or so, in the unit that suits.
pub(super) fn seconds(value: f64) -> String {
    match value {
        v if v < 0.01 => format!("{:.1} ms", v * 1e3),
        v if v < 1.0 => format!("{:.0} ms", v * 1e3),
        v if v < 100.0 => format!("{v:.2} s"),
        v if v < 6000.0 => format!("{:.0} min {:02.0} s", (v / 60.0).floor(), (v % 60.0).floor()),
        v => format!("{:.0} h {:02.0} min", (v / 3600.0).floor(), (v % 3600.0 / 60.0).floor()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([1, 2].map(|count| counted(count, "game")), ["1 game", "2 games"]);
        assert_eq!([0.0, 0.5, 1.0, 2.5].map(points), ["0", "½", "1", "2½"]);
        assert_eq!(
            [0.0004, 0.25, 61.5, 125.0, 7260.0].map(seconds),
            ["0.4 ms", "250 ms", "61.50 s", "2 min 05 s", "2 h 01 min"]
        );
    }
}
