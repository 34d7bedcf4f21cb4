//! Calls of a communication assignment's verb on one rank, under the signals of the judge.
//!
//! The elements of every call are new: an element that a rank has from an earlier call is of no use in a later one. The root
//! decreases by one from call to call, so that no call begins before the one before it has ended (see `wb_performance::sweep`).
use std::{
    hint::black_box,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use wb_comm::Transport;
use wb_runner::{RunnerLink, clock};
use wb_task::{Communication, Progress};
use wb_world::{Rooted, World};

use crate::{
    message::{self, CallOrder, FromRank, MeasuredVerb, ToRank},
    rank_pass::{PassResult, RankPassEnd, await_signal, end_pass, ready},
};

/// A communication assignment's verbs with their type erased.
pub(crate) trait ErasedVerb: Send + Sync {
    /// Executes the calls over this rank's elements; the answer is left to the caller.
    fn run_calls(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &CallOrder,
        elements: &[u8],
    ) -> io::Result<RankPassEnd>;
}

impl<C: Communication> ErasedVerb for C {
    fn run_calls(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &CallOrder,
        elements: &[u8],
    ) -> io::Result<RankPassEnd> {
        let world = World::new(transport);
        let mut data = message::decode_numbers(elements)?;
        let ended = catch_unwind(AssertUnwindSafe(|| timed_calls(self, &world, link, order, &mut data)));
        end_pass(ended, &world, &Progress::default())
    }
}

/// The calls between two readings of the clock, and what they left.
fn timed_calls(
    verbs: &impl Communication,
    world: &World,
    link: &RunnerLink,
    order: &CallOrder,
    data: &mut [f64],
) -> PassResult {
    let last = world.size() - 1;
    let (start, _) = ready(link)?;
    let mut root = 0;
    for call in data.chunks_exact_mut(order.count.max(1)) {
        match order.verb {
            MeasuredVerb::Own => verbs.own(world, black_box(call), root)?,
            MeasuredVerb::Library => verbs.library(world, black_box(call), root)?,
        }
        root = root.checked_sub(1).unwrap_or(last);
    }
    let times = (start, clock::now());
    link.send(&FromRank::Done, None)?;
    await_signal(link, &ToRank::Collect)?;
    Ok((times, Rooted::Here(message::encode_numbers(data))))
}
