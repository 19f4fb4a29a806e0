//! Replies.

use std::fmt;

use super::line::GtpId;

/// The answer to one request.
///
/// Displays with its framing, including the empty line at the end. Clients take the first empty line for the end of the
/// reply and fail on characters beyond ASCII: neither occurs in the text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Response {
    mark: char,
    id: Option<GtpId>,
    text: String,
}

impl Response {
    pub fn success(id: Option<GtpId>, text: impl AsRef<str>) -> Response {
        Response { mark: '=', id, text: frame(text.as_ref()) }
    }

    pub fn failure(id: Option<GtpId>, text: impl AsRef<str>) -> Response {
        Response { mark: '?', id, text: frame(text.as_ref()) }
    }
}

/// The text without anything that could break the framing.
fn frame(text: &str) -> String {
    let plain = |c: char| match c {
        '\t' => Some(' '),
        c if c.is_control() => None,
        c if c.is_ascii() => Some(c),
        _ => Some('?'),
    };
    let lines = text.lines().map(|line| line.chars().filter_map(plain).collect::<String>());
    let lines = lines.map(|line| line.trim_end_matches(' ').to_owned()).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mark)?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        // GoGui drops everything up to the first blank of a reply: there must be one ahead of any text.
        if !self.text.is_empty() {
            write!(f, " {}", self.text)?;
        }
        f.write_str("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing() {
        let table = [
            (Response::success(None, ""), "=\n\n"),
            (Response::success(Some(GtpId(7)), ""), "=7\n\n"),
            (Response::success(None, "D3"), "= D3\n\n"),
            (Response::success(Some(GtpId(7)), "D3"), "=7 D3\n\n"),
            (Response::failure(None, "illegal move"), "? illegal move\n\n"),
            (Response::failure(Some(GtpId(0)), "unknown command"), "?0 unknown command\n\n"),
            (Response::failure(None, ""), "?\n\n"),
        ];
        for (response, text) in table {
            assert_eq!(response.to_string(), text);
        }
    }

    #[test]
    fn nothing_in_the_text_breaks_the_frame() {
        let table = [
            ("\n\na\n\n \nb\n\n", "= a\nb\n\n"),
            ("a \t\r\nb\r\n", "= a\nb\n\n"),
            ("  a b\n1 . .", "=   a b\n1 . .\n\n"),
            ("Jörg\u{1f600}\u{7}", "= J?rg?\n\n"),
            ("\u{7}\n\u{1b}", "=\n\n"),
        ];
        for (text, reply) in table {
            assert_eq!(Response::success(None, text).to_string(), reply, "{text:?}");
        }
    }
}
