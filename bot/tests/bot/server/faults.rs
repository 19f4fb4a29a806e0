//! What goes wrong at the server, how often, and how often it did.

use std::collections::BTreeMap;

use ollehto::random::Random;

/// On the way of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestFault {
    None,
    /// The connection is cut before the request is read.
    Cut,
    /// The request is carried out, and its answer cut off at any byte.
    AnswerCut,
    /// The request is carried out, and the answer is no JSON.
    AnswerGarbled,
    /// The request is carried out, and the answer comes after the client has given up.
    AnswerLate,
    Slow,
    BadGateway,
    TooMany,
    /// With a header that says how long to wait.
    TooManyForSeconds,
    /// "No such game", though there is one.
    Forgotten,
}

/// In a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StreamFault {
    None,
    /// The line comes twice.
    Repeated,
    /// The line comes after the next one.
    Swapped,
    /// An old state follows.
    Old,
    /// Something else comes first.
    Garbage,
    /// The line never comes.
    Lost,
    /// The connection is cut within the line.
    Cut,
    /// Only keep-alives from now on.
    Mute,
    /// Not even those.
    Dead,
    Slow,
}

#[derive(Debug)]
pub struct Faults {
    /// In thousandths; 0 for a kind server.
    pub rate: u64,
    random: Random,
    pub seen: BTreeMap<String, u32>,
}

const REQUEST_FAULTS: [RequestFault; 9] = [
    RequestFault::Cut,
    RequestFault::AnswerCut,
    RequestFault::AnswerGarbled,
    RequestFault::AnswerLate,
    RequestFault::Slow,
    RequestFault::BadGateway,
    RequestFault::TooMany,
    RequestFault::TooManyForSeconds,
    RequestFault::Forgotten,
];

const STREAM_FAULTS: [StreamFault; 9] = [
    StreamFault::Repeated,
    StreamFault::Swapped,
    StreamFault::Old,
    StreamFault::Garbage,
    StreamFault::Lost,
    StreamFault::Cut,
    StreamFault::Mute,
    StreamFault::Dead,
    StreamFault::Slow,
];

impl Faults {
    pub fn new(rate: u64, seed: u64) -> Self {
        Self { rate, random: Random::new(seed), seen: BTreeMap::new() }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.random.draw() % limit.max(1) as u64) as usize
    }

    pub fn chance(&mut self, thousandths: u64) -> bool {
        self.random.draw() % 1000 < thousandths
    }

    pub fn of_request(&mut self, is_game_stream: bool) -> RequestFault {
        if !self.chance(self.rate) {
            return RequestFault::None;
        }
        let fault = REQUEST_FAULTS[self.below(REQUEST_FAULTS.len())];
        // A pause of a whole second takes long.
        let name = format!("request: {fault:?}");
        let is_odd = match fault {
            RequestFault::Forgotten => !is_game_stream,
            RequestFault::TooManyForSeconds => self.seen.get(&name).is_some_and(|&count| count == 5),
            _ => false,
        };
        if is_odd {
            return RequestFault::None;
        }
        self.count(name);
        fault
    }

    pub fn of_line(&mut self) -> StreamFault {
        if !self.chance(self.rate) {
            return StreamFault::None;
        }
        let fault = STREAM_FAULTS[self.below(STREAM_FAULTS.len())];
        // These take long to be noticed.
        if matches!(fault, StreamFault::Mute | StreamFault::Dead) && !self.chance(300) {
            return StreamFault::None;
        }
        self.count(format!("stream: {fault:?}"));
        fault
    }

    pub fn count(&mut self, what: String) {
        *self.seen.entry(what).or_default() += 1;
    }

    /// A line that no client can want.
    pub fn garbage(&mut self) -> Vec<u8> {
        let kinds: [&[u8]; 9] = [
            b"\x00\xff\xfe\x80garbage",
            b"{\"type\":\"gameState\",\"moves\":",
            b"<html><body>502 Bad Gateway</body></html>",
            b"{\"type\":\"gameState\",\"moves\":5,\"wtime\":\"soon\"}",
            b"{\"type\":\"challenge\",\"challenge\":{\"id\":\"../../etc\"}}",
            b"[[[[]]]]",
            b"null",
            b"{\"type\":\"opponentGone\",\"gone\":true}",
            b"{\"type\":\"gameState\",\"moves\":\"P@a1 P@a1 x\",\"wtime\":1,\"btime\":1,\"status\":\"started\"}",
        ];
        match self.below(kinds.len() + 1) {
            kind if kind < kinds.len() => kinds[kind].to_vec(),
            _ => vec![b'x'; 300_000],
        }
    }
}
