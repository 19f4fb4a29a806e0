//! Writing text into a page so that it stays text.

use std::fmt::{self, Display, Write};

/// Escaped in the content or in a quoted attribute of an element.
pub(crate) struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.to_string().chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // No page may hold these, not even as references.
                '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}' => {
                    f.write_char('\u{fffd}')?
                }
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// JSON as the content of a script element, where only a `<` can do harm.
///
/// Outside strings JSON has no `<`, and within them it may be written as an escape.
pub(super) fn json_for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Puts values in the places that a template marks as `{{name}}`, once: what a value holds is never looked at.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled =
        String::with_capacity(values.iter().map(|(_, value)| value.len()).sum::<usize>() + template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").unwrap_or((after, ""));
        let value = values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        filled.push_str(before);
        filled.push_str(value.expect("the template names only what it is given"));
        rest = behind;
    }
    filled + rest
}

/// A number with its sign, a true minus included; nothing is between plus and minus zero.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text.trim_start_matches(['+', '-']).bytes().all(|b| b == b'0' || b == b'.') {
        format!("{:.decimals$}", 0.0)
    } else {
        text.replace('-', "\u{2212}")
    }
}

/// Game points, halves as such.
pub(super) fn points(points: f64) -> String {
    let whole = points.floor();
    match (whole, points > whole) {
        (_, false) => format!("{whole:.0}"),
        (0.0, true) => "½".into(),
        (_, true) => format!("{whole:.0}½"),
    }
}

/// So many of something.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A share as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A time to the precision that matters at its length.
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
    fn text_stays_text() {
        assert_eq!(
            Escaped("<a b=\"c\" d='e'>&\u{1}").to_string(),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\u{fffd}"
        );
        assert_eq!(json_for_script(r#"["</script>"]"#), r#"["\u003c/script>"]"#);
    }

    #[test]
    fn a_template_is_filled_once() {
        assert_eq!(fill("a {{b}} c {{d}}{{b}}", &[("b", "{{d}}"), ("d", "!")]), "a {{d}} c !{{d}}");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(signed(-12.34, 1), "\u{2212}12.3");
        assert_eq!(signed(-0.04, 1), "0.0");
        assert_eq!(signed(7.0, 0), "+7");
        assert_eq!([1, 2].map(|count| counted(count, "game")), ["1 game", "2 games"]);
        assert_eq!([0.0, 0.5, 1.0, 2.5].map(points), ["0", "½", "1", "2½"]);
        assert_eq!(
            [0.0004, 0.25, 61.5, 125.0, 7260.0].map(seconds),
            ["0.4 ms", "250 ms", "61.50 s", "2 min 05 s", "2 h 01 min"]
        );
    }
}
