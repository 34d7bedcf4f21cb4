//! A store without sockets behind a link that delays, reorders, repeats and loses, by a seed.
use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use oorandom::Rand32;
use wb_control::{
    Client, Error, Limits, Link, Persistence, Result, Secret, State,
    protocol::{Answer, Hello, Op, Reply, Request, VERSION},
};

/// The store, and the replies that are on their way.
pub(crate) struct World {
    inside: Mutex<Inside>,
    changed: Condvar,
}

pub(crate) struct Inside {
    pub(crate) state: State,
    replies: HashMap<u64, Vec<Reply>>,
    /// Copies of requests that will arrive once more, late.
    strays: Vec<(u64, Request)>,
    /// The largest number of keys there has been.
    pub(crate) most_keys: usize,
}

impl Inside {
    fn deliver(&mut self, client: u64, request: Request) {
        let replies = self.state.request(Instant::now(), client, request);
        self.most_keys = self.most_keys.max(self.state.statistics().keys);
        self.post(replies);
    }

    fn post(&mut self, replies: Vec<(u64, Reply)>) {
        replies.into_iter().for_each(|(client, reply)| self.replies.entry(client).or_default().push(reply));
    }
}

impl World {
    pub(crate) fn new() -> Arc<Self> {
        let inside = Inside {
            state: State::new(Limits::default()),
            replies: HashMap::new(),
            strays: vec![],
            most_keys: 0,
        };
        Arc::new(Self { inside: Mutex::new(inside), changed: Condvar::new() })
    }

    pub(crate) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().expect("no panic inside")
    }

    /// Returns once the key is there (or, not `there`, once it is not).
    pub(crate) fn wait_for(self: &Arc<Self>, key: &str, there: bool) {
        let until = Instant::now() + Duration::from_secs(20);
        let mut client =
            Client::over(FakeLink::new(self, Faults::NONE, 0), PATIENT).expect("the fake takes all");
        while wb_control::Store::get(&mut client, key, Duration::ZERO).expect("a get").is_some() != there {
            assert!(Instant::now() < until, "{key} does not change");
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// How often, in a thousand, something happens to a request.
#[derive(Clone, Copy)]
pub(crate) struct Faults {
    pub(crate) lost_request: u32,
    pub(crate) lost_reply: u32,
    pub(crate) stray_copy: u32,
    /// At most so many microseconds on the way; different for each request, which reorders those of different clients.
    pub(crate) delay: u32,
    /// A client that repeats a request under a new number, as a canary.
    pub(crate) renumbers: bool,
}

impl Faults {
    pub(crate) const NONE: Self =
        Self { lost_request: 0, lost_reply: 0, stray_copy: 0, delay: 0, renumbers: false };
    pub(crate) const MANY: Self =
        Self { lost_request: 60, lost_reply: 60, stray_copy: 80, delay: 150, renumbers: false };
}

/// Never gives up before its deadline.
pub(crate) const PATIENT: Persistence =
    Persistence { reply: Duration::from_secs(5), attempts: 20, pause: Duration::from_micros(50) };

/// Called before a request goes out; may wait.
pub(crate) type Gate = Box<dyn FnMut(&Op) + Send>;

pub(crate) struct FakeLink {
    world: Arc<World>,
    faults: Faults,
    random: Rand32,
    client: u64,
    /// What is added to request numbers by a client that renumbers.
    shift: u64,
    pub(crate) gate: Option<Gate>,
}

impl FakeLink {
    pub(crate) fn new(world: &Arc<World>, faults: Faults, seed: u64) -> Self {
        Self { world: Arc::clone(world), faults, random: Rand32::new(seed), client: 0, shift: 0, gate: None }
    }

    fn happens(&mut self, per_thousand: u32) -> bool {
        self.random.rand_range(0..1000) < per_thousand
    }

    fn lost(&self, what: &str) -> Error {
        Error::Link { server: "fake".into(), why: format!("{what} is lost") }
    }

    fn sleep(&mut self) {
        if self.faults.delay > 0 {
            thread::sleep(Duration::from_micros(u64::from(self.random.rand_range(0..self.faults.delay))));
        }
    }

    fn await_reply(&self, id: u64, by: Instant) -> Result<Answer> {
        let mut inside = self.world.inside();
        loop {
            let now = Instant::now();
            let late = inside.state.expire(now);
            if !late.is_empty() {
                inside.post(late);
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
            let next = inside.state.next_deadline().map_or(by, |next| next.min(by));
            let wait = next.saturating_duration_since(now) + Duration::from_micros(100);
            inside = self.world.changed.wait_timeout(inside, wait).expect("no panic inside").0;
        }
    }
}

impl Link for FakeLink {
    fn open(&mut self, (client, key): (u64, Secret), last: u64, _: Instant) -> Result<()> {
        self.client = client;
        // The store does not look at tokens, servers do.
        let hello = Hello { version: VERSION, client, last, token: Secret::random(), key };
        let refused = |why| Error::Refused { server: "fake".into(), why };
        self.world.inside().state.hello(Instant::now(), hello).map_err(refused)
    }

    fn exchange(&mut self, request: &Request, by: Instant) -> Result<Answer> {
        if let Some(gate) = &mut self.gate {
            gate(&request.op);
        }
        let request = Request { id: request.id + self.shift, op: request.op.clone() };
        self.sleep();
        if self.happens(self.faults.lost_request) {
            return Err(self.lost("the request"));
        }
        let (stray, lost) = (self.happens(self.faults.stray_copy), self.happens(self.faults.lost_reply));
        {
            let mut inside = self.world.inside();
            if self.random.rand_range(0..3) == 0 {
                std::mem::take(&mut inside.strays)
                    .into_iter()
                    .for_each(|(client, copy)| inside.deliver(client, copy));
            }
            inside.deliver(self.client, request.clone());
            if stray {
                inside.strays.push((self.client, request.clone()));
            }
        }
        self.world.changed.notify_all();
        self.sleep();
        if lost {
            self.shift += u64::from(self.faults.renumbers);
            self.world.inside().replies.remove(&self.client);
            return Err(self.lost("the reply"));
        }
        self.await_reply(request.id, by)
    }

    fn bye(&mut self) {
        self.world.inside().state.bye(self.client);
    }

    fn server(&self) -> String {
        "fake".into()
    }
}
