//! The account's API token. It never appears in a log.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The environment variable that may hold the token.
pub const VARIABLE: &str = "PLAYSTRATEGY_TOKEN";

/// More than any token; another file was named by mistake.
const LONGEST: u64 = 1024;

/// What a log shows in its place.
const HIDDEN: &str = "[token]";

#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

#[derive(Debug, Error)]
pub enum TokenError {
    #[error(
        "there is no token. Make one at {url}/account/oauth/token/create with the scope \"Play games with the bot \
         API\" (bot:play), then put it into the environment variable {VARIABLE}, or into a file that only you can \
         read (chmod 600) and name that with --token-file or `token_file`"
    )]
    Missing { url: String },
    #[error("cannot read the token file {}: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error(
        "others can read the token file {} (mode {mode:03o}); run: chmod 600 {}",
        path.display(), path.display()
    )]
    Exposed { path: PathBuf, mode: u32 },
    #[error("{source_name} holds no token: one word of visible ASCII characters is expected")]
    NoToken { source_name: String },
}

impl Token {
    /// None unless it is one word that fits into a header.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let word = text.trim();
        let fits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(word.to_owned()))
    }

    /// From the file named on the command line, else from the environment, else from the file that the configuration
    /// names.
    ///
    /// # Errors
    /// If there is none, or if others can read the file.
    pub fn find(
        named: Option<&Path>,
        variable: Option<&str>,
        configured: Option<&Path>,
        url: &str,
    ) -> Result<Self, TokenError> {
        match (named, variable, configured) {
            (Some(path), ..) | (None, None, Some(path)) => Self::from_file(path),
            (None, Some(text), _) => {
                Self::new(text).ok_or_else(|| TokenError::NoToken { source_name: VARIABLE.to_owned() })
            }
            (None, None, None) => Err(TokenError::Missing { url: url.to_owned() }),
        }
    }

    fn from_file(path: &Path) -> Result<Self, TokenError> {
        let unreadable = |error| TokenError::Unreadable { path: path.to_owned(), error };
        let file = File::open(path).map_err(unreadable)?;
        // Of the open file: the path may change its meaning.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = file.metadata().map_err(unreadable)?.permissions().mode() & 0o777;
            if mode & 0o077 != 0 {
                return Err(TokenError::Exposed { path: path.to_owned(), mode });
            }
        }
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
        Self::new(&text).ok_or_else(|| TokenError::NoToken { source_name: path.display().to_string() })
    }

    /// The value of the `Authorization` header.
    #[must_use]
    pub fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// The text without the token.
    #[must_use]
    pub fn hide_in<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if text.contains(&self.0) { text.replace(&self.0, HIDDEN).into() } else { text.into() }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://example.org";

    #[test]
    fn a_token_is_one_word_and_hides() {
        let token = Token::new(" abcDEF123\n").expect("a word");
        assert_eq!(token.authorization(), "Bearer abcDEF123");
        assert_eq!(format!("{token:?}"), HIDDEN);
        assert_eq!(token.hide_in("Authorization: Bearer abcDEF123"), "Authorization: Bearer [token]");
        for text in ["", " \n", "two words", "line\nbreak", "ümlaut"] {
            assert_eq!(Token::new(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_missing_token_says_how_to_make_one() {
        let error = Token::find(None, None, None, URL).expect_err("there is none").to_string();
        assert!(
            error.contains("https://example.org/account/oauth/token/create") && error.contains("bot:play")
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_refused() {
        use std::fs::{Permissions, set_permissions, write};
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("ollehto-bot-token-{}", std::process::id()));
        write(&path, "secret\n").expect("written");
        let find = || Token::find(Some(&path), Some("other"), None, URL);
        set_permissions(&path, Permissions::from_mode(0o640)).expect("changed");
        let error = find().expect_err("the group can read it").to_string();
        assert!(error.contains("640") && error.contains("chmod 600") && !error.contains("secret"), "{error}");
        set_permissions(&path, Permissions::from_mode(0o600)).expect("changed");
        assert_eq!(find().expect("safe"), Token("secret".into()));
        std::fs::remove_file(&path).expect("removed");
    }
}
