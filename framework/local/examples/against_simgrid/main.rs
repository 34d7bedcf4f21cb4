//! Compares SimGrid's SMPI with our model on the same programs and machine: the predictions, the run times, and the
//! causes of the difference.
//!
//! `cargo run --release -p wb-local --example against_simgrid -- [RANKS,RANKS...]` prints three tables. A run of SMPI on
//! 1,024 ranks takes about 20 s, all of them three minutes. Needs SMPI 3.32 (Debian: `libsimgrid-dev`); its scratch
//! files are in a folder that is removed at the end, also after Ctrl-C.
mod ours;
mod smpi;

use std::{
    fs,
    path::PathBuf,
    process::ExitCode,
    sync::OnceLock,
    time::{Duration, Instant},
};

use ours::{ExampleProgram, PROGRAMS, platform, with_envelopes};
use smpi::{SETTINGS, Smpi, SmpiError};

/// The number of ranks of the table of settings.
const FEW: usize = 16;

/// The number of hosts of the platform.
const HOSTS: usize = 1024;

static SCRATCH: OnceLock<PathBuf> = OnceLock::new();

fn main() -> ExitCode {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "2,16,128,1024".to_owned());
    let sizes: Result<Vec<usize>, _> = argument.split(',').map(str::parse).collect();
    let Some(sizes) = sizes.ok().filter(|sizes| sizes.iter().all(|size| (1..=HOSTS).contains(size))) else {
        eprintln!("numbers of ranks from 1 to {HOSTS}, with commas between them, and not {argument}");
        return ExitCode::FAILURE;
    };
    match compare(&sizes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn compare(sizes: &[usize]) -> Result<(), SmpiError> {
    let smpi = Smpi::build(&scratch()?)?;
    println!("{}; {} episodes of each program\n", smpi.version()?, ours::EPISODES);
    let rows = PROGRAMS.iter().flat_map(|program| sizes.iter().map(|size| (*program, *size)));
    let rows: Result<Vec<ComparisonRow>, _> =
        rows.map(|(program, size)| ComparisonRow::measure(&smpi, program, size)).collect();
    let rows = rows?;
    print_predictions(&rows);
    print_times(&rows);
    print_settings(&smpi)
}

/// A folder of this process, which is removed when the process ends for any reason.
fn scratch() -> std::io::Result<PathBuf> {
    let folder =
        SCRATCH.get_or_init(|| std::env::temp_dir().join(format!("against_simgrid.{}", std::process::id())));
    wb_process::at_exit(|| {
        // A folder that was not created need not be removed.
        let _ = SCRATCH.get().map(fs::remove_dir_all);
    });
    fs::create_dir(folder)?;
    Ok(folder.clone())
}

/// One program at one size: the predictions in nanoseconds, and the time of computing them.
struct ComparisonRow {
    program: ExampleProgram,
    size: usize,
    defaults: TimedValue<f64>,
    configured: TimedValue<f64>,
    event_loop: TimedValue<u64>,
    max_plus: TimedValue<u64>,
    /// Our prediction with SMPI's envelope, picoseconds.
    with_envelopes: u64,
}

/// A computed value, the time it took, and its processor time, which the system counts in hundredths of a second.
struct TimedValue<T> {
    value: T,
    wall: Duration,
    cpu: Duration,
}

impl<T> TimedValue<T> {
    fn measure(compute: impl FnOnce() -> T) -> Self {
        let (began, before) = (Instant::now(), processor_time());
        let value = compute();
        Self { value, wall: began.elapsed(), cpu: processor_time().saturating_sub(before) }
    }

    /// The elapsed time and the processor time, seconds.
    fn elapsed(&self) -> String {
        format!("{:.3}, {:.2}", self.wall.as_secs_f64(), self.cpu.as_secs_f64())
    }
}

impl<T, E> TimedValue<Result<T, E>> {
    fn transposed(self) -> Result<TimedValue<T>, E> {
        let Self { value, wall, cpu } = self;
        value.map(|value| TimedValue { value, wall, cpu })
    }
}

/// The processor time of this process and of those that it has waited for.
fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux describes its processes");
    // The name of the program may have spaces, and ends with the last bracket.
    let fields = stat.rsplit(')').next().expect("a name").split_whitespace();
    let ticks: u64 = fields.skip(11).take(4).map(|field| field.parse::<u64>().expect("ticks")).sum();
    Duration::from_millis(10 * ticks)
}

