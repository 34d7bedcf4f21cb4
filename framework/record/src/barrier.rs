//! The results of the laboratory: one line for the run, then one for each form of a barrier or of another collective operation at each size.
//!
//! A *form* is a barrier with everything that it runs on: the substrate, the encoding of signals in memory, the layout of the
//! cells, and whether ranks are processes or threads. Times are recorded as they were measured; the reader computes medians,
//! ratios and verdicts. A failure is a line too.
//!
//! *References* are the forms that others are compared with. They are visited more often than once a round, so that every
//! other visit is next to one of theirs. The begin of each visit is recorded, and neighbours in time are pairs.
//!
//! A form of another operation than the barrier has its name and the bytes of a rank's block. Its visits are single calls that all ranks start
//! at one time: a batch is one episode, from the last entry to the last exit. [`collective_cells`] computes the medians and the ratios.
use serde::{Deserialize, Serialize};

use crate::fields::{ANY, COUNT, FieldVisitor, NS, POSITIVE, RANKS, VisitFields, fields};
mod collective_cell;
mod episode_messages;
mod example;
mod pairs;

pub use collective_cell::{CollectiveCell, CollectiveWay, collective_cells};
pub use episode_messages::EpisodeMessages;
pub use example::{example_barriers, example_collectives};

use crate::{Backend, ComparedClock, Environment, HostPlacement, ReadError, identity::LineIdentity};

/// The library's barrier, which all others are compared with.
pub const BASELINE: &str = "mpi_barrier";

/// The lower bound of every barrier of two ranks.
pub const REFERENCE: &str = "bare_handshake";

/// The variants that others are compared with: the library's barrier, OpenSHMEM's, and the reference of two ranks.
pub const REFERENCE_VARIANTS: [&str; 3] = [BASELINE, REFERENCE, "shmem_barrier_all"];

/// The family of the forms of an operation that others of the same job and size are compared with: the library's call, or our messages
/// between threads.
pub const BASELINE_FAMILY: &str = "baseline";

/// The operation of the forms that are no operation of data: a start and a return, and the bare handshake.
pub const REFERENCE_VERB: &str = "reference";

/// One line of `reports/barriers/records.jsonl` and `reports/collectives/records.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum BarrierLine {
    /// The first line of a run.
    BarrierRun(Box<BarrierRun>),
    /// One form at one number of ranks.
    BarrierSeries(Box<BarrierSeries>),
}

/// The plan of a run, and the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarrierRun {
    /// The format of this line; see [`SCHEMA_VERSION`](crate::SCHEMA_VERSION).
    pub schema: u32,
    /// Shared by all lines of the run.
    pub run: String,
    /// When it began, RFC 3339.
    pub at: String,
    /// Numbers of ranks.
    pub ranks: Vec<usize>,
    /// The barriers that were asked for, by name; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The substrates that were asked for, by name; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub substrates: Vec<String>,
    /// The bytes of blocks; none: only barriers were measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u64>,
    /// The operations that were asked for, by name; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verbs: Vec<String>,
    /// Were there few launches and rounds?
    pub quick: bool,
    /// Launches of each job.
    pub launches: usize,
    /// Rounds of a launch; in each, every form is visited once, measures more often.
    pub rounds: usize,
    /// The machine, the library, the build, the seed.
    pub environment: Environment,
}

impl BarrierRun {
    /// Were all barriers measured on all substrates, at these numbers of ranks at least, beside a library's, at length? On hosts of a
    /// file or of Slurm they were not: shared memory is missing there.
    pub fn is_full(&self, ranks: &[usize]) -> bool {
        if self.environment.variables.contains_key("WB_HOSTS") {
            return false;
        }
        let everything = [&self.only, &self.substrates, &self.verbs].iter().all(|names| names.is_empty());
        let everything = everything && !self.quick;
        let beside = self.environment.message_passing.library.is_some();
        everything && beside && ranks.iter().all(|ranks| self.ranks.contains(ranks))
    }
}

/// A barrier with everything that it runs on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BarrierForm {
    /// The barrier's name in the catalogue; `"bare_handshake"` is the reference of two ranks.
    pub variant: String,
    /// The family of the barrier in the catalogue.
    pub family: String,
    /// The substrate: `"messages"`, `"cells"`, `"window"`, `"mpi"`, `"shmem"`, `"std"`, `"tcp"`.
    pub substrate: String,
    /// The encoding of signals in memory: `"add"`, `"put"`, `"pull"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// The spacing of cells: `"packed"`, `"padded"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spacing: Option<String>,
    /// The algorithm that the library's own barrier was held to in the job that this was measured in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<String>,
    /// The collective operation, by name; `None`: a barrier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verb: Option<String>,
    /// The bytes of the block of a rank; `None`: a barrier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Whether ranks are processes of the MPI library or threads.
    pub ranks_are: Backend,
}

