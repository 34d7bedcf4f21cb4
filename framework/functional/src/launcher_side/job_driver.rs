//! Passes the events of a job to its coordinator, and the instructions of the coordinator to the job.
use std::{
    io,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use wb_process::{JobExit, identity};
use wb_runner::{JobEvent, RunningJob, channel::ChannelEvent, launch};

use crate::{
    coordinator::{Coordinator, EarlyEnd},
    evidence::event::TestEvent,
    job_protocol::{CHECKING_TIMEOUT, JobOrder, STEP_TIMEOUT},
    test::limit,
};

/// How long a job on several hosts may take to end after rank 0 has ended: a launcher that waits for a host that it does not reach does
/// not end by itself.
const END_MAX: Duration = Duration::from_secs(10);

/// Coordinates a job up to its end. `on_early_end` is called before the processes leave a job that has ended early.
pub(crate) fn drive(
    job: &mut RunningJob<TestEvent>,
    coordinator: &Mutex<Coordinator>,
    order: &JobOrder,
    mut on_early_end: impl FnMut(EarlyEnd, &Coordinator),
) -> io::Result<JobExit> {
    // Without a limit a debugger may be attached, and a run may take a day.
    let patience = limit::time_limit().map(|limit| limit + STEP_TIMEOUT + CHECKING_TIMEOUT);
    job.set_deadline(patience);
    loop {
        let wait = lock(coordinator).check_interval();
        let event = job.next_event(wait)?;
        let mut coordinator = lock(coordinator);
        let (was_ending, now) = (coordinator.is_ending(), Instant::now());
        match event {
            JobEvent::Member(ChannelEvent::Joined { member: process, host, .. }) => {
                coordinator.join(&host);
                // The output of a process on another host is not in a file that it can read.
                let output = order.output.clone().filter(|_| host == identity::host_name());
                job.send(process, &JobOrder { output, ..order.clone() });
            }
            JobEvent::Member(ChannelEvent::Message { member: process, message: event, .. }) => {
                coordinator.handle(process, event, now);
                if !was_ending {
                    job.set_deadline(patience);
                }
            }
            JobEvent::Member(
                ChannelEvent::Closed { member: process } | ChannelEvent::Unreadable { member: process, .. },
            ) => coordinator.close(process, now),
            JobEvent::Member(ChannelEvent::Alive { .. } | ChannelEvent::Refused(_)) => {}
            JobEvent::Idle => coordinator.check(now),
            JobEvent::Ended(exit) => return Ok(exit),
        }
        if !was_ending && coordinator.is_ending() && launch::places_ranks() && patience.is_some() {
            job.set_deadline(Some(END_MAX));
        }
        if let Some(end) = coordinator.take_early_end() {
            on_early_end(end, &coordinator);
        }
        for (process, instruction) in coordinator.take_instructions() {
            job.send(process, &instruction);
        }
    }
}

fn lock(coordinator: &Mutex<Coordinator>) -> std::sync::MutexGuard<'_, Coordinator> {
    coordinator.lock().unwrap_or_else(PoisonError::into_inner)
}
