//! A way to the server that breaks: a proxy that closes connections instead of passing a line on, by a seed.
use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    thread,
};

use oorandom::Rand32;

/// A running proxy; its threads end with the connections and with the test.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    /// How many connections it broke.
    pub(crate) broken: Arc<AtomicU32>,
}

impl Proxy {
    /// Breaks instead of passing on, so often in a thousand, in each direction.
    pub(crate) fn new(server: SocketAddr, per_thousand: u32) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let (address, broken) = (listener.local_addr().expect("its address"), Arc::new(AtomicU32::new(0)));
        let count = Arc::clone(&broken);
        thread::spawn(move || {
            for (seed, client) in listener.incoming().enumerate() {
                let Ok(client) = client else { return };
                let Ok(server) = TcpStream::connect(server) else { return };
                let seed = 2 * seed as u64;
                forward(&client, &server, per_thousand, seed, &count);
                forward(&server, &client, per_thousand, seed + 1, &count);
            }
        });
        Self { address, broken }
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
            if random.rand_range(0..1000) < per_thousand {
                broken.fetch_add(1, SeqCst);
                break;
            }
            if to.write_all(&line).is_err() {
                break;
            }
            line.clear();
        }
        // Both directions: the peers' reads end.
        let _closed = (reader.get_ref().shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    });
}
