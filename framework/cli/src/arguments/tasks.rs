//! The arguments of the commands on tasks, and on the machine that they run on.

use std::{ffi::OsString, path::PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use wb_messages::{
    change, checker, cli as text, enrolment, hosts, judge, pages, prediction, preload, simulator,
    slurm as slurm_text, watch,
};
use wb_record::{ComputingCost, LaunchPart};

use super::{
    help::localized,
    numbers::{DOUBLING, INCREMENT, RankList, ranks, whole},
    placement::PlacementArgs,
    run_name::RunName,
    slurm::SlurmArgs,
};
use crate::system_probe::Flavour;

/// A larger number of ranks is taken for a misprint.
const MAX_MEASURED_RANKS: u32 = 1024;

/// More parts than launches of a final run would have nothing to measure.
const MAX_PARTS: u32 = 10;

/// A larger number of ranks does not fit into memory.
const MAX_SIMULATED_RANKS: u32 = 16_384;

/// A larger number of ranks has too many orders.
const MAX_CHECKED_RANKS: u32 = 16;

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    #[arg(required_unless_present = "login", help = localized(text::help_new_name))]
    pub(crate) name: Option<String>,
    #[arg(long, required_unless_present = "login", help = localized(text::help_student))]
    pub(crate) student: Option<String>,
    #[arg(long, required_unless_present = "login", help = localized(text::help_group))]
    pub(crate) group: Option<String>,
    #[arg(long = "task", value_name = "1|2|3", required_unless_present = "login", value_parser = whole(1_u8, 3), help = localized(text::help_number))]
    pub(crate) number: Option<u8>,
    #[arg(long, required_unless_present = "login", value_parser = whole(1, u8::MAX), help = localized(text::help_variant))]
    pub(crate) variant: Option<u8>,
    #[arg(long = "for", value_name = "LOGIN", requires = "assignment", conflicts_with_all = ["name", "student", "group", "number", "variant"], help = localized(enrolment::help_for))]
    pub(crate) login: Option<String>,
    #[arg(long, value_name = "1|2|3", requires = "login", value_parser = whole(1_u8, 3), help = localized(enrolment::help_assignment))]
    pub(crate) assignment: Option<u8>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("selection").args(["task", "changed"]))]
pub(crate) struct TestArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(text::help_task))]
    pub(crate) task: Option<String>,
    /// The empty text means the main branch.
    #[arg(long, value_name = "BASE", num_args = 0..=1, default_missing_value = "", help = localized(change::help_changed))]
    pub(crate) changed: Option<String>,
    #[arg(long, value_enum, help = localized(text::help_mpi))]
    pub(crate) mpi: Option<Flavour>,
    #[arg(long, help = localized(text::help_no_install))]
    pub(crate) no_install: bool,
    #[arg(long, value_enum, default_value = "mpi", help = localized(text::help_backend))]
    pub(crate) backend: BackendArgument,
    #[arg(long, requires = "selection", conflicts_with_all = ["hosts", "launcher", "slurm_mode"], help = localized(judge::help_sandbox))]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) placement: PlacementArgs,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
    #[arg(last = true, help = localized(text::help_libtest))]
    pub(crate) libtest: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(watch::help_task))]
    pub(crate) task: Option<String>,
    #[arg(long, help = localized(watch::help_page))]
    pub(crate) page: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PerfArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(text::help_task))]
    pub(crate) task: String,
    #[arg(value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", value_parser = ranks(MAX_MEASURED_RANKS, DOUBLING), help = localized(text::help_ranks))]
    pub(crate) ranks: Option<RankList>,
    #[arg(long, help = localized(text::help_quick))]
    pub(crate) quick: bool,
    #[arg(long, help = localized(text::help_verbose))]
    pub(crate) verbose: bool,
    #[arg(long, value_enum, help = localized(text::help_backend))]
    pub(crate) backend: Option<BackendArgument>,
    #[arg(long, conflicts_with_all = ["hosts", "launcher", "slurm_mode"], help = localized(judge::help_sandbox))]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) placement: PlacementArgs,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", required_unless_present = "command", help = localized(text::help_task))]
    pub(crate) task: Option<String>,
    #[arg(value_name = "P", short = 'n', short_alias = 'P', long = "ranks", default_value = "4", value_parser = whole(1, MAX_MEASURED_RANKS as u16), help = localized(text::help_trace_ranks))]
    pub(crate) ranks: u16,
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "trace.html", help = localized(text::help_output))]
    pub(crate) output: PathBuf,
    #[arg(long, value_name = "FILE", help = localized(text::help_perfetto))]
    pub(crate) perfetto: Option<PathBuf>,
    #[arg(long, value_name = "NAME", help = localized(text::help_workload))]
    pub(crate) workload: Option<String>,
    #[arg(long = "backend", value_enum, help = localized(text::help_trace_backend))]
    pub(crate) backend: Option<TraceBackendArgument>,
    #[arg(long, value_name = "NAME", default_value = "cluster-ib", help = localized(simulator::help_machine))]
    pub(crate) machine: String,
    #[arg(long = "fault", value_name = "FAULT", help = localized(prediction::help_fault))]
    pub(crate) faults: Vec<String>,
    #[command(flatten)]
    pub(crate) placement: PlacementArgs,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
    #[arg(
        last = true,
        value_name = "COMMAND",
        conflicts_with_all = ["task", "ranks", "workload", "backend", "machine", "faults", "hosts", "launcher", "map", "slurm_mode"],
        help = localized(text::help_trace_command)
    )]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateTaskArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(text::help_task))]
    pub(crate) task: String,
    #[arg(value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", default_value = "2..64", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING), help = localized(prediction::help_ranks))]
    pub(crate) ranks: RankList,
    #[arg(long, default_value = "cluster-ib", help = localized(simulator::help_machine))]
    pub(crate) machine: String,
    #[arg(long = "fault", value_name = "FAULT", help = localized(prediction::help_fault))]
    pub(crate) faults: Vec<String>,
    #[arg(long, value_enum, default_value = "declared", help = localized(prediction::help_compute))]
    pub(crate) compute: ComputeArgument,
    #[arg(long, value_name = "NAME", help = localized(text::help_workload))]
    pub(crate) workload: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(text::help_task))]
    pub(crate) task: String,
    #[arg(value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", default_value = "1..4", value_parser = ranks(MAX_CHECKED_RANKS, INCREMENT), help = localized(checker::help_ranks))]
    pub(crate) ranks: RankList,
    #[arg(long, value_name = "NAME", help = localized(text::help_workload))]
    pub(crate) workload: Option<String>,
    #[arg(long, value_name = "10s|N", help = localized(checker::help_budget))]
    pub(crate) budget: Option<String>,
    #[arg(long, value_name = "P:SIZE:SCHEDULE", conflicts_with_all = ["ranks", "budget"], help = localized(checker::help_replay))]
    pub(crate) replay: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("no_measuring").args(["render", "collect"]).conflicts_with_all(["ranks", "quick", "backend", "model", "hosts", "launcher", "slurm_mode", "part"]))]
