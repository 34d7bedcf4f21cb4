//! The parts beside the measurements: a model's predictions, each with its error or the reason why it has none, and the
//! trace of one more run. Every rule has its canary: records that break it, which must be noticed.

use super::synthetic::{SyntheticRun, all_say, none_says, prose};
use wb_messages::Lang;
use wb_record::{ComputingCost, Measurement, Record, TimedRegion, Version};

/// Makes a record wrong.
type Corrupt<T> = fn(&mut T);

/// A good run on two ranks, T(2) = 212 ms.
fn measured() -> SyntheticRun {
    SyntheticRun::new().plan(&[1, 2]).timing(Version::Seq, 1, 412.0).timing(Version::Mpi, 2, 212.0)
}

/// The rows of a machine in the CSV: version, ranks, time, speed-up, efficiency, error and remark.
fn rows(records: &[Record], machine: &str) -> Vec<String> {
    let csv = wb_report::csv(records);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |name: &str| header.iter().position(|column| *column == name).expect(name);
    let names = ["version", "p", "median_ns", "speedup", "efficiency", "model_error", "remarks"];
    let wanted = names.map(column);
    let machine_at = column("machine");
    lines
        .inspect(|cells| assert_eq!(cells.len(), header.len(), "{cells:?}"))
        .filter(|cells| cells[machine_at] == machine)
        .map(|cells| wanted.map(|at| cells[at]).join(" "))
        .collect()
}

#[test]
fn a_prediction_stands_beside_its_measurement_with_its_error() {
    let run = measured().model("this-host", &[1, 2]).predicted("this-host", Version::Seq, 1, 424.0, 424.0);
    let records = run.predicted("this-host", Version::Mpi, 2, 233.2, 424.0).records;
    all_say(&records, "T: +10.0 %");
    all_say(&records, "Model this-host: A machine.");
    all_say(&records, "Its error T_model / T_measured - 1 is farthest from zero at p = 2: +10.0 %.");
    all_say(&records, "messages were fitted on 2026-02-28 to Open MPI 4.1.4, 24 points, off by 12.0 %");
    let rows = rows(&records, "this-host");
    let [seq, mpi] = &rows[..] else { panic!("{rows:?}") };
    assert!(seq.starts_with("model-seq 1 424000000 1  0.029"), "{seq}");
    assert!(
        mpi.starts_with("model-mpi 2 233200000 1.818181818181818") && mpi.contains(" 0.9090909"),
        "{mpi}"
    );
    let error: f64 = mpi.split(' ').nth(5).and_then(|error| error.parse().ok()).expect("an error");
    assert!((error - 0.1).abs() < 0.005, "{mpi}");
    none_says(&records, "not the machine of the measurement");
}

