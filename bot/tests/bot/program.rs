//! The program as a user meets it.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crate::server::{Server, TOKEN};

/// A folder that is removed when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ollehto-bot-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Only its owner can read it.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed");
        }
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn command(folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ollehto-bot"));
    command
        .current_dir(&folder.0)
        .env_remove("RUST_LOG")
        .env_remove("PLAYSTRATEGY_TOKEN")
        .stdin(Stdio::null());
    command
}

/// A running bot. Its log is collected, and the token must not be in it.
pub struct Running {
    child: Child,
    log: Option<thread::JoinHandle<String>>,
}

impl Running {
    pub fn start(folder: &Folder, config: &Path, url: &str, level: &str) -> Self {
        let mut child = command(folder)
            .arg("run")
            .arg("--config")
            .arg(config)
            .args(["--url", url])
            .env("PLAYSTRATEGY_TOKEN", TOKEN)
            .env("RUST_LOG", level)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stderr = child.stderr.take().expect("piped");
        let log = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Self { child, log: Some(log) }
    }

    #[cfg(unix)]
    pub fn interrupt(&self) {
        let pid = self.child.id().to_string();
        let status = Command::new("kill").args(["-INT", &pid]).status().expect("kill is there");
        assert!(status.success());
    }

    /// The whole log, after the program has ended by itself. Returns whether it was a success too.
    pub fn wait(mut self) -> (String, bool) {
        let status = self.child.wait().expect("it ends");
        (self.take_log(), status.success())
    }

    pub fn kill(mut self) -> String {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        self.take_log()
    }

    fn take_log(&mut self) -> String {
        let log = self.log.take().expect("once").join().expect("a log");
        assert!(!log.contains(TOKEN), "the token is in the log");
        log
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn help_and_example_need_nothing() {
    let folder = Folder::new();
    let help = command(&folder).arg("--help").output().expect("it runs");
    assert!(help.status.success());
    for word in ["run", "check", "upgrade", "example", "--token-file", "PLAYSTRATEGY_TOKEN"] {
        assert!(text(&help).contains(word), "{word}");
    }
    let example = command(&folder).arg("example").output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&example.stdout), include_str!("../../example.toml"));
}

#[test]
fn check_tells_what_is_right() {
    let (folder, server) = (Folder::new(), Server::start(0, 1));
    folder.file("token", TOKEN);
    folder.file("ollehto-bot.toml", &format!("url = \"{}\"\ntoken_file = \"token\"\n", server.url()));
    let output = command(&folder).arg("check").env("RUST_LOG", "trace").output().expect("it runs");
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("accepts the token of Ollehto") && text.contains("0 running games"), "{text}");
    assert!(!text.contains(TOKEN), "the token is in the log of the HTTP client");
}

#[test]
fn check_tells_what_is_wrong() {
    let (folder, server) = (Folder::new(), Server::start(0, 1));
    let check = |arguments: &[&str], token: Option<&str>| {
        let mut command = command(&folder);
        command.arg("check").args(arguments);
        if !arguments.contains(&"--url") {
            command.args(["--url", &server.url()]);
        }
        if let Some(token) = token {
            command.env("PLAYSTRATEGY_TOKEN", token);
        }
        let output = command.output().expect("it runs");
        assert!(!output.status.success(), "{arguments:?}");
        text(&output)
    };
    let missing = check(&[], None);
    assert!(missing.contains("/account/oauth/token/create") && missing.contains("bot:play"), "{missing}");
    let refused = check(&[], Some("wrong"));
    assert!(refused.contains("No such token: Bearer [token]") && !refused.contains("wrong"), "{refused}");
    folder.file("wrong.toml", "[challenges]\nmax_games = 0\n");
    let wrong = check(&["--config", "wrong.toml"], Some(TOKEN));
    assert!(wrong.contains("line 2") && wrong.contains("max_games"), "{wrong}");
    let unencrypted = check(&["--url", "http://example.org"], Some(TOKEN));
    assert!(unencrypted.contains("unencrypted"), "{unencrypted}");
    server.with(|world| world.is_bot = false);
    let person = check(&[], Some(TOKEN));
    assert!(person.contains("not a bot account") && person.contains("ollehto-bot upgrade"), "{person}");
}

#[test]
fn an_account_is_upgraded_only_when_asked_twice() {
    let (folder, server) = (Folder::new(), Server::start(0, 1));
    server.with(|world| world.is_bot = false);
    let upgrade = |arguments: &[&str]| {
        let mut command = command(&folder);
        command.args(["upgrade", "--url", &server.url()]).args(arguments).env("PLAYSTRATEGY_TOKEN", TOKEN);
        text(&command.output().expect("it runs"))
    };
    assert!(upgrade(&[]).contains("--yes"));
    assert!(!server.with(|world| world.is_bot));
    assert!(upgrade(&["--yes"]).contains("is a bot account now"));
    assert!(server.with(|world| world.is_bot));
}

const DOCUMENT: &str = include_str!("../../../docs/bot.md");

/// The text of the first block of this language.
fn block(language: &str) -> &'static str {
    let (_, rest) = DOCUMENT.split_once(&format!("```{language}\n")).expect("there is one");
    rest.split("```").next().expect("it ends")
}

#[test]
fn the_document_shows_a_right_configuration_and_what_check_says() {
    let (folder, server) = (Folder::new(), Server::start(0, 1));
    folder.file("token", TOKEN);
    folder.file("ollehto-bot.toml", block("toml"));
    let output = command(&folder).args(["check", "--url", &server.url()]).output().expect("it runs");
    let said = text(&output).replace(&server.url(), "https://playstrategy.org");
    let shown: Vec<&str> = block("console")
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('$') && !line.is_empty())
        .collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), shown);
}

#[test]
fn the_document_lists_every_route_that_is_used() {
    let source = include_str!("../../src/api.rs");
    let routes: Vec<&str> = source
        .split('"')
        .filter(|text| text.starts_with("/api/"))
        .map(|text| text.split(['?']).next().expect("one part"))
        .collect();
    assert_eq!(routes.len(), 10, "{routes:?}");
    for route in routes {
        // The last of them is a command of a game.
        let shown = route.replace("/{}", "/abort");
        assert!(DOCUMENT.contains(&shown), "{shown}");
    }
}
