//! The argument that describes its job to a rank program, whose judge is at [`wb_runner::channel::RunnerAddress`]; and the messages between
//! both. An input or an output is the payload of a message: see [`wb_runner::channel::frame`].
use std::{io, time::Duration};

use serde::{Deserialize, Serialize};
use wb_comm::InputFiles;
use wb_messages::{Lang, judge as text};
use wb_record::{Backend, Version};
use wb_task::Stage;
use wb_world::Counts;

/// The part of a pass that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PassRegion {
    /// `run` alone, with the data in place.
    Run,
    /// All four stages, up to the arrival of the outputs.
    Pipeline,
    /// Nothing: the cost of the signals themselves.
    Nothing,
}

/// The order for one pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PassOrder {
    pub(crate) version: Version,
    pub(crate) region: PassRegion,
    /// The rank that has the input.
    pub(crate) home: usize,
    /// The limit of all stages.
    pub(crate) limit: Option<Duration>,
    /// Whether the pass has a communicator of its own, which is searched for leaks.
    pub(crate) is_isolated: bool,
}

/// A message from the judge to a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum ToRank {
    /// Prepare a pass; the payload is the input, on the home rank only.
    Prepare(PassOrder),
    /// Prepare calls of the verb; the payload is this rank's elements of all calls, one call after the other.
    PrepareCalls {
        /// The elements of one call.
        count: usize,
    },
    /// Begin the timed region.
    Start,
    /// Make the output from the result of `run`.
    Collect,
    /// Search for the leaks of the last pass, which all ranks have ended.
    FindLeaks {
        /// Whether a message may still be on its way.
        is_patient: bool,
    },
    /// There are no more passes.
    End,
}

/// The statements of a rank about a pass. The judge cannot verify them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankStatement {
    /// The clock at the begin of the timed region.
    pub start_ns: u64,
    /// The clock at the end of the timed region.
    pub end_ns: u64,
    /// The times of the stages, in their order.
    pub stages_ns: [u64; 4],
    /// Its communication in all stages.
    pub counts: Counts,
    /// Whether data from another rank may have arrived.
    #[serde(default)]
    pub has_received: bool,
    /// One-port rounds, where the backend's messages carry their number.
    #[serde(default)]
    pub rounds: Option<u64>,
}

/// Whether the statements of all ranks leave a message that was sent and not received.
pub(crate) fn may_be_on_its_way(statements: &[RankStatement]) -> bool {
    let count =
        |of: fn(&Counts) -> u64| statements.iter().map(|rank| of(&rank.counts)).fold(0, u64::wrapping_add);
    count(|counts| counts.sends) != count(|counts| counts.receives)
}

/// A message from a rank to the judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FromRank {
    /// The first message of a rank: the number of ranks that it sees.
    Joined { size: usize, thread_level: Option<String> },
    /// The rank waits for the start.
    Ready,
    /// The timed region is over; in `Nothing` this is the last message.
    Done,
    /// The end of a pass; the payload is the output, where there is one.
    Output(Box<RankStatement>),
    /// Messages that were not received, and other leaks.
    Leaks(Vec<String>),
    /// Validation refused the input.
    Refused { reason: String },
    /// The pass failed on this rank.
    Failed { stage: Option<Stage>, is_late: bool, reason: String },
}

/// A message that the judge does not await.
pub(crate) fn describe_out_of_turn(lang: Lang, rank: usize, message: &FromRank) -> String {
    let shown = format!("{message:?}");
    let name: String = shown.chars().take_while(|c| c.is_alphanumeric()).collect();
    text::out_of_turn(lang, rank, name)
}

/// Numbers as bytes, eight for each.
pub(crate) fn encode_numbers(numbers: &[f64]) -> Vec<u8> {
    let mut bytes = vec![0; size_of_val(numbers)];
    for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
        *bytes = number.to_le_bytes();
    }
    bytes
}

/// The numbers of these bytes.
pub(crate) fn decode_numbers(bytes: &[u8]) -> io::Result<Vec<f64>> {
    let (numbers, []) = bytes.as_chunks() else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a part of a number"));
    };
    Ok(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
}

/// The option of a program of ranks whose value describes the ranks, as JSON.
const ARGUMENT: &str = "--wb-judge";

/// The ranks of a judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankArguments {
    /// The backend of the ranks.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// The files that the ranks may read.
    pub files: InputFiles,
}

impl RankArguments {
    /// The description among the arguments of a program; `None` when it has no judge.
    ///
    /// # Errors
    /// When the word behind the argument does not describe ranks.
    pub fn from_arguments(arguments: &[String]) -> io::Result<Option<Self>> {
        let Some(at) = arguments.iter().position(|argument| argument == ARGUMENT) else { return Ok(None) };
        let refused = |why: String| io::Error::new(io::ErrorKind::InvalidInput, format!("{ARGUMENT}: {why}"));
        let word =
            arguments.get(at + 1).ok_or_else(|| refused("a description of ranks must follow".into()))?;
        let read: Self = serde_json::from_str(word).map_err(|error| refused(error.to_string()))?;
        if read.ranks == 0 { Err(refused("no ranks".into())) } else { Ok(Some(read)) }
    }

    /// The words of a command line.
    pub(crate) fn to_arguments(&self) -> serde_json::Result<[String; 2]> {
        Ok([ARGUMENT.to_owned(), serde_json::to_string(self)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_may_be_on_its_way_where_more_are_sent_than_received() {
        let of = |sends, receives| {
            let counts = Counts { sends, receives, ..Counts::default() };
            RankStatement { counts, ..RankStatement::default() }
        };
        let found = [2, 3, 4].map(|receives| may_be_on_its_way(&[of(3, 0), of(0, receives)]));
        assert_eq!(found, [true, false, true], "3 messages are sent; 2, 3 or 4 are received");
    }

    #[test]
    fn numbers_survive_bit_by_bit_and_a_part_of_one_is_refused() {
        let numbers = [0.1 + 0.2, f64::NAN, -0.0];
        let bytes = encode_numbers(&numbers);
        let read_back = decode_numbers(&bytes).expect("whole numbers");
        assert_eq!(read_back.iter().map(|n| n.to_bits()).collect::<Vec<_>>(), numbers.map(f64::to_bits));
        assert!(decode_numbers(&bytes[..9]).is_err());
    }

    #[test]
    fn ranks_survive_the_command_line_and_half_a_description_is_refused() {
        let files = InputFiles::new("/c d", vec!["a.bin".to_owned(), "b.pgm".to_owned()]);
        let ranks = RankArguments { backend: Backend::Mpi, ranks: 4, files };
        let mut line = [&["--bench".to_owned()][..], &ranks.to_arguments().expect("text")].concat();
        assert_eq!(RankArguments::from_arguments(&line).expect("understood"), Some(ranks.clone()));
        assert_eq!(RankArguments::from_arguments(&line[..1]).expect("no judge"), None);
        assert!(RankArguments::from_arguments(&line[..2]).is_err());
        line[2].pop();
        assert!(RankArguments::from_arguments(&line).is_err());
        let none = RankArguments { ranks: 0, ..ranks };
        assert!(RankArguments::from_arguments(&none.to_arguments().expect("text")).is_err());
    }
}
