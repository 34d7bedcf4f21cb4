//! Calls of a communication assignment's verb, as one pass: each rank gets elements of its own and returns what the calls left.
use std::time::Duration;

use wb_messages::judge as text;

use crate::{
    message::{self, CallOrder, MeasuredVerb, PassRegion, RankStatement, ToRank},
    pass::{PassEnd, Step},
    pass_deadline::PassDeadline,
    rank_job::RankJob,
};

/// Calls of a verb with roots 0, P - 1, P - 2, ...
#[derive(Clone, Copy, Debug)]
pub struct CallInput<'a> {
    /// Whose verb is called.
    pub verb: MeasuredVerb,
    /// The elements of one call.
    pub count: usize,
    /// The elements of all calls of each rank, one call after the other.
    pub elements: &'a [Vec<f64>],
    /// The limit of all calls together.
    pub limit: Option<Duration>,
}

/// Calls that all ranks have completed.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedCalls {
    /// From the start signal of the last rank to the answer of the last rank, by the judge's clock.
    pub elapsed_ns: u64,
    /// What the calls left of the elements of each rank.
    pub elements: Vec<Vec<f64>>,
    /// The statements of the ranks.
    pub statements: Vec<RankStatement>,
}

impl RankJob {
    /// Executes calls of a verb on all ranks.
    ///
    /// # Errors
    /// Every other end of a pass.
    ///
    /// # Panics
    /// When there are not the elements of every rank.
    pub fn run_calls(&mut self, input: &CallInput<'_>) -> Step<FinishedCalls> {
        assert_eq!(input.elements.len(), self.size(), "each rank has its elements");
        let deadline = PassDeadline::new(input.limit);
        let order = ToRank::PrepareCalls(CallOrder { verb: input.verb, count: input.count });
        let largest = input.elements.iter().map(|elements| size_of_val(&elements[..])).max();
        self.limit_outputs(largest.unwrap_or(0));
        for (rank, elements) in input.elements.iter().enumerate() {
            self.deliver(rank, &order, Some(&message::encode_numbers(elements)), deadline)?;
        }
        let (times, outside, answers) = self.time(PassRegion::Run, (0, None), deadline)?;
        let (outputs, statements) = self.outputs(answers, &outside)?;
        let mut elements = Vec::with_capacity(outputs.len());
        for (rank, (output, given)) in outputs.into_iter().zip(input.elements).enumerate() {
            let left = message::decode_numbers(&output.unwrap_or_default()).ok();
            let left = left.filter(|left| left.len() == given.len());
            let unreadable =
                || PassEnd::Failed { reason: text::other_length(self.lang(), rank, given.len()) };
            elements.push(left.ok_or_else(unreadable)?);
        }
        Ok(FinishedCalls { elapsed_ns: times.elapsed_ns, elements, statements })
    }
}
