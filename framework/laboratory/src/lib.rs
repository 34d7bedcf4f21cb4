//! The laboratory of barriers: every form of every barrier, measured beside the libraries' own.
//!
//! One program has two parts. Started by `cargo wb barriers bench` it plans jobs, starts one after the other and writes
//! a record of everything that it saw. Started by itself it is one rank (or, on threads, all ranks) of one job, which
//! visits the forms that its order names and leaves its samples in a file.
//!
//! The invariant: *forms are compared only within a job, and by visits that are neighbours in time*. All forms of a job
//! are visited in rounds, in an order that is drawn anew for each round and is the same on all ranks; what the others are
//! held against comes back every few visits, so whatever the machine does meanwhile it does to both members of a pair. A
//! form that errs, hangs or crashes is named in its record, and the job is done again without it.
//!
//! | module | noun |
//! |---|---|
//! | `arguments` | what is wanted |
//! | `calibration` | `--calibrate FILE`: the simulator's model, fitted to this host |
//! | `schedule` | which forms in which jobs |
//! | `campaign` | runs the jobs and writes the records |
//! | `job` | one job: its command, its deadline, its evidence |
//! | `order`, `job_spec` | what is asked of a rank and what it answers |
//! | `rank` | carries an order out |
//! | `bench` | what a rank builds its forms from |
//! | `substrate` | one file each: which forms there are on it, and how one is built |
//! | `injected_faults` | forms that a test plants among the real ones |
//! | `visit_order` | the order of a round's visits |
//! | `visit` | the timed loops |
//! | `samples` | from stamps of all ranks to what is recorded |
//! | `rank_watchdog` | interrupts what hangs |
//! | `cores` | a core for every rank |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod arguments;
mod bench;
mod calibration;
mod campaign;
mod cores;
mod injected_faults;
mod job;
mod job_spec;
mod order;
mod rank;
mod rank_watchdog;
mod samples;
mod schedule;
mod substrate;
mod visit;
mod visit_order;

use std::{path::Path, process::ExitCode};

use wb_worker::protocol;
use workbench::backends;

use crate::order::LaboratoryOrder;

pub use injected_faults::InjectedFault;

/// Either part of the program, with forms that are `planted` among the real ones.
///
/// Exit codes: 0 when every form that exists was measured, 1 when one failed, 2 when the arguments are refused.
pub fn main(planted: &'static [InjectedFault]) -> ExitCode {
    injected_faults::inject(planted);
    if let Some(path) = protocol::order_path() {
        let is_carried_out = protocol::read_order(&path).and_then(|order| match order {
            LaboratoryOrder::Visit(spec) => rank::run(spec, backends()),
            LaboratoryOrder::Calibrate(spec) => calibration::run_rank(&spec, backends()),
        });
        return protocol::exit_code(&path, is_carried_out);
    }
    let arguments: Vec<_> = std::env::args_os().collect();
    match &arguments[..] {
        [_, word, file] if word == "--calibrate" => calibration::main(Path::new(file), backends()),
        _ => campaign::main(backends()),
    }
}
