//! The site as the bot sees it, with faults. Routes and fields are those of the table in `docs/bot.md`.

mod awake_time;
pub mod faults;
pub mod game;
mod http;
mod routes;
pub mod site_clock;
mod streams;
pub mod world;

use std::collections::HashMap;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use world::World;

pub const TOKEN: &str = "secretTOKEN0123456789";

/// What all connections share.
pub struct Shared {
    world: Mutex<World>,
    changed: Condvar,
    /// No connections are taken for a while.
    is_down: AtomicBool,
    is_over: AtomicBool,
    /// Another handle of each, by its number. It goes with the connection: a test has thousands, and a system may allow a
    /// process no more than a thousand files.
    connections: Mutex<HashMap<u64, TcpStream>>,
}

impl Shared {
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().expect("no thread of the server panics")
    }

    fn connections(&self) -> MutexGuard<'_, HashMap<u64, TcpStream>> {
        self.connections.lock().expect("no thread of the server panics")
    }
}

pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
}

impl Server {
    /// With so many faults in a thousand requests and lines.
    pub fn start(rate: u64, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        let shared = Arc::new(Shared {
            world: Mutex::new(World::new(rate, seed)),
            changed: Condvar::new(),
            is_down: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            connections: Mutex::default(),
        });
        let of_listener = Arc::clone(&shared);
        thread::spawn(move || listen(&listener, &of_listener));
        Self { shared, address }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Looks at the world or changes it.
    pub fn with<T>(&self, work: impl FnOnce(&mut World) -> T) -> T {
        let result = work(&mut self.shared.world());
        self.shared.changed.notify_all();
        result
    }

    /// Looks at every change until this is so.
    pub fn wait_until(&self, mut is_so: impl FnMut(&mut World) -> bool) {
        const PATIENCE: Duration = Duration::from_millis(20);
        // A bot that does nothing any more must not hold up the tests for ever.
        const STUCK: Duration = Duration::from_secs(100);
        let start = Instant::now();
        let mut world = self.shared.world();
        while !is_so(&mut world) {
            if start.elapsed() > STUCK {
                let stuck = format!("{:?} {:?} {:?}", world.totals, world.wrongs, world.games.values());
                drop(world);
                panic!("stuck: {stuck}");
            }
            world = self.shared.changed.wait_timeout(world, PATIENCE).expect("no thread panics").0;
        }
        drop(world);
        self.shared.changed.notify_all();
    }

    /// Whether a connection is open.
    pub fn is_connected(&self) -> bool {
        !self.shared.connections().is_empty()
    }

    /// All connections break; the last moves of some games are forgotten.
    pub fn restart(&self, pause: Duration) {
        self.shared.is_down.store(true, Ordering::Relaxed);
        for (_, connection) in self.shared.connections().drain() {
            let _ = connection.shutdown(Shutdown::Both);
        }
        self.with(World::forget);
        thread::sleep(pause);
        self.shared.is_down.store(false, Ordering::Relaxed);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
        // Wakes the listener.
        let _ = TcpStream::connect(self.address);
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for (number, connection) in (0..).zip(listener.incoming()) {
        if shared.is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(connection) = connection else { continue };
        if shared.is_down.load(Ordering::Relaxed) {
            continue;
        }
        if let Ok(clone) = connection.try_clone() {
            shared.connections().insert(number, clone);
        }
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            http::serve(connection, &shared);
            shared.connections().remove(&number);
        });
    }
}
