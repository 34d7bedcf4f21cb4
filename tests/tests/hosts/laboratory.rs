//! The laboratory of barriers with its ranks on several hosts. This program is the laboratory, too.
use std::{
    env, fs, thread,
    time::{Duration, Instant},
};

use wb_process::Job;
use wb_record::{
    Backend, BarrierLine, BarrierOutcome, BarrierSeries, Calibration, EpisodeMessages, HostPlacement,
};
use wb_tests::hosts::{HostProcess, HostsError, TestHosts};

/// For a whole quick run on a busy machine.
const LIMIT: Duration = Duration::from_secs(180);

/// The words that make this program the laboratory.
const WORDS: [&str; 2] = ["--records", "--calibrate"];

/// Whether this process is the laboratory, or a rank of one of its jobs.
pub(crate) fn is_laboratory() -> bool {
    wb_runner::channel::RunnerAddress::is_set() || env::args().any(|word| WORDS.contains(&&*word))
}

/// The laboratory on the first host, started by `launcher`, as the arguments say; it must succeed.
fn run(hosts: &TestHosts, launcher: &[&str], placed: &str, arguments: &[&str]) {
    let this = env::current_exe().expect("this program");
    let this = this.to_str().expect("a path");
    let words = [launcher, &[this], arguments].concat();
    let mut command = hosts.command(0, words[0]);
    command.args(&words[1..]).env("OMPI_MCA_mpi_yield_when_idle", "1").env("WB_LANG", "en");
    command.env("WB_HOSTS", placed);
    let output = hosts.outside().join("output");
    let job = Job::spawn_to_files(command, &output, &output).expect("it starts");
    let ended = job.wait(LIMIT).expect("its end");
    let shown = fs::read_to_string(&output).unwrap_or_default();
    assert!(ended.is_success(), "{:?}\n{shown}", ended.status);
}

/// The records of a quick run with these further arguments.
fn measure(hosts: &TestHosts, launcher: &[&str], placed: &str, arguments: &[&str]) -> Vec<BarrierSeries> {
    let records = hosts.shared_folder().join("records");
    let common = ["--quick", "--seed", "3", "--lang", "en", "--records", records.to_str().expect("a path")];
    run(hosts, launcher, placed, &[&common[..], arguments].concat());
    let text = fs::read_to_string(hosts.outside().join("records")).expect("records");
    let series = |line| if let BarrierLine::BarrierSeries(series) = line { Some(*series) } else { None };
    BarrierLine::read_all(&text).expect("readable").into_iter().filter_map(series).collect()
}

/// The path of a host file with these lines, as the hosts see it.
fn host_file(hosts: &TestHosts, text: &str) -> String {
    fs::write(hosts.outside().join("hosts"), text).expect("a file");
    hosts.shared_folder().join("hosts").display().to_string()
}

fn find<'s>(series: &'s [BarrierSeries], variant: &str, substrate: &str) -> &'s BarrierSeries {
    let is_it = |one: &&BarrierSeries| {
        let form = &one.form;
        (&*form.variant, &*form.substrate, form.ranks_are) == (variant, substrate, Backend::Mpi)
            && form.forced.is_none()
    };
    series.iter().find(is_it).unwrap_or_else(|| panic!("nothing of {variant} on {substrate}"))
}

fn assert_measured(series: &BarrierSeries) {
    let is_measured = matches!(&series.outcome, BarrierOutcome::Measured { launches } if launches.len() == 2);
    assert!(is_measured, "{}: {:?}", series.form.label(), series.outcome);
}

/// The hosts with their ranks.
fn places(placement: &[HostPlacement]) -> Vec<(&str, &[u32])> {
    placement.iter().map(|host| (&*host.host, &host.ranks[..])).collect()
}

/// Two hosts with two ranks each: times of messages, and the messages that cross.
fn assert_two_by_two(series: &[BarrierSeries]) {
    let crossing = |variant: &str| {
        let of = find(series, variant, "messages");
        assert_measured(of);
        assert_eq!(places(&of.placement), [("wb1", &[0, 1][..]), ("wb2", &[2, 3])]);
        of.messages.expect("counted")
    };
    let hierarchical = crossing("hierarchical");
    assert_eq!(hierarchical, EpisodeMessages { within_node: 4, between_nodes: 2 });
    assert_eq!(crossing("dissemination"), EpisodeMessages { within_node: 2, between_nodes: 6 });
    let auto = find(series, "auto", "messages");
    assert_eq!(auto.messages, Some(hierarchical), "auto finds the nodes by itself");
    assert_measured(find(series, "mpi_barrier", "mpi"));
    // Hosts of one kernel have one clock, and share its cores.
    assert!(series.iter().all(|one| one.compared.is_empty()));
}

/// The time in which the `ssh` of a launcher ends after the launcher.
const SSH_END_MAX: Duration = Duration::from_secs(5);

/// What is left on a host when the launcher's own processes have ended.
fn left_on(hosts: &TestHosts, host: usize) -> Vec<HostProcess> {
    let started = Instant::now();
    while !hosts.processes(host).is_empty() && started.elapsed() < SSH_END_MAX {
        thread::sleep(Duration::from_millis(20));
    }
    hosts.processes(host)
}

