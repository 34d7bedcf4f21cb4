//! Communication operations, which have ratios and counts instead of a speedup.
use super::*;

#[test]
fn communication_has_ratio_counts_and_no_speedup() {
    let records = SyntheticRun::new().sweep(4, 1.2).records;
    all_say(&records, "A communication operation has no sequential counterpart, so no speed-up is stated.");
    all_say(&records, "1.20");
    all_say(&records, "ceil(log2 P)");
    for word in ["Speed-up against ranks", "Efficiency E", "S = T*"] {
        none_says(&records, word);
    }
}

#[test]
fn timings_of_a_communication_task_do_not_become_a_speedup() {
    let run = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 230.0);
    let records = run.sweep(2, 1.0).records;
    none_says(&records, "1.74");
    none_says(&records, "Efficiency E");
    all_say(&records, "so no speed-up is stated");
}

#[test]
fn counts_that_differ_from_the_formula_are_named() {
    let mut run = SyntheticRun::new().sweep(4, 1.0);
    for record in &mut run.records {
        if let Measurement::Sweep(sweep) = &mut record.measurement {
            sweep.messages = 4;
        }
    }
    all_say(&run.records, "differs");
    all_say(&run.records, "differ from the formula");
}

#[test]
fn a_wrong_broadcast_has_no_ratio() {
    let mut run = SyntheticRun::new().sweep(2, 1.3);
    for record in &mut run.records {
        if let Measurement::Sweep(sweep) = &mut record.measurement {
            sweep.correct = sweep.bytes != 8;
        }
    }
    all_say(&run.records, "wrong result");
    all_say(&run.records, "The output was wrong");
}