pub(crate) struct ReportArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(text::help_task))]
    pub(crate) task: Option<String>,
    #[arg(value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", value_parser = ranks(MAX_MEASURED_RANKS, DOUBLING), help = localized(text::help_ranks))]
    pub(crate) ranks: Option<RankList>,
    #[arg(long, help = localized(text::help_quick))]
    pub(crate) quick: bool,
    #[arg(long, help = localized(text::help_verbose))]
    pub(crate) verbose: bool,
    #[arg(long, value_enum, help = localized(text::help_backend))]
    pub(crate) backend: Option<BackendArgument>,
    #[arg(long, value_name = "NAME|FILE", help = localized(text::help_model))]
    pub(crate) model: Option<String>,
    #[arg(long, value_name = "P,P,...", requires = "model", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING), help = localized(text::help_model_ranks))]
    pub(crate) model_ranks: Option<RankList>,
    #[arg(long, help = localized(text::help_render))]
    pub(crate) render: bool,
    #[command(flatten)]
    pub(crate) placement: PlacementArgs,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
    #[arg(long, value_name = "N", requires = "slurm_mode", value_parser = whole(1, MAX_PARTS), help = localized(slurm_text::help_array))]
    pub(crate) array: Option<u32>,
    #[arg(long, value_name = "K/N", requires_all = ["run", "task"], conflicts_with = "slurm_mode", value_parser = str::parse::<LaunchPart>, help = localized(slurm_text::help_part))]
    pub(crate) part: Option<LaunchPart>,
    #[arg(long, value_name = "RUN", requires = "part", value_parser = str::parse::<RunName>, help = localized(slurm_text::help_run))]
    pub(crate) run: Option<RunName>,
    /// The empty text means the last run.
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "", requires = "task", help = localized(slurm_text::help_collect))]
    pub(crate) collect: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CalibrateArgs {
    #[command(flatten)]
    pub(crate) placement: PlacementArgs,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PreloadArgs {
    #[arg(long, value_enum, help = localized(text::help_mpi))]
    pub(crate) mpi: Option<Flavour>,
    #[arg(last = true, required = true, value_name = "COMMAND", help = localized(preload::help_command))]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[arg(long, value_name = "FILE", help = localized(hosts::help_doctor_hosts))]
    pub(crate) hosts: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SetupArgs {
    #[arg(long, help = localized(text::help_dry_run))]
    pub(crate) dry_run: bool,
    #[arg(long, value_enum, help = localized(text::help_mpi))]
    pub(crate) mpi: Option<Flavour>,
    #[arg(long, help = localized(hosts::help_test_hosts))]
    pub(crate) test_hosts: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[arg(value_name = "CODE", help = localized(pages::help_code))]
    pub(crate) code: Option<String>,
}

/// The backend of a traced run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceBackendArgument {
    Mpi,
    Threads,
    Sim,
}

/// The backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendArgument {
    Mpi,
    Threads,
}

/// The cost of computing in virtual time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ComputeArgument {
    Declared,
    Measured,
}

impl From<ComputeArgument> for ComputingCost {
    fn from(argument: ComputeArgument) -> Self {
        match argument {
            ComputeArgument::Declared => Self::Declared,
            ComputeArgument::Measured => Self::Measured,
        }
    }
}
