//! Just enough HTTP: requests with a body, answers with a length, connections that stay open.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::faults::RequestFault;
use super::routes::{self, Reply};
use super::{Shared, TOKEN, streams};

/// Longer than the bot waits.
const LATE: Duration = Duration::from_millis(700);

pub struct Request {
    pub method: String,
    pub path: String,
    pub body: String,
    authorization: String,
}

fn read_request(input: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut first = String::new();
    if input.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut length, mut authorization) = (0, String::new());
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = line.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" => authorization = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Ok(Some(Request { method, path, body, authorization }))
}

pub fn serve(connection: TcpStream, shared: &Arc<Shared>) {
    let _ = connection.set_nodelay(true);
    let Ok(clone) = connection.try_clone() else { return };
    let (mut input, mut output) = (BufReader::new(clone), &connection);
    while let Ok(Some(request)) = read_request(&mut input) {
        if answer(&request, &mut output, shared).is_err() {
            break;
        }
    }
    // Another handle is kept for restarts.
    let _ = connection.shutdown(Shutdown::Both);
}

fn cut() -> io::Error {
    io::Error::other("cut on purpose")
}

/// An error closes the connection.
fn answer(request: &Request, output: &mut impl Write, shared: &Arc<Shared>) -> io::Result<()> {
    let is_game_stream = request.path.starts_with("/api/bot/game/stream/");
    let fault = shared.world().faults.of_request(is_game_stream);
    match fault {
        RequestFault::Cut => return Err(cut()),
        RequestFault::Slow => {
            let pause = shared.world().faults.below(60);
            thread::sleep(Duration::from_millis(pause as u64));
        }
        RequestFault::BadGateway => return write(output, 502, &[], "<html>502 Bad Gateway</html>"),
        RequestFault::TooMany => {
            return write(output, 429, &[], "Too many requests. Please retry in a moment.");
        }
        RequestFault::TooManyForSeconds => {
            return write(output, 429, &["Retry-After: 1"], r#"{"error":"Error 429: Too many requests!"}"#);
        }
        RequestFault::Forgotten => return write(output, 404, &[], r#"{"error":"No such game"}"#),
        _ => {}
    }
    if request.authorization != format!("Bearer {TOKEN}") {
        shared.world().wrongs.unauthorized += 1;
        // The words of a site may repeat what it was sent.
        let words = error(&format!("No such token: {}", request.authorization));
        return write(output, 401, &[], &words.to_string());
    }
    let is_lost =
        matches!(fault, RequestFault::AnswerCut | RequestFault::AnswerGarbled | RequestFault::AnswerLate);
    let reply = routes::route(request, is_lost, &mut shared.world());
    shared.changed.notify_all();
    match reply {
        Reply::Stream(stream) => streams::serve(stream, output, shared, is_lost),
        Reply::Json(status, json) => send(output, status, &json, fault, shared),
    }
}

fn send(
    output: &mut impl Write,
    status: u16,
    json: &Value,
    fault: RequestFault,
    shared: &Shared,
) -> io::Result<()> {
    match fault {
        RequestFault::AnswerCut => {
            let whole = response(status, &[], &json.to_string());
            let length = shared.world().faults.below(whole.len());
            output.write_all(&whole.as_bytes()[..length])?;
            Err(cut())
        }
        RequestFault::AnswerGarbled => write(output, status, &[], "\u{fffd}{]"),
        RequestFault::AnswerLate => {
            thread::sleep(LATE);
            write(output, status, &[], &json.to_string())
        }
        _ => write(output, status, &[], &json.to_string()),
    }
}

fn response(status: u16, headers: &[&str], body: &str) -> String {
    let length = body.len();
    let mut head = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: {length}\r\n");
    for header in headers {
        head += &format!("{header}\r\n");
    }
    format!("{head}\r\n{body}")
}

fn write(output: &mut impl Write, status: u16, headers: &[&str], body: &str) -> io::Result<()> {
    output.write_all(response(status, headers, body).as_bytes())
}

pub fn error(text: &str) -> Value {
    json!({ "error": text })
}
