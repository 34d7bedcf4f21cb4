//! Tests of the laboratory with forms that hang, exit, fail or leave early, each added to real MPI jobs: the laboratory
//! must report them as failed, each with its reason, and still measure all others in every launch. In one test rank 1 of its jobs is in a
//! time namespace, so its clock is 5 s ahead.

use std::{env, fs, process::Command, thread, time::Duration};

use wb_algorithms::{
    barriers::{GroupConfig, adapters::MessageBarrier, catalogue},
    collectives::Algorithms,
};
use wb_comm::{
    Barrier, BorrowedBuffers, CallSite, CollectiveKind, Collectives, Error, Result, Transport, Verb, View,
    ViewMut,
};
use wb_laboratory::InjectedFault;
use wb_process::{Job, exit_now};
use wb_record::{
    Backend, BarrierLine, BarrierOutcome, BarrierRun, BarrierSamples, BarrierSeries, REFERENCE_VERB,
};

use crate::time_namespace::AHEAD_S;

pub(crate) const INJECTED: &[InjectedFault] = &[
    InjectedFault::Barrier { name: "canary_hangs", barrier: |transport| failing_barrier(transport, hang) },
    InjectedFault::Barrier { name: "canary_exits", barrier: |transport| failing_barrier(transport, exit) },
    InjectedFault::Barrier { name: "canary_errs", barrier: |transport| failing_barrier(transport, err) },
    InjectedFault::Barrier {
        name: "canary_leaves",
        barrier: |transport| Ok(Box::new(EarlyLeaver(transport.rank(), Duration::from_micros(300)))),
    },
    InjectedFault::Broadcast { name: "canary_changes_the_last_element", run: wrong_broadcast },
];

/// The episode in which rank 1 fails, while the others wait for it in the library.
const EPISODE: u32 = 11;

/// Twice the duration on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

fn hang() -> Result<()> {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn exit() -> Result<()> {
    exit_now(3)
}

fn err() -> Result<()> {
    Err(Error::Setup(wb_comm::Text::verbatim("a planted error")))
}

/// A correct barrier until rank 1 fails.
struct FailingBarrier<'t> {
    inner: MessageBarrier<&'t dyn Transport>,
    rank: usize,
    episodes: u32,
    on_failure: fn() -> Result<()>,
}

fn failing_barrier<'t>(
    transport: &'t dyn Transport,
    then: fn() -> Result<()>,
) -> Result<Box<dyn Barrier + 't>> {
    let (rank, setting) = (transport.rank(), GroupConfig::new(transport.size()));
    let plans = catalogue::find("dissemination")?.plans(&setting).expect("a pattern")?;
    let right = MessageBarrier::from_plans(&plans, transport, CallSite::caller(Verb::Barrier));
    Ok(Box::new(FailingBarrier { inner: right, rank, episodes: 0, on_failure: then }))
}

impl Barrier for FailingBarrier<'_> {
    fn wait(&mut self) -> Result<()> {
        self.episodes += 1;
        if (self.rank, self.episodes) == (1, EPISODE) { (self.on_failure)() } else { self.inner.wait() }
    }
}

/// A barrier that does not wait for any rank, with a rank 1 that is this slow.
struct EarlyLeaver(usize, Duration);

impl Barrier for EarlyLeaver {
    fn wait(&mut self) -> Result<()> {
        if self.0 == 1 {
            thread::sleep(self.1);
        }
        Ok(())
    }
}

/// The failures that the laboratory must report.
const FAILURES: [(&str, &str); 4] = [
    ("canary_hangs", "did not come out within 6 s"),
    ("canary_exits", "no result from rank(s)"),
    ("canary_errs", "a planted error"),
    ("canary_leaves", "before rank 1 had entered"),
];

/// The forms that it must still measure.
const CORRECT_FORMS: [&str; 2] = ["k_dissemination_3", "mpi_barrier"];

pub(crate) fn forms_that_hang_exit_err_and_leave_have_failed_and_all_others_are_measured() {
    let only = FAILURES.iter().map(|(name, _)| *name).chain(CORRECT_FORMS).collect::<Vec<_>>();
    let (_, series, printed) = run(&["--substrate", "messages,mpi", "--only", &only.join(",")], &[]);
    let of = |name: &str| -> &BarrierSeries {
        let found = series.iter().find(|series| series.form.variant == name);
        found.unwrap_or_else(|| panic!("nothing is recorded of {name}\n{printed}"))
    };
    for (name, reason) in FAILURES {
        let outcome = &of(name).outcome;
        let right =
            matches!(outcome, BarrierOutcome::Failed { reason: recorded } if recorded.contains(reason));
        assert!(right, "{name}: {outcome:?}\n{printed}");
    }
    for name in CORRECT_FORMS {
        let outcome = &of(name).outcome;
        let whole = matches!(outcome, BarrierOutcome::Measured { launches } if launches.len() == 2);
        assert!(whole, "{name}: {outcome:?}\n{printed}");
    }
}

/// A broadcast after which rank 1 changes the last byte.
fn wrong_broadcast(transport: &dyn Transport, mut data: ViewMut<'_>) -> Result<()> {
    let (root, send) = (0, View::empty(data.datatype()));
    let buffers = BorrowedBuffers { send, recv: data.reborrow() };
    Algorithms(transport).run(CollectiveKind::Bcast { root }, buffers, CallSite::caller(Verb::Bcast))?;
    if transport.rank() == 1 {
        let last = data.bytes().last_mut().expect("data");
        *last ^= 1;
    }
    Ok(())
}

