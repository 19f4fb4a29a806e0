//! The command line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use clap::{Parser, Subcommand};
use log::{info, warn};
use ollehto::terminal::interrupts::Interrupts;
use ollehto_bot::api::Api;
use ollehto_bot::bot::{Bot, BotError};
use ollehto_bot::config::{Config, ConfigError, EXAMPLE};
use ollehto_bot::http::{Http, HttpError};
use ollehto_bot::logging;
use ollehto_bot::site::Account;
use ollehto_bot::token::{Token, TokenError, VARIABLE};
use thiserror::Error;

/// Read if it is there and no other is named.
const DEFAULT_CONFIG: &str = "ollehto-bot.toml";

/// Plays Reversed Reversi (AntiOthello) and Othello on PlayStrategy.
///
/// The token of the account comes from --token-file, else from the environment variable PLAYSTRATEGY_TOKEN, else from the
/// file that the configuration names. It needs the scope bot:play.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Configuration; ollehto-bot.toml if it exists
    #[arg(long, short, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address of the site
    #[arg(long, global = true, value_name = "URL")]
    url: Option<String>,
    /// File with the token; only you may be able to read it
    #[arg(long, global = true, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Log every move
    #[arg(long, short, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Action,
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum Action {
    /// Play until Ctrl-C
    Run,
    /// Check the configuration, the token and the account without playing
    Check,
    /// Print a configuration with every key and its default
    Example,
    /// Make the account a bot account, for ever
    Upgrade {
        /// Do it: the account can never play as a person again
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error(transparent)]
    Bot(#[from] BotError),
    #[error("{0}")]
    Site(HttpError),
    #[error("cannot wait for Ctrl-C: {0}")]
    Interrupts(std::io::Error),
    #[error("{0}")]
    Confirm(String),
    /// Any of these, without the token: the site's words may repeat it.
    #[error("{0}")]
    Hidden(String),
}

impl From<HttpError> for Failure {
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::Unauthorized(_) => Self::Bot(BotError::Unauthorized(error.to_string())),
            other => Self::Site(other),
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match execute(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("ollehto-bot: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn execute(arguments: &Arguments) -> Result<(), Failure> {
    if let Action::Example = arguments.command {
        print!("{EXAMPLE}");
        return Ok(());
    }
    // Before other threads begin, since they would take the signals.
    let interrupts = Interrupts::of_terminal_and_batch().map_err(Failure::Interrupts)?;
    let config = configuration(arguments)?;
    let site = config.site()?.to_owned();
    let variable = std::env::var(VARIABLE).ok();
    let configured = config.token_file.as_deref();
    let token = Token::find(arguments.token_file.as_deref(), variable.as_deref(), configured, &site)?;
    logging::start(Some(token.clone()), arguments.verbose);
    let api = Api::new(Http::new(&site, token.clone(), &config.network), config.network.clone());
    let result = match arguments.command {
        Action::Run => run(api, config, &interrupts),
        Action::Check => check(&api, &config, &site),
        Action::Upgrade { yes } => upgrade(&api, yes),
        Action::Example => Ok(()),
    };
    result.map_err(|failure| Failure::Hidden(token.hide_in(&failure.to_string()).into_owned()))
}

fn configuration(arguments: &Arguments) -> Result<Config, Failure> {
    let default = Some(Path::new(DEFAULT_CONFIG)).filter(|path| path.exists());
    let mut config = match arguments.config.as_deref().or(default) {
        Some(path) => Config::load(path)?,
        None => Config::default(),
    };
    if let Some(url) = &arguments.url {
        config.url.clone_from(url);
    }
    Ok(config)
}

fn run(api: Api, config: Config, interrupts: &Interrupts) -> Result<(), Failure> {
    let Some(account) = wait_for_site(&api, interrupts)? else { return Ok(()) };
    info!("playing as {} at {}; Ctrl-C ends", account.username, config.url);
    Bot::new(api, Arc::new(config), account)?.run(interrupts.arrived())?;
    Ok(())
}

/// None if interrupted before the site has answered.
fn wait_for_site(api: &Api, interrupts: &Interrupts) -> Result<Option<Account>, Failure> {
    let mut pauses = api.backoff();
    loop {
        match api.account() {
            Ok(account) => return Ok(Some(account)),
            Err(error) if error.is_temporary() => {
                let pause = pauses.pause();
                warn!("{error}; trying again in {:.1} s", pause.as_secs_f64());
                thread::sleep(pause);
            }
            Err(error) => return Err(error.into()),
        }
        if interrupts.is_raised() {
            return Ok(None);
        }
    }
}

fn check(api: &Api, config: &Config, site: &str) -> Result<(), Failure> {
    println!("The configuration is right.");
    let account = api.account()?;
    println!("{site} accepts the token of {}.", account.username);
    Bot::new(api.clone(), Arc::new(config.clone()), account.clone())?;
    let running = api.now_playing()?.games.len();
    println!("{} is a bot account with {running} running games.", account.username);
    Ok(())
}

fn upgrade(api: &Api, yes: bool) -> Result<(), Failure> {
    let account = api.account()?;
    let name = &account.username;
    if account.is_bot() {
        println!("{name} is a bot account already.");
        return Ok(());
    }
    if !yes {
        let question = "can never play as a person again after this. Repeat the command with --yes to do it";
        return Err(Failure::Confirm(format!("{name} {question}")));
    }
    api.upgrade()?;
    println!("{name} is a bot account now.");
    Ok(())
}