impl ComparisonRow {
    fn measure(smpi: &Smpi, program: ExampleProgram, size: usize) -> Result<Self, SmpiError> {
        eprintln!("{}, {size} ranks", program.name);
        let by_smpi = |settings| TimedValue::measure(|| smpi.run(program, size, settings)).transposed();
        let (machine, envelopes) = (platform(), with_envelopes());
        let row = Self {
            program,
            size,
            defaults: by_smpi(0)?,
            configured: by_smpi(SETTINGS.len())?,
            event_loop: TimedValue::measure(|| program.by_event_loop(size, &machine)),
            max_plus: TimedValue::measure(|| program.by_max_plus(size, &machine)),
            with_envelopes: program.by_max_plus(size, &envelopes),
        };
        assert_eq!(row.event_loop.value, row.max_plus.value, "our executors agree");
        Ok(row)
    }
}

#[allow(clippy::cast_precision_loss, reason = "times for people")]
fn print_predictions(rows: &[ComparisonRow]) {
    println!("Simulated time, us\n");
    println!(
        "| program | ranks | SMPI by default | SMPI, set like ours | ours | differs by | ours with SMPI's envelope |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        let ours = row.max_plus.value as f64;
        println!(
            "| {} | {} | {:.3} | {:.3} | {:.3} | {:+.3} % | {:.3} |",
            row.program.name,
            row.size,
            row.defaults.value / 1e3,
            row.configured.value / 1e3,
            ours / 1e3,
            100.0 * (row.configured.value - ours) / ours,
            row.with_envelopes as f64 / 1e6,
        );
    }
}

fn print_times(rows: &[ComparisonRow]) {
    println!("\nHow long simulating took, seconds of the clock and of processors\n");
    println!(
        "| program | ranks | SMPI by default | SMPI, set like ours | ours, ranks that run | faster by | ours, one pass | faster by |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        let by_smpi = row.configured.wall.as_secs_f64();
        println!(
            "| {} | {} | {} | {} | {} | {:.0} | {} | {:.0} |",
            row.program.name,
            row.size,
            row.defaults.elapsed(),
            row.configured.elapsed(),
            row.event_loop.elapsed(),
            by_smpi / row.event_loop.wall.as_secs_f64(),
            row.max_plus.elapsed(),
            by_smpi / row.max_plus.wall.as_secs_f64(),
        );
    }
}

/// The predictions from SMPI's defaults to ours, with one more setting in each row.
fn print_settings(smpi: &Smpi) -> Result<(), SmpiError> {
    println!("\nFrom SMPI's defaults to our model, {FEW} ranks, simulated us\n");
    println!("| | {} |", PROGRAMS.map(|program| program.name).join(" | "));
    println!("|---|--:|--:|--:|");
    let line = |what: &str, cells: [f64; 3]| {
        println!("| {what} | {} |", cells.map(|ns| format!("{:.3}", ns / 1e3)).join(" | "));
    };
    for set in 0..=SETTINGS.len() {
        let what = set.checked_sub(1).map_or("SMPI by default".to_owned(), |last| {
            let (meaning, settings) = SETTINGS[last];
            format!("{meaning}: `{}`", settings.join("`, `"))
        });
        let mut cells = [0.0; 3];
        for (cell, program) in cells.iter_mut().zip(PROGRAMS) {
            *cell = smpi.run(program, FEW, set)?;
        }
        line(&what, cells);
    }
    #[allow(clippy::cast_precision_loss, reason = "times for people")]
    line(
        "ours: no envelope of 16 bytes, first byte free, whole nanoseconds",
        PROGRAMS.map(|program| program.by_max_plus(FEW, &platform()) as f64),
    );
    Ok(())
}
