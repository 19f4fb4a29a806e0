//! The stream of one game, read by a thread of its own.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use log::{debug, warn};
use ollehto::time_source::Timestamp;

use crate::api::Api;
use crate::http::HttpError;
use crate::ndjson::Line;
use crate::site::{GameLine, Id};

#[derive(Debug)]
pub enum FeedEvent {
    /// A blank line.
    Alive,
    Line(GameLine),
    /// The last event of a connection.
    Ended(HttpError),
}

#[derive(Debug)]
pub struct FeedMessage {
    /// Of the connection that it came by.
    pub connection: u32,
    pub arrived: Timestamp,
    pub event: FeedEvent,
}

/// One connection after the other. The site ends the old stream of a game when a new one begins.
pub struct Feed {
    api: Api,
    id: Id,
    /// The number of the present connection.
    current: Arc<AtomicU32>,
    sender: Sender<FeedMessage>,
    messages: Receiver<FeedMessage>,
}

impl Feed {
    #[must_use]
    pub fn new(api: Api, id: Id) -> Self {
        let (sender, messages) = unbounded();
        Self { api, id, current: Arc::new(AtomicU32::new(0)), sender, messages }
    }

    #[must_use]
    pub const fn messages(&self) -> &Receiver<FeedMessage> {
        &self.messages
    }

    #[must_use]
    pub fn connection(&self) -> u32 {
        self.current.load(Ordering::Relaxed)
    }

    /// Leaves the present connection and opens a new one after a pause.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn open(&self, pause: Duration) -> io::Result<()> {
        let connection = self.current.fetch_add(1, Ordering::Relaxed) + 1;
        let reader = Reader {
            api: self.api.clone(),
            id: self.id.clone(),
            connection,
            current: Arc::clone(&self.current),
            sender: self.sender.clone(),
        };
        thread::Builder::new().name(format!("stream {}", self.id)).spawn(move || {
            thread::sleep(pause);
            reader.run();
        })?;
        Ok(())
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.current.fetch_add(1, Ordering::Relaxed);
    }
}

struct Reader {
    api: Api,
    id: Id,
    connection: u32,
    current: Arc<AtomicU32>,
    sender: Sender<FeedMessage>,
}

impl Reader {
    fn run(self) {
        if self.is_wanted() {
            let error = self.read().err().unwrap_or(HttpError::Temporary("the stream ended".into()));
            self.send(FeedEvent::Ended(error));
        }
    }

    fn is_wanted(&self) -> bool {
        self.current.load(Ordering::Relaxed) == self.connection
    }

    fn read(&self) -> Result<(), HttpError> {
        let lost = |error: io::Error| HttpError::Temporary(format!("the stream broke: {error}"));
        let mut stream = self.api.game(&self.id)?;
        while let Some(line) = stream.next_line().map_err(lost)? {
            if !self.is_wanted() {
                break;
            }
            let event = match line {
                Line::KeepAlive => FeedEvent::Alive,
                Line::Value(value) => match GameLine::read(&value) {
                    Ok(line) => FeedEvent::Line(line),
                    Err(unexpected) => {
                        warn!("game {}: a line of the stream is odd: {}", self.id, unexpected.0);
                        continue;
                    }
                },
                Line::Garbage(text) => {
                    debug!("game {}: garbage in the stream: {text}", self.id);
                    continue;
                }
            };
            self.send(event);
        }
        Ok(())
    }

    fn send(&self, event: FeedEvent) {
        // Nobody receives once the game is over.
        let arrived = Timestamp::now();
        let _ = self.sender.send(FeedMessage { connection: self.connection, arrived, event });
    }
}
