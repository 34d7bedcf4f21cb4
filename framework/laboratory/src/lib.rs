//! The laboratory of barriers and collective operations: measures every form of each together with the libraries' own.
//!
//! One program has two parts. Started by `cargo wb collectives bench` it plans jobs, starts one after the other and writes
//! a record of every result. Started by itself it is one rank (or, on threads, all ranks) of one job, which visits the
//! forms of its order and sends its samples.
//!
//! The invariant: *forms are compared only within a job, and by visits that are neighbours in time*. All forms of a job
//! are visited in rounds, in an order that is drawn anew for each round and is the same on all ranks. The reference
//! forms are visited again after every few visits, so changes of the machine affect both members of a pair. A form that
//! fails, hangs or crashes is named in its record, and the job is repeated without it.
//!
//! | module | contents |
//! |---|---|
//! | `calibration` | `--calibrate FILE [--quick]`: the simulator's model, fitted to this host or to two hosts |
//! | `schedule` | the command line, and the forms of each job that it asks for |
//! | `campaign` | runs the jobs and writes the records |
//! | `job` | one job: its order and the answers of its ranks, its deadline, its evidence |
//! | `rank` | executes an order |
//! | `bench` | the resources from which a rank builds its forms |
//! | `calls` | operations on data: their forms, and calls that start at one time |
//! | `substrate` | the forms of barriers on each substrate, and their construction |
//! | `injected_faults` | forms that a test adds to the real ones |
//! | `visit_order` | the order of a round's visits |
//! | `visit` | the timed loops |
//! | `outcome_table` | the results of all launches, and the samples of one, from the stamps of all ranks |
//! | `job_ranks` | the cores of the ranks, their clocks, and the form that each visits, also after its death |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bench;
mod calibration;
mod calls;
mod campaign;
mod injected_faults;
mod job;
mod job_ranks;
mod outcome_table;
mod rank;
mod schedule;
mod substrate;
mod visit;
mod visit_order;

use std::{path::Path, process::ExitCode};

use wb_runner::job::execute_order;
use workbench::backends;

use crate::job::LaboratoryOrder;

pub use injected_faults::InjectedFault;

/// Runs either part of the program, with the forms in `planted` added to the real ones.
///
/// Exit codes: 0 when every form that exists was measured, 1 when one failed, 2 when the arguments are refused.
pub fn main(planted: &'static [InjectedFault]) -> ExitCode {
    injected_faults::inject(planted);
    if let Some(code) = execute_order(|order, link| match order {
        LaboratoryOrder::Visit(spec) => rank::run(spec, link.answers(), backends()),
        LaboratoryOrder::Calibrate(spec) => calibration::run_ranks(spec, link.answers(), backends()),
    }) {
        return code;
    }
    let arguments: Vec<_> = std::env::args_os().collect();
    match &arguments[..] {
        [_, word, file] if word == "--calibrate" => calibration::main(Path::new(file), false, backends()),
        [_, word, file, quick] if word == "--calibrate" && quick == "--quick" => {
            calibration::main(Path::new(file), true, backends())
        }
        _ => campaign::main(backends()),
    }
}
