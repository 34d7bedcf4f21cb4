//! A store without sockets behind a link that delays, reorders, repeats and loses, by a seed.
use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use oorandom::Rand32;
use wb_control::{
    Client, Error, Result, RetryPolicy, Secret, StoreLimits, StoreLink, StoreState,
    protocol::{Hello, Reply, ReplyBody, StoreOp, StoreRequest, VERSION},
};

/// The store, and the replies that are on their way.
pub(crate) struct FakeStore {
    state: Mutex<FakeStoreState>,
    changed: Condvar,
}

pub(crate) struct FakeStoreState {
    pub(crate) store: StoreState,
    replies: HashMap<u64, Vec<Reply>>,
    /// Copies of requests that will arrive once more, late.
    late_copies: Vec<(u64, StoreRequest)>,
    /// The largest number of keys there has been.
    pub(crate) max_keys: usize,
}

impl FakeStoreState {
    fn deliver(&mut self, client: u64, request: StoreRequest) {
        let replies = self.store.request(Instant::now(), client, request);
        self.max_keys = self.max_keys.max(self.store.statistics().keys);
        self.queue_replies(replies);
    }

    fn queue_replies(&mut self, replies: Vec<(u64, Reply)>) {
        replies.into_iter().for_each(|(client, reply)| self.replies.entry(client).or_default().push(reply));
    }
}

impl FakeStore {
    pub(crate) fn new() -> Arc<Self> {
        let inside = FakeStoreState {
            store: StoreState::new(StoreLimits::default()),
            replies: HashMap::new(),
            late_copies: vec![],
            max_keys: 0,
        };
        Arc::new(Self { state: Mutex::new(inside), changed: Condvar::new() })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, FakeStoreState> {
        self.state.lock().expect("no panic inside")
    }

    /// Returns once the key is there (or, not `there`, once it is not).
    pub(crate) fn wait_for(self: &Arc<Self>, key: &str, there: bool) {
        let until = Instant::now() + Duration::from_secs(20);
        let mut client = Client::with_link(FakeLink::new(self, NetworkFaults::NONE, 0), NO_TIMEOUT)
            .expect("the fake takes all");
        while wb_control::Store::get(&mut client, key, Duration::ZERO).expect("a get").is_some() != there {
            assert!(Instant::now() < until, "{key} does not change");
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// How often, in a thousand, something happens to a request.
#[derive(Clone, Copy)]
pub(crate) struct NetworkFaults {
    pub(crate) lost_request: u32,
    pub(crate) lost_reply: u32,
    pub(crate) stray_copy: u32,
    /// The longest delay in microseconds; it differs between requests, which reorders those of different clients.
    pub(crate) delay: u32,
    /// A client that repeats a request under a new number, as a canary.
    pub(crate) renumbers: bool,
}

impl NetworkFaults {
    pub(crate) const NONE: Self =
        Self { lost_request: 0, lost_reply: 0, stray_copy: 0, delay: 0, renumbers: false };
    pub(crate) const MANY: Self =
        Self { lost_request: 60, lost_reply: 60, stray_copy: 80, delay: 150, renumbers: false };
}

/// Never gives up before its deadline.
pub(crate) const NO_TIMEOUT: RetryPolicy = RetryPolicy {
    reply_timeout: Duration::from_secs(5),
    max_attempts: 20,
    initial_backoff: Duration::from_micros(50),
};

/// Called before a request goes out; may wait.
pub(crate) type RequestHook = Box<dyn FnMut(&StoreOp) + Send>;

pub(crate) struct FakeLink {
    world: Arc<FakeStore>,
    faults: NetworkFaults,
    random: Rand32,
    client: u64,
    /// What is added to request numbers by a client that renumbers.
    number_offset: u64,
    pub(crate) request_hook: Option<RequestHook>,
}

impl FakeLink {
    pub(crate) fn new(world: &Arc<FakeStore>, faults: NetworkFaults, seed: u64) -> Self {
        Self {
            world: Arc::clone(world),
            faults,
            random: Rand32::new(seed),
            client: 0,
            number_offset: 0,
            request_hook: None,
        }
    }

    fn is_drawn(&mut self, per_thousand: u32) -> bool {
        self.random.rand_range(0..1000) < per_thousand
    }

    fn lost(&self, what: &str) -> Error {
        Error::Link { server: "fake".into(), reason: format!("{what} is lost") }
    }

    fn sleep(&mut self) {
        if self.faults.delay > 0 {
            thread::sleep(Duration::from_micros(u64::from(self.random.rand_range(0..self.faults.delay))));
        }
    }

    fn await_reply(&self, id: u64, by: Instant) -> Result<ReplyBody> {
        let mut inside = self.world.lock();
        loop {
            let now = Instant::now();
            let late = inside.store.expire(now);
            if !late.is_empty() {
                inside.queue_replies(late);
                self.world.changed.notify_all();
            }
            let mine = inside.replies.entry(self.client).or_default();
            if let Some(found) = mine.iter().position(|reply| reply.id == id) {
                let answer = mine.swap_remove(found).answer;
                // What else is there answers requests that are over.
                mine.clear();
                return Ok(answer);
            }
            if now >= by {
                return Err(self.lost("the time"));
            }
            let next = inside.store.next_deadline().map_or(by, |next| next.min(by));
            let wait = next.saturating_duration_since(now) + Duration::from_micros(100);
            inside = self.world.changed.wait_timeout(inside, wait).expect("no panic inside").0;
        }
    }
}

impl StoreLink for FakeLink {
    fn open(&mut self, (client, key): (u64, Secret), last: u64, _: Instant) -> Result<()> {
        self.client = client;
        // The store does not look at tokens, servers do.
        let hello = Hello { version: VERSION, client, last, token: Secret::random(), key };
        let refused = |why| Error::Refused { server: "fake".into(), reason: why };
        self.world.lock().store.hello(Instant::now(), hello).map_err(refused)
    }

    fn exchange(&mut self, request: &StoreRequest, by: Instant) -> Result<ReplyBody> {
        if let Some(gate) = &mut self.request_hook {
            gate(&request.op);
        }
        let request = StoreRequest { id: request.id + self.number_offset, op: request.op.clone() };
        self.sleep();
        if self.is_drawn(self.faults.lost_request) {
            return Err(self.lost("the request"));
        }
        let (stray, lost) = (self.is_drawn(self.faults.stray_copy), self.is_drawn(self.faults.lost_reply));
        {
            let mut inside = self.world.lock();
            if self.random.rand_range(0..3) == 0 {
                std::mem::take(&mut inside.late_copies)
                    .into_iter()
                    .for_each(|(client, copy)| inside.deliver(client, copy));
            }
            inside.deliver(self.client, request.clone());
            if stray {
                inside.late_copies.push((self.client, request.clone()));
            }
        }
        self.world.changed.notify_all();
        self.sleep();
        if lost {
            self.number_offset += u64::from(self.faults.renumbers);
            self.world.lock().replies.remove(&self.client);
            return Err(self.lost("the reply"));
        }
        self.await_reply(request.id, by)
    }

    fn bye(&mut self) {
        self.world.lock().store.bye(self.client);
    }

    fn server(&self) -> String {
        "fake".into()
    }
}