/// The barriers of most tests here.
const ONLY: [&str; 2] = ["--only", "hierarchical,dissemination,auto,mpi_barrier"];

pub(crate) fn barriers_are_measured_on_the_hosts_of_a_file() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    let file = host_file(&hosts, "wb1 slots=2\nwb2 slots=2\n");
    let arguments = [&ONLY[..], &["--substrate", "messages,mpi,cells", "--ranks", "4"]].concat();
    let series = measure(&hosts, &[], &file, &arguments);
    assert_two_by_two(&series);
    let is_refused = |one: &BarrierSeries| matches!(&one.outcome, BarrierOutcome::Refused { reason } if reason.contains("ranks are on several hosts"));
    let (processes, threads): (Vec<&BarrierSeries>, Vec<&BarrierSeries>) = series
        .iter()
        .filter(|one| one.form.substrate == "cells")
        .partition(|one| one.form.ranks_are == Backend::Mpi);
    assert!(processes.len() > 2 && processes.iter().all(|one| is_refused(one)), "{processes:?}");
    let measured = threads.iter().filter(|one| matches!(one.outcome, BarrierOutcome::Measured { .. }));
    let of_threads: Vec<_> = measured.map(|one| places(&one.placement)).collect();
    assert!(!of_threads.is_empty(), "{threads:?}");
    assert!(of_threads.iter().all(|hosts| *hosts == [("wb1", &[0, 1, 2, 3][..])]), "{of_threads:?}");
    for host in 0..2 {
        assert_eq!(left_on(&hosts, host), []);
    }
    // On one host the same program measures the same forms, and nothing crosses.
    let file = host_file(&hosts, "wb2 slots=4\n");
    let arguments = ["--only", "dissemination", "--substrate", "messages,cells", "--ranks", "2"];
    let series = measure(&hosts, &[], &file, &arguments);
    let on_one = find(&series, "dissemination", "messages");
    assert_eq!(places(&on_one.placement), [("wb2", &[0, 1][..])]);
    assert_eq!(on_one.messages, Some(EpisodeMessages { within_node: 2, between_nodes: 0 }));
    assert_measured(find(&series, "dissemination", "cells"));
    Ok(())
}

pub(crate) fn the_control_network_and_windows_cross_from_host_to_host() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 1)?;
    let file = host_file(&hosts, "wb1:1\nwb2:1\n");
    let arguments =
        ["--only", "control_kv,rma_fence,dissemination", "--substrate", "tcp,window", "--ranks", "2"];
    let series = measure(&hosts, &[], &file, &arguments);
    for (variant, substrate) in [("control_kv", "tcp"), ("rma_fence", "window"), ("dissemination", "window")]
    {
        let of = find(&series, variant, substrate);
        assert_measured(of);
        assert_eq!(places(&of.placement), [("wb1", &[0][..]), ("wb2", &[1])]);
        // These hosts share the cores of one kernel, so their ranks are bound to different ones.
        let [one, other] = &of.placement[..] else { panic!("two hosts") };
        let may_share = wb_process::usable_cores() < 2;
        assert!(may_share || one.cpus != other.cpus, "{:?}", of.placement);
    }
    Ok(())
}

pub(crate) fn barriers_are_measured_under_slurm() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    let launcher = ["salloc", "--quiet", "--nodes=2", "--ntasks-per-node=2"];
    let arguments = [&ONLY[..], &["--substrate", "messages,mpi", "--ranks", "4"]].concat();
    assert_two_by_two(&measure(&hosts, &launcher, "srun", &arguments));
    Ok(())
}

pub(crate) fn links_within_a_host_and_between_hosts_are_fitted() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    let file = host_file(&hosts, "wb1 slots=2\nwb2 slots=2\n");
    let record = hosts.shared_folder().join("fit.json");
    let half_round_trip = |link: &wb_record::FittedLink| link.latency_ns + 2 * link.overhead_ns;
    // Other processes on this machine may disturb a fit: one of three shows that the network is the slower link.
    let mut fits = (0..3).map(|_| {
        run(&hosts, &[], &file, &["--calibrate", record.to_str().expect("a path"), "--quick"]);
        let line = fs::read_to_string(hosts.outside().join("fit.json")).expect("a record");
        let fit = Calibration::parse_line(&line).expect("readable");
        assert_eq!(places(&fit.placement), [("wb1", &[0, 1][..]), ("wb2", &[2, 3])]);
        fit
    });
    let is_slower = |fit: &Calibration| {
        let network = fit.network.as_ref().expect("a link between hosts");
        half_round_trip(&network.link) > half_round_trip(&fit.link)
    };
    let fit = fits.find(is_slower).expect("a network that is slower than memory");
    let is_predicted = |name: &str| fit.all_ranks.iter().any(|one| one.name == name);
    assert!(is_predicted("hierarchical") && is_predicted("dissemination"), "{:?}", fit.all_ranks);
    let machine = fs::read_to_string(hosts.outside().join("fit.yaml")).expect("a machine");
    assert!(machine.contains("cores_per_group: 2") && machine.contains("network:"), "{machine}");
    Ok(())
}
