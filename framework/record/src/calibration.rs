//! A fit of a model to messages between two processes, and the predictions of the fitted model for other operations.
use crate::HostPlacement;
use crate::fields::{ANY, AllowedValues, BYTES, COUNT, NS, fields};
use serde::{Deserialize, Serialize};

/// One fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The format; see [`SCHEMA_VERSION`](crate::SCHEMA_VERSION).
    pub schema: u32,
    /// When, RFC 3339.
    pub at: String,
    /// The library that carried the messages, with its version.
    pub library: String,
    /// Processors that the two processes could use: with fewer than 2 they shared one processor.
    pub cpus: usize,
    /// The number of measured jobs.
    pub launches: usize,
    /// The fitted link.
    pub link: FittedLink,
    /// The comparisons with the measurements of the fit: messages between two processes.
    pub fitted: Vec<ModelComparison>,
    /// The same messages, each by a fit that has not seen it: fitted to other sizes of the same jobs.
    #[serde(default)]
    pub held_out_sizes: Vec<ModelComparison>,
    /// The same messages, each as one job measured it, by a fit to the other jobs.
    #[serde(default)]
    pub held_out_launches: Vec<ModelComparison>,
    /// Sizes, in bytes, at which a message costs less than one that is a byte shorter: there the model does not rise.
    #[serde(default)]
    pub falls: Vec<usize>,
    /// The comparisons with measurements outside of the fit: collective operations of the two.
    pub predicted: Vec<ModelComparison>,
    /// The hosts of the ranks; empty where all of them were on this host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placement: Vec<HostPlacement>,
    /// The fit to two processes on different hosts, where the fields above are of two on one host. Where every host has one rank, they
    /// are of two on different hosts, and this is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<LinkCalibration>,
    /// Collective operations of all ranks of the placement, predicted by both links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all_ranks: Vec<ModelComparison>,
}

/// The fit of one link: the fields of [`Calibration`] with the same names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkCalibration {
    /// The fitted link.
    pub link: FittedLink,
    /// The comparisons with the measurements of the fit.
    pub fitted: Vec<ModelComparison>,
    /// The comparisons with fits to other sizes.
    pub held_out_sizes: Vec<ModelComparison>,
    /// The comparisons with fits to other launches.
    pub held_out_launches: Vec<ModelComparison>,
    /// Where the model does not rise.
    pub falls: Vec<usize>,
    /// The comparisons with measurements outside of the fit.
    pub predicted: Vec<ModelComparison>,
}

/// The parameters of LogGOPS between two processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FittedLink {
    /// L, nanoseconds.
    pub latency_ns: u64,
    /// o, nanoseconds.
    pub overhead_ns: u64,
    /// g, nanoseconds.
    pub gap_ns: u64,
    /// G, picoseconds.
    pub byte_ps: u64,
    /// O, picoseconds.
    pub copy_ps: u64,
    /// S, bytes.
    pub eager_bytes: usize,
    /// Where messages cost something else from a size on.
    #[serde(default)]
    pub pieces: Vec<FittedCostSegment>,
}

/// The costs of messages from a size up to the next piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FittedCostSegment {
    /// The shortest message of this piece.
    pub from_bytes: usize,
    /// The overhead of such a message on the processor at each end, nanoseconds.
    pub overhead_ns: u64,
    /// The overhead of each further byte, picoseconds.
    pub copy_ps: u64,
    /// The time from the first byte of such a message to its last, nanoseconds.
    pub serial_ns: u64,
    /// The serialisation time of each further byte, picoseconds.
    pub byte_ps: u64,
}

/// A measurement and the prediction of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelComparison {
    /// The name of the program: `"ping_pong"`, `"dissemination"`.
    pub name: String,
    /// The bytes of each message.
    pub bytes: usize,
    /// The median over batches of all launches, nanoseconds.
    pub measured_ns: f64,
    /// The prediction of the fitted model, nanoseconds.
    pub model_ns: f64,
}

impl Calibration {
    /// Reads the document, one line of JSON.
    ///
    /// # Errors
    /// As [`Record::parse_line`](crate::Record::parse_line).
    pub fn parse_line(line: &str) -> Result<Self, crate::ReadError> {
        crate::line::parse(line)
    }
}

impl ModelComparison {
    /// The model's relative error: 0.1 if the prediction is a tenth too large.
    pub fn relative_error(&self) -> f64 {
        self.model_ns / self.measured_ns - 1.0
    }
}

fields! {
    Calibration {
        schema: ANY,
        at,
        library,
        cpus: COUNT,
        launches: COUNT,
        link,
        fitted,
        held_out_sizes,
        held_out_launches,
        falls: BYTES,
        predicted,
        placement,
        network,
        all_ranks,
    }
    LinkCalibration { link, fitted, held_out_sizes, held_out_launches, falls: BYTES, predicted }
    FittedLink {
        latency_ns: NS,
        overhead_ns: NS,
        gap_ns: NS,
        byte_ps: NS,
        copy_ps: NS,
        eager_bytes: BYTES,
        pieces,
    }
    FittedCostSegment { from_bytes: BYTES, overhead_ns: NS, copy_ps: NS, serial_ns: NS, byte_ps: NS }
    ModelComparison { name, bytes: BYTES, measured_ns: AllowedValues::Real(1e-3, 1e18), model_ns: AllowedValues::Real(0.0, 1e18) }
}