#[test]
fn nothing_that_is_graded_comes_from_a_model() {
    let bare = measured().records;
    let run = measured().model("this-host", &[1, 2]).predicted("this-host", Version::Seq, 1, 1.0, 1.0);
    let beside = run.predicted("this-host", Version::Mpi, 2, 0.1, 0.1).records;
    let graded = |records: &[Record]| {
        let message = wb_report::screen(records, "", Lang::En);
        message
            .lines()
            .filter(|line| line.contains("E ≥ ") || line.starts_with("mpi "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(graded(&bare).len(), 2);
    assert_eq!(graded(&bare), graded(&beside), "the row, and the points");
    let measured_rows = |records: &[Record]| rows(records, "");
    assert_eq!(measured_rows(&bare), measured_rows(&beside));
}

#[test]
fn without_a_model_the_report_says_how_to_get_one() {
    all_say(&measured().records, "There is no model beside the measurements: no machine was named.");
    let with = measured().model("cluster-ib", &[2]).predicted("cluster-ib", Version::Mpi, 2, 1.0, 1.0);
    none_says(&with.records, "There is no model");
}

#[test]
fn beyond_the_host_it_is_said_that_no_error_is_known() {
    let run = measured().model("cluster-ib", &[2, 64]).predicted("cluster-ib", Version::Seq, 1, 100.0, 100.0);
    let run = run.predicted("cluster-ib", Version::Mpi, 2, 53.0, 100.0);
    let records = run.predicted("cluster-ib", Version::Mpi, 64, 2.0, 100.0).records;
    all_say(&records, "not measured");
    all_say(
        &records,
        "At p = 64 there is no measurement to compare it with: the error of these numbers is unknown.",
    );
    all_say(&records, "It is not the machine of the measurement");
    all_say(&records, "50.00");
    let nothing: Vec<Record> =
        records.into_iter().filter(|r| !matches!(&r.measurement, Measurement::Timing(_))).collect();
    all_say(&nothing, "There is no measurement to compare it with");
}

#[test]
fn a_measurement_that_says_nothing_is_no_measure_of_a_model() {
    let run = SyntheticRun::oversubscribed().model("cluster-ib", &[4]);
    let records = run.predicted("cluster-ib", Version::Mpi, 4, 100.0, 100.0).records;
    all_say(&records, "oversubscribed");
    // 100/333 - 1: what a careless report would print.
    none_says(&records, "-70.0");
    let mut wrong = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0);
    wrong.wrong_repetition = true;
    let wrong = wrong.timing(Version::Mpi, 2, 200.0).model("cluster-ib", &[2]);
    let records = wrong.predicted("cluster-ib", Version::Mpi, 2, 100.0, 100.0).records;
    all_say(&records, "measured a wrong result");
    none_says(&records, "-50.0");
}

#[test]
fn a_wrong_result_in_virtual_time_has_neither_speed_up_nor_error() {
    let run = measured().model("this-host", &[2]).predicted("this-host", Version::Seq, 1, 424.0, 424.0);
    let mut run = run.predicted("this-host", Version::Mpi, 2, 233.2, 424.0);
    run.predictions().for_each(|one| one.correct = Some(one.series.version == Version::Seq));
    all_say(&run.records, "a wrong result");
    none_says(&run.records, "+10.0 %");
    none_says(&run.records, "1.82");
}

#[test]
fn canary_a_sum_that_does_not_add_up_is_left_out_and_counted() {
    let sound = measured().model("this-host", &[2]).predicted("this-host", Version::Seq, 1, 424.0, 424.0);
    let sound = sound.predicted("this-host", Version::Mpi, 2, 233.2, 424.0);
    none_says(&sound.records, "contradict");
    let spoilt: [Corrupt<wb_record::Prediction>; 3] = [
        |one| one.worked_ns = one.worked_max_ns - 1,
        |one| one.worked_ns = 2 * one.worked_max_ns + 1,
        |one| one.elapsed_ns = one.worked_max_ns - 1,
    ];
    for spoil in spoilt {
        let mut run = sound.clone();
        run.predictions().filter(|one| one.series.ranks == 2).for_each(spoil);
        all_say(&run.records, "and are left out: 1.");
        assert_eq!(rows(&run.records, "this-host").len(), 1, "the sequential one");
    }
}

#[test]
fn a_task_that_declares_nothing_has_a_model_of_its_communication_only() {
    let silent = measured().model("cluster-ib", &[2]).predicted("cluster-ib", Version::Seq, 1, 0.0, 0.0);
    let silent = silent.predicted("cluster-ib", Version::Mpi, 2, 1.0, 0.0);
    all_say(&silent.records, "declares no computation");
    assert!(rows(&silent.records, "cluster-ib")[1].starts_with("model-mpi 2 1000000   "), "no S, no E");
    // What takes no time has neither a time nor an error of 100 %.
    assert_eq!(rows(&silent.records, "cluster-ib")[0], "model-seq 1     Timeless");
    none_says(&silent.records, "0.00 ns");
    none_says(&silent.records, "\u{2212}100.0 %");
    let half = measured().model("cluster-ib", &[2]).predicted("cluster-ib", Version::Seq, 1, 9.0, 9.0);
    let half = half.predicted("cluster-ib", Version::Mpi, 2, 1.0, 0.0);
    all_say(&half.records, "The sequential version declares computing and the parallel one does not");
    // A task that only moves data has nothing to declare, and gets no such advice.
    let moves = silent.sweep(2, 1.0).records;
    all_say(&moves, "so the model has its communication only");
    none_says(&moves, "world.work");
}

#[test]
fn computing_as_measured_is_marked_as_not_deterministic() {
    let mut run = measured().model("this-host", &[2]).predicted("this-host", Version::Seq, 1, 424.0, 0.0);
    run = run.predicted("this-host", Version::Mpi, 2, 233.2, 0.0);
    none_says(&run.records, "NOT DETERMINISTIC");
    run.predictions().for_each(|one| one.computing = ComputingCost::Measured);
    all_say(&run.records, "NOT DETERMINISTIC");
    all_say(&run.records, "1.82");
    // Of three passes the middle one, whatever their order.
    for ms in [190.8, 900.0] {
        run = run.predicted("this-host", Version::Mpi, 2, ms, 0.0);
    }
    run.predictions().for_each(|one| one.computing = ComputingCost::Measured);
    let rows = rows(&run.records, "this-host");
    assert!(rows.len() == 2 && rows[1].starts_with("model-mpi 2 233200000 "), "{rows:?}");
}

#[test]
fn faults_another_run_and_cores_that_are_not_there() {
    let mut run = measured().model("this-host", &[2]).predicted("this-host", Version::Mpi, 2, 233.2, 424.0);
    run.predictions().for_each(|one| one.faults = vec!["slow:1:2.0".into()]);
    assert_eq!(rows(&run.records, "this-host").len(), 0, "a model of a run in which something goes wrong");
    let mut old =
        measured().model("cluster-ib", &[2]).predicted("cluster-ib", Version::Mpi, 2, 233.2, 424.0).traced();
    old.records.iter_mut().for_each(|record| record.run = "run-0".into());
    old.records.extend(measured().records);
    assert_eq!(prose(&old.records), prose(&measured().records));
    let host = SyntheticRun::oversubscribed().model("this-host", &[2]);
    let host = host.predicted("this-host", Version::Mpi, 2, 233.2, 424.0).records;
    all_say(&host, "this-host has 2 cores, so it has no prediction for p = 4.");
}

#[test]
fn what_was_not_simulated_is_said() {
    let mut run = measured().model("cluster-ib", &[2]);
    for record in &mut run.records {
        if let Measurement::Model(model) = &mut record.measurement {
            model.failure = Some("exit code 1".into());
        }
    }
    all_say(&run.records, "cluster-ib: not all was simulated: exit code 1");
}

#[test]
fn a_trace_says_why_it_is_not_faster() {
    let run = SyntheticRun::new().plan(&[1, 3]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 3, 150.0);
    let records = run.mode(TimedRegion::Pipeline).timing(Version::Mpi, 3, 20.0).traced().records;
    all_say(&records, "Why is it not faster?");
    all_say(&records, "The run took 16.0 ms on 3 ranks.");
    all_say(&records, "For 39.4 % of the run one rank computed while all others waited: the serial part.");
    all_say(&records, "calls cost nothing but waiting: 14.0 ms (−12.5 %)");
    for (part, share) in [
        ("compute", "41.0 %"),
        ("late sender", "20.8 %"),
        ("wait at a collective", "6.2 %"),
        ("transfer and overhead", "11.2 %"),
    ] {
        let markdown = wb_report::markdown(&records, Lang::En);
        assert!(markdown.contains(&format!("| {part} | {share} |")), "{markdown}");
    }
    let message = "no timed run was traced. With every call recorded it took 16.0 ms; the timed median of";
    for text in prose(&records) {
        assert!(text.contains(message) && text.contains("is 20.0 ms (−20."), "{text}");
    }
    none_says(&records, "No run was traced");
    none_says(&records, "far from the timed runs");
    let far = SyntheticRun::new()
        .plan(&[3])
        .mode(TimedRegion::Pipeline)
        .timing(Version::Mpi, 3, 12.0)
        .traced()
        .records;
    all_say(&far, "far from the timed runs");
}

#[test]
fn work_that_is_done_twice_is_told_and_work_that_is_not_is_not() {
    // The ranks of the example compute 26 ms together.
    let run = |base| {
        SyntheticRun::new().plan(&[3]).mode(TimedRegion::Pipeline).timing(Version::Seq, 1, base).timing(
            Version::Mpi,
            3,
            20.0,
        )
    };
    let twice = run(13.0).traced().records;
    all_say(&twice, "Together its ranks computed 26.0 ms, 2.00 times T* = 13.0 ms");
    none_says(&run(26.0).traced().records, "Together its ranks computed");
}

#[test]
fn what_a_low_efficiency_of_run_lacks_is_split() {
    // In `run` of the example, 10 ms on three ranks, these compute 20 ms together.
    let run = |base| {
        let timed = SyntheticRun::new().plan(&[3]).mode(TimedRegion::TaskRun);
        timed.timing(Version::Seq, 1, base).timing(Version::Mpi, 3, 10.0).traced().records
    };
    let low = run(10.0);
    all_say(&low, "in it a rank computed 66.7 % of the time on average");
    all_say(
        &low,
        "is 33.3 % (T* = 10.0 ms). What is missing: 33.3 % of the ranks' time is computing beyond T*, and 33.3 %",
    );
    none_says(&run(25.0), "What is missing");
}

#[test]
fn without_a_trace_the_report_says_how_to_get_one() {
    all_say(&measured().records, "Why is it not faster?");
    all_say(&measured().records, "No run was traced.");
    all_say(&measured().traced().records, "there is no timed");
}

#[test]
fn canary_a_trace_that_contradicts_itself_or_is_of_another_task_is_not_told() {
    let broken: Corrupt<wb_record::Trace> = |trace| trace.ranks[1].events[0].end_ns = 0;
    let foreign: Corrupt<wb_record::Trace> = |trace| trace.subject.task.push_str("_of_somebody_else");
    let spoilt = [
        ("The trace among the records contradicts itself", broken),
        ("The trace among the records is of", foreign),
    ];
    for (expected, spoil) in spoilt {
        let mut run = measured().traced();
        none_says(&run.records, expected);
        for record in &mut run.records {
            if let Measurement::Trace(trace) = &mut record.measurement {
                spoil(trace);
            }
        }
        all_say(&run.records, expected);
        none_says(&run.records, "The run took");
    }
}

#[test]
fn of_a_trace_that_is_cut_no_cost_is_told() {
    let run = SyntheticRun::new().plan(&[3]).mode(TimedRegion::Pipeline).timing(Version::Mpi, 3, 20.0);
    let mut run = run.traced();
    for record in &mut run.records {
        if let Measurement::Trace(trace) = &mut record.measurement {
            trace.ranks[1].left_out = 12;
        }
    }
    all_say(&run.records, "The recording was full after");
    none_says(&run.records, "the timed median of");
}

#[test]
fn all_of_it_is_told_again_from_the_lines_of_a_file() {
    let records = SyntheticRun::complete().records;
    let lines: String = records.iter().map(|record| record.to_line() + "\n").collect();
    let again = wb_record::read_all(&lines).expect("records");
    assert_eq!(prose(&records), prose(&again));
    assert_eq!(wb_report::csv(&records), wb_report::csv(&again));
    assert_eq!(rows(&again, "cluster-ib").len(), 3);
}
