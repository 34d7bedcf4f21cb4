//! Requests, and the calls that complete them.
//!
//! A library may use one handle for several requests at a time (MPICH does so for sends that are complete when they start), so the first of them is
//! the one that is complete.
use std::ffi::c_int;

use wb_mpi::{
    ffi::{self, MPI_Message, MPI_Request, MPI_Status},
    handles,
};
use wb_record::{Envelope, EventKind};

use crate::{
    recorder::{Call, SendWords, Word, empty_status, message, source},
    trampoline::{Function, MAX_WORDS},
};

/// An operation that a call has started.
#[derive(Clone, Copy)]
pub(crate) enum Started {
    /// A send.
    Send(Envelope),
    /// A receive.
    Receive,
    /// A collective operation.
    Collective,
    /// An operation that concerns no other rank: a send to no rank, a collective operation without data.
    Nothing,
}

impl Started {
    /// A send with these arguments, or a receive.
    pub(crate) fn message(to: Option<SendWords>) -> Self {
        to.map_or(Self::Receive, |to| message(to).map_or(Self::Nothing, Self::Send))
    }

    /// The event of the call that starts the send or the receive.
    pub(crate) fn event(self, request: u32) -> EventKind {
        match self {
            Self::Send(to) => EventKind::StartSend { to, request },
            Self::Receive => EventKind::StartReceive { request },
            Self::Collective | Self::Nothing => EventKind::Local,
        }
    }
}

#[derive(Clone, Copy)]
struct Request {
    handle: MPI_Request,
    communicator: u32,
    number: u32,
    started: Started,
}

/// The requests of a rank.
#[derive(Default)]
pub(crate) struct Requests {
    pending: Vec<Request>,
    /// Persistent requests, whether they are active or not; the number has no meaning.
    persistent: Vec<Request>,
    /// The messages that a matched probe has taken from the queue, and their communicators.
    messages: Vec<(MPI_Message, Word)>,
    made: u32,
}

impl Requests {
    /// Adds a request and returns its number.
    pub(crate) fn add(&mut self, handle: MPI_Request, communicator: u32, started: Started) -> u32 {
        let number = self.made;
        self.made += 1;
        self.pending.push(Request { handle, communicator, number, started });
        number
    }

    fn take(&mut self, handle: MPI_Request) -> Option<Request> {
        let place = self.pending.iter().position(|request| request.handle == handle)?;
        Some(self.pending.remove(place))
    }

    fn forget(&mut self, handle: MPI_Request) {
        self.take(handle);
        self.persistent.retain(|request| request.handle != handle);
    }
}

static WAIT: Function = Function::new("MPI_Wait", "PMPI_Wait\0");

