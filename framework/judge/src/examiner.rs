//! The examiner of an assignment: fresh inputs, the oracle, and the reference.
use std::{any::Any, io, marker::PhantomData, sync::Arc};

use wb_comm::{RankFunction, ThreadRanks};
use wb_config::AssignmentRule;
use wb_messages::{Lang, judge as text};
use wb_record::Version;
use wb_runner::{AllowedVerbs, channel::frame, diff_report, rank_result};
use wb_task::{Assignment, Pipeline, Place, Progress, Task, Verdict, Workload};
use wb_world::{Rooted, World};

use crate::message::RankStatement;

/// A seed that no one can guess: the two upper bits are zero, since a problem may add to its seed.
///
/// # Errors
/// When the system has no random numbers.
pub fn random_seed() -> io::Result<u64> {
    getrandom::u64().map(|random| random >> 2).map_err(io::Error::other)
}

/// The examiner of the assignment `A`.
pub struct Examiner<A> {
    threads: &'static dyn ThreadRanks,
    rules: &'static [AssignmentRule],
    lang: Lang,
    assignment: PhantomData<fn() -> A>,
}

// A derived implementation would ask the assignment to be `Copy`, too.
impl<A> Clone for Examiner<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Examiner<A> {}

impl<A: Assignment> Examiner<A> {
    /// An examiner that runs the reference on a thread of this process; `rules` are those of the variant.
    pub fn new(threads: &'static dyn ThreadRanks, rules: &'static [AssignmentRule], lang: Lang) -> Self {
        Self { threads, rules, lang, assignment: PhantomData }
    }

    /// A new input of a workload for this number of ranks, and its encoding; `None` when there is no such workload.
    ///
    /// # Errors
    /// When the system has no random numbers, or the input cannot be encoded.
    pub fn fresh_input(
        &self,
        name: &str,
        size: usize,
        ranks: usize,
    ) -> io::Result<Option<(A::Input, Vec<u8>)>> {
        let request = Workload { name: name.to_owned(), size, ranks, seed: random_seed()? };
        let Some(input) = A::workload(&request) else { return Ok(None) };
        let encoded = frame::encode(&input)?;
        Ok(Some((input, encoded)))
    }

    /// The bytes of an input.
    ///
    /// # Errors
    /// When its type cannot be encoded.
    pub fn encode(&self, input: &A::Input) -> io::Result<Vec<u8>> {
        frame::encode(input)
    }

    /// The rank, out of `ranks`, that gets this input.
    pub fn home(&self, input: &A::Input, ranks: usize) -> usize {
        Some(A::home(input, ranks)).filter(|&home| home < ranks).unwrap_or(0)
    }

    /// Whether the validation of the reference refuses an input.
    pub fn reference_refuses(&self, input: &A::Input, ranks: usize) -> bool {
        A::Reference::default().validation(input, ranks).is_err()
    }

    /// The objection to these outputs, one for each rank; `None` when all are right. Outputs must be where those of the
    /// reference are; further ones must be right, too. With `compares` they are also compared with the reference's output.
    /// Each rank must have stated the bytes that the problem asks of it, and no call that the version may not make.
    pub fn objection(
        &self,
        version: Version,
        input: &A::Input,
        (outputs, statements): (&[Option<Vec<u8>>], &[RankStatement]),
        compares: bool,
    ) -> Option<String> {
        let home = self.home(input, outputs.len());
        let is_required = |rank| <A::Reference as Task>::OUTPUT == Place::Everywhere || rank == home;
        let allowed = AllowedVerbs::of(version, self.rules);
        let others =
            statements.iter().map(|rank| allowed.count_others(&rank.counts)).fold(0, u64::saturating_add);
        if others > 0 {
            return Some(allowed.describe(others, self.lang));
        }
        let mut expected = None;
        for (rank, output) in outputs.iter().enumerate() {
            let Some(bytes) = output else {
                if is_required(rank) {
                    return Some(text::no_output(self.lang, rank));
                }
                continue;
            };
            let output = match frame::decode::<A::Output>(bytes) {
                Ok(output) => output,
                Err(error) => return Some(text::unreadable(self.lang, rank, error)),
            };
            if let Some(objection) = self.render(&A::check(input, &output)) {
                return Some(text::wrong(self.lang, rank, objection));
            }
            if outputs.len() > 1 {
                let least = A::least_sent_bytes(input, &output, outputs.len());
                let sent = statements.iter().zip(least).enumerate();
                let short = |(rank, (stated, least)): (usize, (&RankStatement, u64))| {
                    let sent = stated.counts.sent_bytes;
                    (sent < least).then(|| text::bypassed(self.lang, rank, sent, least))
                };
                if let Some(objection) = sent.into_iter().find_map(short) {
                    return Some(objection);
                }
            }
            if compares {
                let reference = expected.get_or_insert_with(|| self.reference_output(input));
                match reference {
                    Err(why) => return Some(text::no_reference(self.lang, why)),
                    Ok(expected) => {
                        if let Some(objection) = self.render(&A::compare(&output, expected)) {
                            return Some(text::differs(self.lang, rank, objection));
                        }
                    }
                }
            }
        }
        None
    }

    fn render(&self, verdict: &Verdict) -> Option<String> {
        diff_report::render_line(verdict, self.lang)
    }

    /// The reference's output, on one rank of this process.
    fn reference_output(&self, input: &A::Input) -> Result<A::Output, String> {
        let input = input.clone();
        let job: RankFunction = Arc::new(move |transport| {
            let world = World::new(transport);
            Box::new(reference_stages::<A>(&world, input.clone())) as Box<dyn Any + Send>
        });
        rank_result(0, self.threads.run(1, None, job).ranks.remove(0))?
    }
}

fn reference_stages<A: Assignment>(world: &World, input: A::Input) -> Result<A::Output, String> {
    let (reference, progress) = (A::Reference::default(), Progress::default());
    let stages = || {
        let pipeline = Pipeline::new(&reference, world, &progress, Rooted::Here(input), 0);
        let pipeline = pipeline.validation()?.preprocessing()?;
        let raw = pipeline.run()?;
        pipeline.postprocessing(raw)
    };
    let output = stages().map_err(|failure: wb_task::Failure| failure.to_string())?;
    output.here().ok_or_else(|| "the only rank has none".to_owned())
}
