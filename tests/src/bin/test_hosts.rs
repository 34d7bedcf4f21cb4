//! `test-hosts --hosts 4 [--slots 2] [--slurm] -- COMMAND ARGS...`: starts hosts, runs the command on the first one, and ends them.
//!
//! The command runs in the current folder with this program's streams; its exit status is this program's.
#![forbid(unsafe_code)]

use std::{
    num::NonZeroUsize,
    os::unix::process::ExitStatusExt,
    process::{Command, ExitCode, ExitStatus},
};

use clap::Parser;
use wb_tests::hosts::{HostsError, MAX_HOSTS, TestHosts};

/// The exit code where this machine cannot have hosts; a skipped test, as in `.ci/lint-workflows`.
const UNAVAILABLE: u8 = 77;

/// The exit code of any other failure of this program.
const FAILED: u8 = 125;

/// Starts hosts on this machine, runs a command on the first one, and ends them.
#[derive(Debug, Parser)]
#[command(name = "test-hosts")]
struct HostsArguments {
    /// The number of hosts: wb1, wb2 and so on.
    #[arg(long, default_value_t = 2, value_parser = parse_count)]
    hosts: usize,
    /// The number of ranks that each host is for.
    #[arg(long, default_value = "2")]
    slots: NonZeroUsize,
    /// Starts Slurm on the hosts.
    #[arg(long)]
    slurm: bool,
    /// The command and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

fn parse_count(text: &str) -> Result<usize, String> {
    let allowed = 1..=MAX_HOSTS;
    let count = text.parse().ok().filter(|count| allowed.contains(count));
    count.ok_or_else(|| format!("a number from {} to {}", allowed.start(), allowed.end()))
}

fn main() -> ExitCode {
    let arguments = HostsArguments::parse();
    match run(&arguments) {
        Ok(status) => ExitCode::from(exit_code(status)),
        Err(error) => {
            eprintln!("test-hosts: {error}");
            let is_unavailable = matches!(error, HostsError::Unavailable(_));
            ExitCode::from(if is_unavailable { UNAVAILABLE } else { FAILED })
        }
    }
}

fn run(arguments: &HostsArguments) -> Result<ExitStatus, HostsError> {
    let system = |step: &str| {
        let step = step.to_owned();
        |error| HostsError::System { step, error }
    };
    wb_process::end_with_owner().map_err(system("watching the owner"))?;
    let start = if arguments.slurm { TestHosts::start_with_slurm } else { TestHosts::start };
    let hosts = start(arguments.hosts, arguments.slots.get())?;
    let mut command: Command = hosts.command(0, &arguments.command[0]);
    command.args(&arguments.command[1..]).status().map_err(system("the command"))
}

/// The code of a command that has ended, as a shell gives it.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code).unwrap_or(FAILED)
}