impl Call<'_> {
    /// Executes a matched probe; `found` is false if no message was there.
    pub(crate) fn probe_message(&mut self, comm: Word, message: Word, found: Option<Word>) -> c_int {
        let called = self.invoke();
        if called.0 && found.is_none_or(|found| found.at::<c_int>(0) != 0) {
            self.recorder.requests.messages.push((message.at(0), comm));
        }
        self.record(comm, called, |_, _| EventKind::Local)
    }

    /// The communicator of a message that a matched probe has found.
    pub(crate) fn take_message(&mut self, message: Word) -> Word {
        let messages = &mut self.recorder.requests.messages;
        let handle: MPI_Message = message.at(0);
        match messages.iter().position(|(known, _)| *known == handle) {
            Some(place) => messages.remove(place).1,
            None => Word::from_handle(handles::COMM_NULL),
        }
    }

    /// Executes a call that makes a persistent request.
    pub(crate) fn prepare(&mut self, comm: Word, request: Word, to: Option<SendWords>) -> c_int {
        let called = self.invoke();
        self.record(comm, called, |communicator, requests| {
            let (handle, communicator) = (request.at(0), communicator.number);
            requests.persistent.push(Request {
                handle,
                communicator,
                number: 0,
                started: Started::message(to),
            });
            EventKind::Local
        })
    }

    /// Executes the start of persistent requests.
    pub(crate) fn start_persistent(&mut self, count: usize, requests: Word) -> c_int {
        let (is_ok, code) = self.invoke();
        for place in 0..if is_ok { count } else { 0 } {
            let (handle, all) = (requests.at::<MPI_Request>(place), &mut self.recorder.requests);
            if let Some(&request) = all.persistent.iter().find(|request| request.handle == handle) {
                let number = all.add(handle, request.communicator, request.started);
                self.write(request.communicator, request.started.event(number));
            }
        }
        code
    }

    /// Executes the release of a request.
    pub(crate) fn free_request(&mut self, request: Word) -> c_int {
        let handle: MPI_Request = request.at(0);
        let (is_ok, code) = self.invoke();
        if is_ok {
            self.recorder.requests.forget(handle);
            self.write(0, EventKind::Local);
        }
        code
    }

    /// Executes the wait for all of several requests, one after the other: so the time of each is known.
    pub(crate) fn wait_all(&mut self, count: usize, requests: Word, statuses: Word) -> c_int {
        let mut is_any = false;
        for place in 0..count {
            let handle: MPI_Request = requests.at(place);
            let mut own = empty_status();
            let status = match statuses.0 == ignored_statuses() as usize {
                true => &raw mut own,
                false => (statuses.0 as *mut MPI_Status).wrapping_add(place),
            };
            let mut words = [0; MAX_WORDS];
            words[0] = (requests.0 as *const MPI_Request).wrapping_add(place) as usize;
            words[1] = status as usize;
            let (is_ok, code) = self.invoke_as(&WAIT, &words);
            if !is_ok {
                return self.fail_at(place, count, statuses, code);
            }
            is_any |= self.finish(handle, status);
        }
        if !is_any {
            self.write(0, EventKind::Local);
        }
        handles::SUCCESS
    }

    /// The code of a wait for all that has failed at `place`: the statuses say so, and that the later ones are pending.
    fn fail_at(&mut self, place: usize, count: usize, statuses: Word, code: c_int) -> c_int {
        if statuses.0 == ignored_statuses() as usize {
            return code;
        }
        for at in 0..count {
            let error = match at.cmp(&place) {
                std::cmp::Ordering::Less => handles::SUCCESS,
                std::cmp::Ordering::Equal => code,
                std::cmp::Ordering::Greater => handles::ERR_PENDING,
            };
            // SAFETY: the program passes an array of `count` statuses.
            unsafe { (*(statuses.0 as *mut MPI_Status).add(at)).MPI_ERROR = error };
        }
        handles::ERR_IN_STATUS
    }

    /// Executes a wait for, or a test of, one request; `done` is false if a test did not find it complete.
    pub(crate) fn complete_one(&mut self, request: Word, status: usize, done: Option<Word>) -> c_int {
        let handle: MPI_Request = request.at(0);
        let mut own = empty_status();
        let status = self.status(status, &mut own);
        let (is_ok, code) = self.invoke();
        if is_ok {
            let is_done = done.is_none_or(|done| done.at::<c_int>(0) != 0);
            if !(is_done && self.finish(handle, status)) {
                self.write(0, EventKind::Local);
            }
        }
        code
    }

    /// Executes a wait for, or a test of, any of several requests.
    pub(crate) fn complete_any(&mut self, count: usize, requests: Word, index: Word, status: usize) -> c_int {
        let mut own = empty_status();
        let status = self.status(status, &mut own);
        self.complete(count, requests, status, || match usize::try_from(index.at::<c_int>(0)) {
            Ok(place) if place < count => vec![place],
            _ => vec![],
        })
    }

    /// Executes a test of all of several requests.
    pub(crate) fn test_all(&mut self, count: usize, requests: Word, done: Word, statuses: usize) -> c_int {
        let mut own = vec![empty_status(); count];
        let statuses = self.array(statuses, own.as_mut_ptr(), ignored_statuses());
        let places = || (0..if done.at::<c_int>(0) == 0 { 0 } else { count }).collect();
        self.complete(count, requests, statuses, places)
    }

    /// Executes a wait for, or a test of, some of several requests; `[count, requests, number of completed ones, their indices]`.
    pub(crate) fn complete_some(
        &mut self,
        [count, requests, done, indices]: [Word; 4],
        statuses: usize,
    ) -> c_int {
        let count = count.length();
        let mut own = vec![empty_status(); count];
        let statuses = self.array(statuses, own.as_mut_ptr(), ignored_statuses());
        let places = || {
            // The number is `MPI_UNDEFINED` if no request was active.
            let done = usize::try_from(done.at::<c_int>(0)).unwrap_or(0);
            (0..done.min(count)).map(|at| indices.at::<c_int>(at) as usize).collect()
        };
        self.complete(count, requests, statuses, places)
    }

    /// Executes a call that completes the requests in these places, whose statuses follow each other.
    fn complete(
        &mut self,
        count: usize,
        requests: Word,
        statuses: *const MPI_Status,
        places: impl FnOnce() -> Vec<usize>,
    ) -> c_int {
        let handles: Vec<MPI_Request> = (0..count).map(|place| requests.at(place)).collect();
        let (is_ok, code) = self.invoke();
        if is_ok {
            let mut is_any = false;
            for (at, place) in places().into_iter().enumerate() {
                is_any |= self.finish(handles[place], statuses.wrapping_add(at));
            }
            if !is_any {
                self.write(0, EventKind::Local);
            }
        }
        code
    }

    /// Writes the event of a completed request. Returns whether it was known.
    fn finish(&mut self, handle: MPI_Request, status: *const MPI_Status) -> bool {
        let Some(Request { communicator, number: request, started, .. }) =
            self.recorder.requests.take(handle)
        else {
            return false;
        };
        let act = match started {
            Started::Send(_) => EventKind::FinishSend { request },
            Started::Nothing => EventKind::Local,
            Started::Collective => EventKind::FinishCollective { request },
            Started::Receive if is_cancelled(status) => EventKind::Local,
            Started::Receive => match source(status) {
                Some(from) => EventKind::FinishReceive { request, from },
                None => EventKind::Local,
            },
        };
        self.write(communicator, act);
        true
    }
}

fn is_cancelled(status: *const MPI_Status) -> bool {
    let mut flag = 0;
    // SAFETY: the library has filled the status.
    unsafe { ffi::MPI_Test_cancelled(status, &raw mut flag) };
    flag != 0
}

fn ignored_statuses() -> *mut MPI_Status {
    // SAFETY: the variable of the binding is a constant.
    unsafe { ffi::RSMPI_STATUSES_IGNORE }
}
