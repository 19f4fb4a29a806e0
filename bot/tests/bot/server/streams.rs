//! Streams of lines in chunks, and what goes wrong with them.

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Shared;
use super::faults::StreamFault;
use super::world::{Topic, World};

/// The site's 6 s, on a faster clock.
const KEEP_ALIVE: Duration = Duration::from_millis(100);

/// How long a dead stream stays open.
const DEAD: Duration = Duration::from_secs(2);

enum Next {
    Line(Value, StreamFault),
    KeepAlive,
    End,
}

/// Always returns an error: a stream ends with its connection.
pub fn serve(number: u64, output: &mut impl Write, shared: &Shared, is_lost: bool) -> io::Result<()> {
    let end = || io::Error::other("the stream has ended");
    if is_lost {
        return Err(end());
    }
    output.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n",
    )?;
    let result = forward(number, output, shared);
    shared.world().streams.remove(&number);
    result?;
    output.write_all(b"0\r\n\r\n")?;
    Err(end())
}

fn forward(number: u64, output: &mut impl Write, shared: &Shared) -> io::Result<()> {
    let mut held: Option<Value> = None;
    let mut is_mute = false;
    loop {
        let (line, fault) = match next(number, shared) {
            Next::Line(line, fault) => (line, fault),
            Next::KeepAlive => {
                if let Some(line) = held.take() {
                    chunk(output, line.to_string().as_bytes())?;
                }
                chunk(output, b"")?;
                continue;
            }
            Next::End => {
                return held.take().map_or(Ok(()), |line| chunk(output, line.to_string().as_bytes()));
            }
        };
        if is_mute {
            continue;
        }
        let text = line.to_string();
        match fault {
            StreamFault::Lost => continue,
            StreamFault::Swapped if held.is_none() => {
                held = Some(line);
                continue;
            }
            StreamFault::Mute => {
                is_mute = true;
                continue;
            }
            StreamFault::Dead => {
                wait_dead(shared);
                return Err(io::Error::other("dead"));
            }
            StreamFault::Cut => {
                let length = shared.world().faults.below(text.len());
                write!(output, "{:x}\r\n", text.len() + 1)?;
                output.write_all(&text.as_bytes()[..length])?;
                return Err(io::Error::other("cut"));
            }
            StreamFault::Garbage => {
                let garbage = shared.world().faults.garbage();
                chunk(output, &garbage)?;
            }
            StreamFault::Slow => thread::sleep(Duration::from_millis(40)),
            _ => {}
        }
        chunk(output, text.as_bytes())?;
        if fault == StreamFault::Repeated {
            chunk(output, text.as_bytes())?;
        }
        if fault == StreamFault::Old
            && let Some(old) = old_state(number, &mut shared.world())
        {
            chunk(output, old.to_string().as_bytes())?;
        }
        if let Some(line) = held.take() {
            chunk(output, line.to_string().as_bytes())?;
        }
    }
}

fn next(number: u64, shared: &Shared) -> Next {
    let start = Instant::now();
    let mut world = shared.world();
    loop {
        if shared.is_over.load(Ordering::Relaxed) {
            return Next::End;
        }
        let Some(stream) = world.streams.get_mut(&number) else { return Next::End };
        if let Some(line) = stream.lines.pop_front() {
            let fault = world.faults.of_line();
            return Next::Line(line, fault);
        }
        if stream.is_closed {
            return Next::End;
        }
        let Some(left) = KEEP_ALIVE.checked_sub(start.elapsed()) else { return Next::KeepAlive };
        world = shared.changed.wait_timeout(world, left).expect("no thread of the server panics").0;
    }
}

fn wait_dead(shared: &Shared) {
    let start = Instant::now();
    while start.elapsed() < DEAD && !shared.is_over.load(Ordering::Relaxed) {
        thread::sleep(KEEP_ALIVE);
    }
}

/// A state from some moves ago.
fn old_state(number: u64, world: &mut World) -> Option<Value> {
    let Topic::Game(id) = world.streams.get(&number)?.topic.clone() else { return None };
    let game = world.games.get(&id)?;
    let plies = game.moves.len().checked_sub(2)?;
    Some(game.state_after(plies))
}

fn chunk(output: &mut impl Write, line: &[u8]) -> io::Result<()> {
    let mut bytes = format!("{:x}\r\n", line.len() + 1).into_bytes();
    bytes.extend_from_slice(line);
    bytes.extend_from_slice(b"\n\r\n");
    output.write_all(&bytes)
}
