//! A way to the server that breaks: a proxy that closes connections in the middle of a line or after it, by a seed.
use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex, atomic::AtomicU32, atomic::Ordering::SeqCst},
    thread,
};

use oorandom::Rand32;
use wb_control::{Credentials, Server};

/// A running proxy; its threads end with the connections and with the test.
pub(crate) struct Proxy {
    /// Those of the server, at the proxy's address.
    pub(crate) credentials: Credentials,
    /// How many connections it broke.
    pub(crate) broken: Arc<AtomicU32>,
    /// The open ones; `None` when the server counts as dead.
    streams: Arc<Mutex<Option<Vec<TcpStream>>>>,
}

impl Proxy {
    /// Breaks a connection at a line, so often in a thousand, in each direction.
    pub(crate) fn new(server: &Server, per_thousand: u32, seed: u64) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("its address");
        let credentials = Credentials { address, ..server.credentials() };
        let (broken, streams) = (Arc::default(), Arc::new(Mutex::new(Some(vec![]))));
        let (count, open, server) = (Arc::clone(&broken), Arc::clone(&streams), server.credentials().address);
        thread::spawn(move || {
            for (number, client) in listener.incoming().flatten().enumerate() {
                let Some(open) = &mut *open.lock().expect("no panic") else { continue };
                let Ok(server) = TcpStream::connect(server) else { return };
                let seed = seed + 2 * number as u64;
                forward(&client, &server, per_thousand, seed, &count);
                forward(&server, &client, per_thousand, seed + 1, &count);
                open.extend([client, server]);
            }
        });
        Self { credentials, broken, streams }
    }

    /// Closes all connections, and every later one, as the end of the server's process does.
    pub(crate) fn kill(&self) {
        let streams = self.streams.lock().expect("no panic").take();
        for stream in streams.into_iter().flatten() {
            let _closed = stream.shutdown(Shutdown::Both);
        }
    }
}

fn forward(from: &TcpStream, to: &TcpStream, per_thousand: u32, seed: u64, broken: &Arc<AtomicU32>) {
    let (from, mut to) = (from.try_clone().expect("a handle"), to.try_clone().expect("a handle"));
    let (mut random, broken) = (Rand32::new(seed), Arc::clone(broken));
    to.set_nodelay(true).expect("an option");
    thread::spawn(move || {
        let mut reader = BufReader::new(from);
        let mut line = vec![];
        while reader.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            let breaks = random.rand_range(0..1000) < per_thousand;
            // A third of the lines still arrives whole: then the reply is lost.
            let bytes = random.rand_range(0..line.len() as u32 * 3 / 2) as usize;
            let bytes = if breaks { bytes.min(line.len()) } else { line.len() };
            let sent = to.write_all(&line[..bytes]);
            broken.fetch_add(breaks.into(), SeqCst);
            if breaks || sent.is_err() {
                break;
            }
            line.clear();
        }
        // Both directions: the peers' reads end.
        let _closed = (reader.get_ref().shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    });
}
