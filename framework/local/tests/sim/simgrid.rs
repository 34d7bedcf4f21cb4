//! Compares our model with SimGrid: with our settings, SMPI predicts the same times to the picosecond. SMPI's
//! predictions are recorded here, so that the explanation in `docs/simulator.md` is tested without SMPI; where SMPI is
//! installed, it runs again.
#[path = "../../examples/against_simgrid/ours.rs"]
mod ours;
#[path = "../../examples/against_simgrid/smpi.rs"]
mod smpi;

use std::{path::Path, process::ExitCode};

use libtest_mimic::{Arguments, Trial};
use ours::{PROGRAMS, platform, with_envelopes};
use smpi::{SETTINGS, Smpi, SmpiError};

/// The version of SMPI that made the predictions below.
const VERSION: &str = "SimGrid version 3.32";

/// The ranks, and for each of [`PROGRAMS`] SMPI's prediction: with its own settings and with all of [`SETTINGS`],
/// picoseconds.
const SMPI_PREDICTIONS: [(usize, [(u64, u64); 3]); 2] = [
    (2, [(201_559_750, 140_064_000), (408_753_955, 284_224_000), (207_204_205, 21_241_600)]),
    (16, [(806_209_000, 560_256_000), (1_708_100_126, 839_705_920), (250_281_119, 84_966_400)]),
];

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("simgrid");
    std::fs::create_dir_all(&folder).expect("a folder");
    let smpi = Smpi::build(&folder);
    let is_missing = matches!(smpi, Err(SmpiError::Missing));
    if let Err(missing @ SmpiError::Missing) = &smpi {
        println!("skipped: {missing}");
    }
    let trials = vec![
        Trial::test("ours_with_the_envelope_of_smpi_is_what_smpi_says", || {
            ours_with_the_envelope_of_smpi_is_what_smpi_says();
            Ok(())
        }),
        // A test that has not run has not passed: libtest calls it "ignored", which `cargo wb test` counts as skipped.
        Trial::test("smpi_says_what_is_written_down", move || {
            check_recorded_predictions(&smpi.map_err(|failure| failure.to_string())?);
            Ok(())
        })
        .with_ignored_flag(is_missing),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn ours_with_the_envelope_of_smpi_is_what_smpi_says() {
    for (size, recorded) in SMPI_PREDICTIONS {
        for (program, (_, set)) in PROGRAMS.into_iter().zip(recorded) {
            let what = format!("{}, P = {size}", program.name);
            assert_eq!(program.by_max_plus(size, &with_envelopes()), set, "{what}");
            let ours = program.by_max_plus(size, &platform());
            assert_eq!(program.by_event_loop(size, &platform()), ours, "{what}");
            // An envelope and a first byte take less than a thousandth of these programs' times.
            let short = set.checked_sub(1000 * ours);
            assert!(short.is_some_and(|short| short < set / 1000), "{what}: {ours} ns and {set} ps");
        }
    }
}

fn check_recorded_predictions(smpi: &Smpi) {
    let version = smpi.version().expect("it says its version");
    for (size, recorded) in SMPI_PREDICTIONS {
        for (program, (default, set)) in PROGRAMS.into_iter().zip(recorded) {
            let what = format!("{}, P = {size}, {version}", program.name);
            let value =
                |settings| smpi.run(program, size, settings).unwrap_or_else(|why| panic!("{what}: {why}"));
            assert_eq!(picoseconds(value(SETTINGS.len())), set, "{what}");
            if version == VERSION {
                assert_eq!(picoseconds(value(0)), default, "{what}");
            }
        }
    }
}

/// Nanoseconds are printed with three decimal places.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "times of an hour at most")]
fn picoseconds(ns: f64) -> u64 {
    (ns * 1000.0).round() as u64
}