pub(crate) fn calls_with_another_result_have_failed_and_all_others_are_measured() {
    let wrong = "canary_changes_the_last_element";
    let only = format!("binomial,bcast_flat,{wrong}");
    for (backend, options) in
        [(Backend::Mpi, &[][..]), (Backend::Mpi, &["--funneled"]), (Backend::Threads, &["--threads"])]
    {
        let (record, all, printed) =
            run(&[&["--calls", "bcast", "--bytes", "8,65536", "--only", &only], options].concat(), &[]);
        let level = record.environment.message_passing.thread_level.unwrap_or_default();
        assert_eq!(level.contains("FUNNELED"), options == ["--funneled"], "{level}");
        assert_eq!((record.bytes, level.is_empty()), (vec![8, 65536], backend == Backend::Threads));
        assert!(all.iter().all(|series| series.form.ranks_are == backend && series.ranks == 2));
        for bytes in [8, 65536] {
            let of = |name: &str| {
                let is =
                    |series: &&BarrierSeries| series.form.variant == name && series.form.bytes == Some(bytes);
                &all.iter().find(is).unwrap_or_else(|| panic!("nothing of {name}\n{printed}")).outcome
            };
            let measured = if backend == Backend::Mpi {
                &["mpi_bcast", "binomial", "bcast_flat"][..]
            } else {
                &["binomial", "bcast_flat"]
            };
            for name in measured {
                let BarrierOutcome::Measured { launches } = of(name) else { panic!("{name}: {printed}") };
                let count = |of: fn(&BarrierSamples) -> usize| launches.iter().map(of).sum::<usize>();
                let (calls, starts) =
                    (count(|samples| samples.batches_ns.len()), count(|samples| samples.starts_ns.len()));
                assert!(launches.len() == 2 && calls == starts && calls > 0, "{name}: {calls} of {starts}");
            }
            let failed = matches!(of(wrong), BarrierOutcome::Failed { reason } if reason.starts_with("rank 1 has another result"));
            assert!(failed, "{:?}", of(wrong));
        }
        let reference = all.iter().filter(|series| series.form.verb.as_deref() == Some(REFERENCE_VERB));
        assert_eq!(reference.count(), 2, "a start and a return, and the bare handshake");
    }
}

/// Runs the laboratory on two ranks, of which a form must fail; returns its run, its series and its output.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> (BarrierRun, Vec<BarrierSeries>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [records, output] = ["records", "output"].map(|name| folder.path().join(name));
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--lang", "en", "--quick", "--ranks", "2", "--seed", "7"]).args(arguments);
    command.arg("--records").arg(&records).envs(variables.iter().copied());
    let job = Job::spawn_to_files(command, &output, &output).expect("it starts");
    let ended = job.wait(LIMIT).expect("it can be waited for");
    let printed = fs::read_to_string(&output).unwrap_or_default();
    assert!(!ended.has_timed_out, "not done after {LIMIT:?}\n{printed}");
    assert_eq!(ended.status.code(), Some(1), "a form has failed, so the laboratory has\n{printed}");
    let lines = BarrierLine::read_all(&fs::read_to_string(&records).unwrap_or_default());
    let mut lines = lines.expect("records can be read").into_iter();
    let Some(BarrierLine::BarrierRun(record)) = lines.next() else { panic!("a run comes first\n{printed}") };
    let series = |line| if let BarrierLine::BarrierSeries(series) = line { Some(*series) } else { None };
    (*record, lines.filter_map(series).collect(), printed)
}

/// Set for the laboratory whose ranks read two clocks.
pub(crate) const SEVERAL: &str = "WBTEST_SEVERAL_CLOCKS";

/// A barrier of which rank 0 leaves 20 ms too early: more than the clocks are uncertain by.
pub(crate) const INJECTED_OF_TWO_CLOCKS: &[InjectedFault] = &[InjectedFault::Barrier {
    name: "canary_leaves",
    barrier: |transport| Ok(Box::new(EarlyLeaver(transport.rank(), Duration::from_millis(20)))),
}];

pub(crate) fn barriers_of_two_clocks_are_measured_as_on_one() {
    let only = ["--substrate", "messages,mpi,cells", "--only", "dissemination,mpi_barrier,canary_leaves"];
    let (_, all, _) = run(&only, &[(SEVERAL, "1")]);
    let of_processes = |one: &&BarrierSeries| !one.compared.is_empty();
    let measured: Vec<&BarrierSeries> = all.iter().filter(of_processes).collect();
    assert!(measured.len() >= 4, "{all:?}");
    for series in measured {
        let [reference, other] = &series.compared[..] else { panic!("{:?}", series.compared) };
        assert_eq!((reference.offset_ns, other.first_rank), (0.0, 1));
        let ahead_ns = AHEAD_S as f64 * 1e9;
        assert!((other.offset_ns - ahead_ns).abs() <= other.uncertainty_ns, "{other:?}");
        assert_eq!(other.host, series.placement[0].host);
        let BarrierOutcome::Measured { launches } = &series.outcome else { continue };
        for launch in launches {
            let bound_ns = launch.uncertainty_ns.expect("two clocks");
            assert!(bound_ns as f64 >= 2.0 && bound_ns < 1_000_000_000, "{bound_ns}");
            let longest = launch.latency_ns.iter().chain(&launch.skew_ns).max().expect("samples");
            assert!(*longest < 4_000_000_000, "an offset that is not removed is 5 s: {longest} ns");
        }
    }
    let outcome = |name: &str| &all.iter().find(|one| one.form.variant == name).expect("a record").outcome;
    let early = outcome("canary_leaves");
    let is_named =
        matches!(early, BarrierOutcome::Failed { reason } if reason.contains("before rank 1 had entered"));
    assert!(is_named, "{early:?}");
    assert!(matches!(outcome("mpi_barrier"), BarrierOutcome::Measured { launches } if launches.len() == 2));
}
