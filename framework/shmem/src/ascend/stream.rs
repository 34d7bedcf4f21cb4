//! The host's side: a queue of kernels that the PE's cores serve in order, and barriers in it.
//!
//! Every core runs every item, one after the other; the host continues as soon as an item is in the queue. A barrier in
//! the queue therefore orders kernels, not hosts: the host has passed it when it has also *waited for the stream*.
use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
};

use crate::ascend::{Core, CoreSet, Error, Npu, NpuTeam, Result};

type StreamItem<'e> = Arc<dyn Fn(&mut Core<'_>) -> Result<()> + Send + Sync + 'e>;

/// The queue of kernels and barriers of one PE: the host appends items, and every core executes all of them in order.
pub struct Stream<'e> {
    queue: Mutex<StreamQueue<'e>>,
    changed: Condvar,
    cores: usize,
}

struct StreamQueue<'e> {
    /// The items that some core has not finished.
    items: VecDeque<StreamItem<'e>>,
    /// The number of items that all cores have finished.
    finished_items: usize,
    /// The number of items that each core has finished.
    finished: Vec<usize>,
    /// The first core's error that is not the consequence of another's.
    failure: Option<Error>,
    closed: bool,
}

impl<'e> StreamQueue<'e> {
    /// The number of items that have been queued.
    fn launched(&self) -> usize {
        self.finished_items + self.items.len()
    }

    /// The next item of a core, unless one has failed.
    fn next(&self, core: usize) -> Option<StreamItem<'e>> {
        let waiting = self.items.get(self.finished[core] - self.finished_items);
        waiting.filter(|_| self.failure.is_none()).cloned()
    }

    fn finish(&mut self, core: usize) {
        self.finished[core] += 1;
        while self.finished.iter().all(|finished| *finished > self.finished_items) {
            self.items.pop_front();
            self.finished_items += 1;
        }
    }
}

impl<'e> Stream<'e> {
    pub(crate) fn new(cores: usize) -> Self {
        let (items, finished) = (VecDeque::new(), vec![0; cores]);
        let queue = StreamQueue { items, finished_items: 0, finished, failure: None, closed: false };
        Self { queue: Mutex::new(queue), changed: Condvar::new(), cores }
    }

    fn lock(&self) -> MutexGuard<'_, StreamQueue<'e>> {
        self.queue.lock().expect("nothing panics while the queue is held")
    }

    /// Puts a kernel into the stream and returns immediately.
    pub fn launch(&self, kernel: impl Fn(&mut Core<'_>) -> Result<()> + Send + Sync + 'e) {
        self.lock().items.push_back(Arc::new(kernel));
        self.changed.notify_all();
    }

    /// Puts a barrier of the team into the stream and returns immediately.
    pub fn barrier_on_stream(&self, team: &NpuTeam, set: CoreSet) {
        let (team, member) = (team.clone(), move |core: &Core<'_>| set == CoreSet::All || core.is_vector());
        self.launch(move |core| if member(core) { core.barrier(&team, set) } else { Ok(()) });
    }

    /// Returns once every core has finished every item so far.
    ///
    /// # Errors
    /// The first item's error; items after it are not run.
    pub fn synchronize(&self) -> Result<()> {
        let waiting = |queue: &mut StreamQueue<'e>| queue.failure.is_none() && !queue.items.is_empty();
        let queue = self.changed.wait_while(self.lock(), waiting).expect("nothing panics while it is held");
        queue.failure.clone().map_or(Ok(()), Err)
    }

    /// A barrier of the team in the stream, waited for.
    ///
    /// # Errors
    /// As [`synchronize`](Self::synchronize).
    pub fn barrier(&self, team: &NpuTeam, set: CoreSet) -> Result<()> {
        self.barrier_on_stream(team, set);
        self.synchronize()
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// The loop of a core: runs items until the stream is closed and empty, or an item has failed.
    pub(crate) fn run_core(&self, npu: &Npu<'_>, core: usize) {
        loop {
            let idle = |queue: &mut StreamQueue<'e>| {
                !queue.closed && queue.failure.is_none() && queue.finished[core] == queue.launched()
            };
            let queue = self.changed.wait_while(self.lock(), idle).expect("nothing panics while it is held");
            let next = queue.next(core);
            drop(queue);
            let Some(item) = next else { return };
            let result = npu.run_core(core, &*item);
            let mut queue = self.lock();
            match result {
                Ok(()) => queue.finish(core),
                Err(error) if queue.failure.as_ref().is_none_or(Error::is_consequence) => {
                    queue.failure = Some(error);
                }
                Err(_) => {}
            }
            drop(queue);
            self.changed.notify_all();
        }
    }
}

impl Npu<'_> {
    /// Runs `host` beside cores that serve its stream; returns when the stream is empty.
    ///
    /// # Errors
    /// `host`'s error, else the stream's.
    pub fn with_stream<'e, R>(&self, host: impl FnOnce(&Stream<'e>) -> Result<R>) -> Result<R> {
        let stream = Stream::new(self.machine.cores_per_pe());
        thread::scope(|scope| {
            for core in 0..stream.cores {
                let stream = &stream;
                scope.spawn(move || stream.run_core(self, core));
            }
            let closing = CloseOnDrop(&stream);
            let result = host(&stream).inspect_err(|_| self.stop_all());
            drop(closing);
            result.and_then(|value| stream.synchronize().map(|()| value))
        })
    }
}

/// Closes the stream however the host leaves: its cores wait for nothing else.
struct CloseOnDrop<'s, 'e>(&'s Stream<'e>);

impl Drop for CloseOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