impl BarrierForm {
    /// Whether others are compared with it.
    pub fn is_reference(&self) -> bool {
        REFERENCE_VARIANTS.contains(&self.variant.as_str())
    }

    /// Whether the forms of its operation are compared with it, and not with another one.
    pub fn is_baseline(&self) -> bool {
        self.variant == BASELINE || self.family == BASELINE_FAMILY
    }

    /// Whether both perform the same operation on blocks of the same length, in the same job.
    pub fn is_comparable(&self, other: &Self) -> bool {
        let key = |form: &Self| (form.verb.clone(), form.bytes);
        self.job() == other.job() && key(self) == key(other)
    }

    /// The key of the job: forms with the same key are measured together, in every launch.
    pub fn job(&self) -> (Backend, Option<&str>) {
        (self.ranks_are, self.forced.as_deref())
    }

    /// Variant and form in a few words: `"dissemination, cells, put, packed"`.
    pub fn label(&self) -> String {
        let mut words = vec![self.variant.as_str(), self.substrate.as_str()];
        words.extend(self.style.as_deref());
        words.extend(self.spacing.as_deref());
        if self.ranks_are == Backend::Threads && self.substrate != "std" {
            words.push("threads");
        }
        let size = self.bytes.map(|bytes| format!("{bytes} B"));
        words.extend(size.as_deref());
        words.join(", ")
    }
}

/// One form at one number of ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarrierSeries {
    /// The format of this line; see [`SCHEMA_VERSION`](crate::SCHEMA_VERSION).
    pub schema: u32,
    /// The run it belongs to.
    pub run: String,
    /// The measured form.
    pub form: BarrierForm,
    /// At how many ranks.
    pub ranks: usize,
    /// The hosts of its ranks, in the order of their lowest ranks; empty where no job counted, and in records from before hosts were
    /// recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placement: Vec<HostPlacement>,
    /// The clocks of its ranks, if there are several, the reference first: as the launch compared them in which they were the least
    /// certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<ComparedClock>,
    /// The messages of one episode, for patterns over messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<EpisodeMessages>,
    /// The result.
    pub outcome: BarrierOutcome,
}

/// The result of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum BarrierOutcome {
    /// The form ran. One entry for each launch.
    Measured {
        /// The samples.
        launches: Vec<BarrierSamples>,
    },
    /// The form reports that it does not exist at this size or on this machine.
    Refused {
        /// The reported reason.
        reason: String,
    },
    /// The form returned an error, hung, crashed, or let a rank leave before every rank had entered.
    Failed {
        /// The observed failure.
        reason: String,
    },
}

/// The samples of one launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierSamples {
    /// Episodes in each batch.
    pub episodes: u64,
    /// Each batch as a whole, by the slowest rank: one a visit.
    pub batches_ns: Vec<u64>,
    /// When each visit began, by a clock that all forms of the job share. Runs from before this was recorded have none,
    /// and one visit a round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts_ns: Vec<u64>,
    /// The times of single episodes from the last entry to the last exit.
    pub latency_ns: Vec<u64>,
    /// The times of the same episodes from the first exit to the last.
    pub skew_ns: Vec<u64>,
    /// Where the ranks read several clocks: the bound of the error of a latency and of a skew, which are differences of two
    /// corrected stamps. `None` where all ranks read one clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncertainty_ns: Option<u64>,
}

impl BarrierSamples {
    /// Nanoseconds an episode, one a batch.
    pub fn episode_ns(&self) -> impl Iterator<Item = f64> {
        self.batches_ns.iter().map(|&batch| batch as f64 / self.episodes as f64)
    }
}

impl BarrierLine {
    /// The line as JSON, without the line end.
    ///
    /// # Panics
    /// When the environment holds a number that JSON cannot hold.
    pub fn to_line(&self) -> String {
        let line = serde_json::to_string(self).expect("records have string keys only");
        if let Err(error) = Self::parse_line(&line) {
            panic!("a record must be readable again: {error}: {line}");
        }
        line
    }

    /// Reads one line.
    ///
    /// # Errors
    /// As [`Record::parse_line`](crate::Record::parse_line).
    pub fn parse_line(line: &str) -> Result<Self, ReadError> {
        crate::line::parse(line)
    }

