//! What all HTML pages share. A page is one file that works from disk: style, script and data are within it.

use crate::terminal::plain::plain;

/// Colours, text, tables, charts and the board.
pub(crate) const STYLE: &str = include_str!("base.css");

/// The rules of moving, the drawing of a board and of a curve, for scripts.
pub(crate) const SCRIPT: [&str; 3] =
    [include_str!("board.js"), include_str!("drawing.js"), include_str!("curve.js")];

/// Puts the parts of a script into a block, so that names do not clash with those of the browser.
pub(crate) fn script(own: &[&str]) -> String {
    format!("\"use strict\";\n{{\n{}{}}}\n", SCRIPT.concat(), own.concat())
}

/// JSON as the content of a script element: `<`, which occurs in strings only, is escaped, and what would turn around the
/// text of the page is replaced.
pub(crate) fn json_for_script(json: &str) -> String {
    plain(json).replace('<', "\\u003c")
}

/// Replaces every `{{name}}` of a template by its value. Values are not searched for names.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_cannot_be_closed_by_data() {
        assert_eq!(json_for_script(r#"["</script>"]"#), r#"["\u003c/script>"]"#);
        assert_eq!(json_for_script("[\"\u{202e}\u{9b}\"]"), "[\"\u{fffd}\u{fffd}\"]");
    }

    #[test]
    fn a_template_is_filled_once() {
        assert_eq!(fill("a {{b}} c {{d}}{{b}}", &[("b", "{{d}}"), ("d", "!")]), "a {{d}} c !{{d}}");
    }
}
