//! Requests to the site, and what can go wrong with them.

use std::time::Duration;

use serde_json::Value;
use thiserror::Error;
use ureq::http::{HeaderMap, Response, StatusCode};
use ureq::{Agent, Body, BodyReader};

use crate::config::Network;
use crate::ndjson::Lines;
use crate::token::Token;

/// In bytes.
const LARGEST_ANSWER: u64 = 4 << 20;

/// Whatever the site asks for.
const LONGEST_RETRY_AFTER: Duration = Duration::from_mins(10);

const USER_AGENT: &str = concat!("ollehto-bot/", env!("CARGO_PKG_VERSION"));

#[derive(Clone, Debug, Error)]
pub enum HttpError {
    /// Status 401.
    #[error("the site refuses the token: {0}")]
    Unauthorized(String),
    /// Status 429, with the pause that the site asks for.
    #[error("too many requests")]
    TooMany(Option<Duration>),
    /// Another status from 400 to 499: the request is wrong, or comes too late.
    #[error("{0}: {1}")]
    Rejected(u16, String),
    /// The site may or may not have taken note of the request.
    #[error("{0}")]
    Temporary(String),
}

impl HttpError {
    #[must_use]
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::Rejected(404, _))
    }

    /// Whether another attempt makes sense.
    #[must_use]
    pub const fn is_temporary(&self) -> bool {
        matches!(self, Self::TooMany(_) | Self::Temporary(_))
    }
}

pub type Stream = Lines<BodyReader<'static>>;

/// A connection to the site. Clones share it.
#[derive(Clone, Debug)]
pub struct Http {
    requests: Agent,
    streams: Agent,
    site: String,
    token: Token,
}

impl Http {
    #[must_use]
    pub fn new(site: &str, token: Token, network: &Network) -> Self {
        let timeout = Duration::from(network.timeout);
        let common = || {
            Agent::config_builder()
                .http_status_as_error(false)
                // The token is for this site only.
                .max_redirects(0)
                .max_redirects_will_error(false)
                .user_agent(USER_AGENT)
                .timeout_resolve(Some(timeout))
                .timeout_connect(Some(timeout))
        };
        let requests = common().timeout_global(Some(timeout)).build().new_agent();
        let streams = common()
            .timeout_send_request(Some(timeout))
            .timeout_recv_response(Some(timeout))
            .timeout_per_read(Some(network.silence.into()))
            .max_idle_connections(0)
            .build()
            .new_agent();
        Self { requests, streams, site: site.to_owned(), token }
    }

    /// # Errors
    /// If no JSON comes back.
    pub fn get(&self, path: &str) -> Result<Value, HttpError> {
        let request =
            self.requests.get(self.address(path)).header("Authorization", self.token.authorization());
        answer(request.call())
    }

    /// # Errors
    /// If no JSON comes back.
    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> Result<Value, HttpError> {
        let request =
            self.requests.post(self.address(path)).header("Authorization", self.token.authorization());
        answer(if form.is_empty() { request.send_empty() } else { request.send_form(form.iter().copied()) })
    }

    /// # Errors
    /// If the site does not begin a stream.
    pub fn stream(&self, path: &str) -> Result<Stream, HttpError> {
        let response = self
            .streams
            .get(self.address(path))
            .header("Authorization", self.token.authorization())
            .header("Accept", "application/x-ndjson")
            .call()
            .map_err(temporary)?;
        let response = check(response)?;
        Ok(Lines::new(response.into_body().into_reader()))
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.site)
    }
}

fn temporary(error: ureq::Error) -> HttpError {
    HttpError::Temporary(format!("no answer: {error}"))
}

fn answer(response: Result<Response<Body>, ureq::Error>) -> Result<Value, HttpError> {
    let mut response = check(response.map_err(temporary)?)?;
    let text = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string().map_err(temporary)?;
    serde_json::from_str(&text).map_err(|_| HttpError::Temporary("the answer is not JSON".into()))
}

/// Turns all but success into an error.
fn check(mut response: Response<Body>) -> Result<Response<Body>, HttpError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    if status == StatusCode::TOO_MANY_REQUESTS {
        return Err(HttpError::TooMany(retry_after(response.headers())));
    }
    if !status.is_client_error() {
        return Err(HttpError::Temporary(format!("the site answers with status {}", status.as_u16())));
    }
    let reason = reason(&mut response);
    Err(match status {
        // The site says so with the same status as "no such token".
        StatusCode::UNAUTHORIZED if reason.contains("offline") => HttpError::Temporary(reason),
        StatusCode::UNAUTHORIZED => HttpError::Unauthorized(reason),
        StatusCode::REQUEST_TIMEOUT => HttpError::Temporary(reason),
        _ => HttpError::Rejected(status.as_u16(), reason),
    })
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get("Retry-After")?.to_str().ok()?.trim().parse().ok()?;
    // At once would mean a flood of requests.
    Some(Duration::from_secs(seconds.max(1)).min(LONGEST_RETRY_AFTER))
}

/// The site's own words: `{"error": "…"}`, or the beginning of whatever it is.
fn reason(response: &mut Response<Body>) -> String {
    const SHOWN: usize = 200;
    let text = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string().unwrap_or_default();
    let json: Option<Value> = serde_json::from_str(&text).ok();
    match json.as_ref().and_then(|json| json.get("error")) {
        Some(Value::String(error)) => error.clone(),
        Some(other) => other.to_string(),
        None => text.chars().take(SHOWN).collect::<String>().escape_debug().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_asks_for_a_pause_within_reason() {
        let asked = |value: &'static str| {
            let value = ureq::http::HeaderValue::from_static(value);
            retry_after(&HeaderMap::from_iter([(ureq::http::header::RETRY_AFTER, value)]))
        };
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(
            [asked("0"), asked(" 7 "), asked("99999999")],
            [seconds(1), seconds(7), Some(LONGEST_RETRY_AFTER)]
        );
        assert_eq!([asked("soon"), asked("-1"), retry_after(&HeaderMap::new())], [None; 3]);
    }

    #[test]
    fn nothing_waits_for_ever() {
        let token = Token::new("token").expect("a word");
        let http = Http::new("http://localhost", token, &Network::default());
        assert!(http.requests.config().timeouts().global.is_some());
        let streams = http.streams.config();
        let limits = streams.timeouts();
        let phases = [limits.resolve, limits.connect, limits.send_request, limits.recv_response];
        assert!(phases.iter().all(Option::is_some), "{phases:?}");
        assert!(streams.timeout_per_read().is_some());
    }
}