    /// Reads a whole file; blank lines are allowed, and a byte order mark.
    ///
    /// # Errors
    /// The error of the first line that is not such a record, or repeats one, with its number.
    pub fn read_all(text: &str) -> Result<Vec<Self>, ReadError> {
        crate::line::lines(text)
    }

    /// Replaces every text of the line by what `text` makes of it.
    pub fn map_texts(&mut self, text: &mut dyn FnMut(&str) -> String) {
        crate::line::map_texts(self, text);
    }
}

fields! {
    BarrierRun {
        schema: ANY,
        run,
        at,
        ranks: RANKS,
        only,
        substrates,
        bytes: COUNT,
        verbs,
        quick,
        launches: COUNT,
        rounds: COUNT,
        environment,
    }
    BarrierForm { variant, family, substrate, style, spacing, forced, verb, bytes: COUNT, ranks_are }
    BarrierSeries { schema: ANY, run, form, ranks: RANKS, placement, compared, messages, outcome }
    BarrierSamples {
        episodes: POSITIVE,
        batches_ns: NS,
        starts_ns: NS,
        latency_ns: NS,
        skew_ns: NS,
        uncertainty_ns: NS,
    }
}

impl VisitFields for BarrierLine {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        match self {
            Self::BarrierRun(run) => run.visit_fields(visitor),
            Self::BarrierSeries(series) => series.visit_fields(visitor),
        }
    }
}

impl VisitFields for BarrierOutcome {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        match self {
            Self::Measured { launches } => {
                visitor.field("launches", |visitor| launches.visit_fields(visitor));
            }
            Self::Refused { reason } | Self::Failed { reason } => reason.visit_fields(visitor),
        }
    }
}

impl LineIdentity for BarrierLine {
    fn identity(&self) -> Option<(&'static str, String)> {
        Some(match self {
            Self::BarrierRun(run) => ("run", run.run.clone()),
            Self::BarrierSeries(of) => ("series", format!("{} {:?} {}", of.run, of.form, of.ranks)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_survives_writing_and_reading() {
        let lines = example_barriers();
        let text: String = lines.iter().map(|line| line.to_line() + "\n\n").collect();
        assert_eq!(BarrierLine::read_all(&text).expect("readable"), lines);
    }

    #[test]
    fn newer_schemas_and_garbage_are_refused_with_their_line() {
        let line = example_barriers()[0].to_line();
        let newer = line.replacen("\"schema\":1", "\"schema\":9", 1);
        let error = BarrierLine::read_all(&format!("{line}\n{newer}\n")).expect_err("newer");
        assert!(matches!(error, ReadError::NewerSchema { line: 2, found: 9 }), "{error:?}");
        assert_eq!(BarrierLine::read_all("\n{}").expect_err("no record").line(), 2);
    }

    #[test]
    fn whatever_was_left_out_makes_a_run_less_than_full() {
        let BarrierLine::BarrierRun(run) = &example_barriers()[0] else { panic!("a run comes first") };
        let full = BarrierRun { quick: false, ..(**run).clone() };
        assert!(full.is_full(&[2]) && !full.is_full(&[2, 4]) && !run.is_full(&[2]));
        assert!(!BarrierRun { only: vec!["tree".into()], ..full.clone() }.is_full(&[2]));
        let mut on_hosts = full.clone();
        on_hosts.environment.variables.insert("WB_HOSTS".into(), "/hosts".into());
        assert!(!on_hosts.is_full(&[2]));
        assert!(!BarrierRun { substrates: vec!["cells".into()], ..full.clone() }.is_full(&[2]));
        let mut alone = full;
        alone.environment.message_passing.library = None;
        assert!(!alone.is_full(&[2]));
    }

    #[test]
    fn a_record_from_before_starts_were_recorded_is_still_read() {
        let line = r#"{"episodes":4,"batches_ns":[10],"latency_ns":[3],"skew_ns":[1]}"#;
        let samples: BarrierSamples = serde_json::from_str(line).expect("readable");
        assert!(samples.starts_ns.is_empty());
        assert_eq!(serde_json::to_string(&samples).expect("writable"), line);
    }

    #[test]
    fn samples_are_nanoseconds_an_episode() {
        let samples = BarrierSamples { episodes: 4, batches_ns: vec![10], ..BarrierSamples::default() };
        assert_eq!(samples.episode_ns().collect::<Vec<_>>(), [2.5]);
    }
}
