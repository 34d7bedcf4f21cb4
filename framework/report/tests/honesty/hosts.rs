//! Runs on several hosts: the report names them, and how certain their clocks are.
use wb_record::{ComparedClock, HostPlacement};

use super::*;

fn host(name: &str, ranks: &[u32]) -> HostPlacement {
    HostPlacement {
        host: name.into(),
        ranks: ranks.into(),
        cpus: vec![],
        sockets: vec![],
        usable_cores: None,
        physical_cores: None,
    }
}

fn clock(host: &str, first_rank: u32, ranks: u32, step_ns: f64) -> ComparedClock {
    let (offset_ns, uncertainty_ns) = (5e9 * f64::from(first_rank), 20_000.0);
    ComparedClock { host: host.into(), first_rank, ranks, offset_ns, drift_ppm: 3.0, uncertainty_ns, step_ns }
}

/// Two ranks on each of two hosts of two cores, and the sequential version on `seq_host`.
fn on_two_hosts(seq_host: &str, step_ns: f64) -> SyntheticRun {
    let mut run = SyntheticRun::new().cores(2).plan(&[4]);
    run.environment.placement = vec![host(seq_host, &[0])];
    let mut run = run.timing(Version::Seq, 1, 400.0);
    run.environment.placement = vec![host("n1", &[0, 1]), host("n2", &[2, 3])];
    run.environment.clock.uncertainty_ns = Some(40_000.0);
    run.environment.clock.compared = vec![clock("n1", 0, 2, 0.0), clock("n2", 2, 2, step_ns)];
    run.timing(Version::Mpi, 4, 120.0)
}

/// The terminal has no trust box.
fn trust_box_says(records: &[Record], words: &str) {
    let [markdown, html] = [wb_report::markdown(records, Lang::En), wb_report::html(records, Lang::En)];
    assert!(markdown.contains(words), "`{words}` is not in:\n{markdown}");
    assert!(html.contains(words), "`{words}` is not in the page");
}

#[test]
fn several_hosts_are_named_with_their_ranks_and_their_clocks() {
    let records = on_two_hosts("n1", 0.0).records;
    trust_box_says(&records, "P = 4: 2 nodes x 2 ranks per node");
    trust_box_says(&records, "a time is wrong by at most 40.0 µs");
    all_say(&records, "measured on n1, n2");
    none_says(&records, "stepped");
    // The cores of both hosts: four ranks are not too many for two hosts of two cores.
    none_says(&records, "oversubscribed");
    all_say(&records, "is 3.33 times as fast");
}

/// The run on two hosts, and two ranks on these hosts before it.
fn with_two_ranks_on(placement: &[HostPlacement]) -> Vec<Record> {
    let run = on_two_hosts("n1", 0.0);
    let of_two = run.records.iter().filter_map(|record| {
        let mut record = record.clone();
        let Measurement::Timing(timing) = &mut record.measurement else { return None };
        timing.series.ranks = (timing.series.version == Version::Mpi).then_some(2)?;
        record.environment.placement = placement.to_vec();
        record.environment.clock.compared = vec![];
        Some(record)
    });
    run.records.iter().cloned().chain(of_two).collect()
}

#[test]
fn the_figures_show_where_more_ranks_need_more_hosts() {
    let limits = |placement: &[HostPlacement]| {
        let page = wb_report::html(&with_two_ranks_on(placement), Lang::En);
        page.matches("class=\"limit-label\"").count() + page.matches(">on 2 nodes<").count()
    };
    assert_eq!(limits(&[host("n1", &[0, 1])]), 6, "in the figures of T, S and E");
    assert_eq!(limits(&[host("n1", &[0]), host("n2", &[1])]), 0, "all parallel rows are on two hosts");
}

#[test]
fn one_host_is_not_mentioned() {
    let mut run = SyntheticRun::new().plan(&[2]);
    run.environment.placement = vec![host("n1", &[0, 1])];
    let records = run.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 210.0).records;
    for words in ["n1", "nodes", "clocks of the"] {
        none_says(&records, words);
    }
}

#[test]
fn ranks_of_one_kernel_share_its_cores_whatever_their_hosts_are_called() {
    let mut records = on_two_hosts("n1", 0.0).records;
    for record in &mut records {
        (record.environment.clock.uncertainty_ns, record.environment.clock.compared) = (None, vec![]);
    }
    all_say(&records, "oversubscribed");
}

#[test]
fn a_small_host_is_oversubscribed_beside_a_large_one() {
    for (cores, is_oversubscribed) in [([2, 2], false), ([64, 1], true)] {
        let mut records = on_two_hosts("n1", 0.0).records;
        for record in &mut records {
            for (host, cores) in record.environment.placement.iter_mut().zip(cores) {
                (host.usable_cores, host.physical_cores) = (Some(cores), Some(cores));
            }
        }
        match is_oversubscribed {
            true => all_say(&records, "oversubscribed"),
            false => none_says(&records, "oversubscribed"),
        }
    }
}

#[test]
fn a_base_from_another_host_makes_a_table_doubtful() {
    for (seq_host, is_doubtful) in [("n1", false), ("n3", true)] {
        let markdown = wb_report::markdown(&on_two_hosts(seq_host, 0.0).records, Lang::En);
        let line = markdown.lines().find(|line| line.contains("different sets of nodes")).expect("a line");
        assert_eq!(line.contains("doubtful"), is_doubtful, "{line}");
        assert!(
            line.contains(&format!("n1, n2; {seq_host}")) || line.contains(&format!("{seq_host}; n1, n2")),
            "{line}"
        );
    }
}

#[test]
fn a_clock_that_stepped_and_local_times_are_doubtful() {
    let mut records = on_two_hosts("n1", 3e6).records;
    for record in &mut records {
        if let Measurement::Timing(timing) = &mut record.measurement
            && timing.series.version == Version::Mpi
        {
            timing.elapsed_from = wb_record::ElapsedFrom::LocalClocks;
        }
    }
    // Both timed regions of a launch are one launch.
    let of_pipeline = |record: &Record| {
        let mut record = record.clone();
        if let Measurement::Timing(timing) = &mut record.measurement {
            timing.series.mode = wb_record::TimedRegion::Pipeline;
        }
        record
    };
    records.extend(
        records
            .clone()
            .iter()
            .filter(|one| matches!(one.measurement, Measurement::Timing(_)))
            .map(of_pipeline),
    );
    trust_box_says(&records, "a clock stepped by up to 3.00 ms");
    trust_box_says(&records, "longest time of a rank on its own clock: 3");
    let markdown = wb_report::markdown(&records, Lang::En);
    let line = markdown.lines().find(|line| line.contains("clocks of the nodes")).expect("a line");
    assert!(line.contains("doubtful"), "{line}");
}
