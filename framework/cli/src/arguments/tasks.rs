//! What is asked of tasks, and of the machine that they run on.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::numbers::{DOUBLING, INCREMENT, RankList, ranks, whole};
use crate::{simulate::ComputeArgument, system_probe::Flavour};

/// As many ranks as are not taken for a misprint.
const MAX_MEASURED_RANKS: u32 = 1024;

/// As many ranks as there is memory for.
const MAX_SIMULATED_RANKS: u32 = 16_384;

/// More ranks than that have too many orders.
const MAX_CHECKED_RANKS: u32 = 16;

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    pub(crate) name: String,
    #[arg(long)]
    pub(crate) student: String,
    #[arg(long)]
    pub(crate) group: String,
    #[arg(long = "task", value_name = "1|2|3", value_parser = whole(1_u8, 3))]
    pub(crate) number: u8,
    #[arg(long, value_parser = whole(1, u8::MAX))]
    pub(crate) variant: u8,
}

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: Option<String>,
    #[arg(long, value_enum)]
    pub(crate) mpi: Option<Flavour>,
    #[arg(long)]
    pub(crate) no_install: bool,
    #[arg(long, value_enum, default_value = "mpi")]
    pub(crate) backend: BackendArgument,
    #[arg(last = true)]
    pub(crate) libtest: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PerfArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", value_parser = ranks(MAX_MEASURED_RANKS, DOUBLING))]
    pub(crate) ranks: Option<RankList>,
    #[arg(long)]
    pub(crate) quick: bool,
    #[arg(long, value_enum)]
    pub(crate) backend: Option<BackendArgument>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(id = "trace_ranks", value_name = "P", short = 'n', short_alias = 'P', long = "ranks", default_value = "4", value_parser = whole(1, MAX_MEASURED_RANKS as u16))]
    pub(crate) ranks: u16,
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "trace.html")]
    pub(crate) output: PathBuf,
    #[arg(long, value_name = "FILE")]
    pub(crate) perfetto: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
    #[arg(id = "trace_backend", long = "backend", value_enum)]
    pub(crate) backend: Option<TraceBackendArgument>,
    #[arg(long, value_name = "NAME", default_value = "cluster-ib")]
    pub(crate) machine: String,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateTaskArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(id = "task_ranks", value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", default_value = "2..64", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING))]
    pub(crate) ranks: RankList,
    #[arg(long, default_value = "cluster-ib")]
    pub(crate) machine: String,
    #[arg(id = "fault", long = "fault", value_name = "FAULT")]
    pub(crate) faults: Vec<String>,
    #[arg(long, value_enum, default_value = "declared")]
    pub(crate) compute: ComputeArgument,
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(id = "check_ranks", value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", default_value = "1..4", value_parser = ranks(MAX_CHECKED_RANKS, INCREMENT))]
    pub(crate) ranks: RankList,
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
    #[arg(long, value_name = "10s|N")]
    pub(crate) budget: Option<String>,
    #[arg(long, value_name = "P:SIZE:SCHEDULE", conflicts_with_all = ["check_ranks", "budget"])]
    pub(crate) replay: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: Option<String>,
    #[arg(long)]
    pub(crate) quick: bool,
    #[arg(long, value_enum)]
    pub(crate) backend: Option<BackendArgument>,
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    #[arg(long, value_name = "P,P,...", requires = "model", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING))]
    pub(crate) model_ranks: Option<RankList>,
    #[arg(long, conflicts_with_all = ["quick", "backend", "model"])]
    pub(crate) render: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SetupArgs {
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(long, value_enum)]
    pub(crate) mpi: Option<Flavour>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// What carries the messages of a traced run, as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceBackendArgument {
    Mpi,
    Threads,
    Sim,
}

/// What carries the messages, as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendArgument {
    Mpi,
    Threads,
}
