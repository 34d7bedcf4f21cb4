//! The predicted times of a task on a model of a machine, as a table for a terminal.
use std::fmt::Write as _;

use wb_messages::{Lang, prediction as text, report::result};
use wb_record::{ComputingCost, Measurement, Prediction, Record, Version};

use crate::{
    analysis::model::{self, DeclaredComputing},
    format,
    text_layout::{append_wrapped, empty_table},
};

/// A cell without a known value.
const UNKNOWN_CELL: &str = "—";

/// All predictions among the records, a table for each workload and mode.
pub(crate) fn render(records: &[Record], lang: Lang) -> String {
    let all = model::median_passes(records.iter().filter_map(prediction));
    let (Some(record), Some(first)) = (records.first(), all.first()) else { return String::new() };
    let mut output = String::new();
    append_wrapped(&mut output, "", &text::heading(lang, &record.subject.task, &first.machine));
    if let Some(faults) = faults(&all) {
        append_wrapped(&mut output, "! ", &text::with_faults(lang, faults));
    }
    let measured = all.iter().any(|one| one.computing == ComputingCost::Measured);
    if measured {
        append_wrapped(&mut output, "! ", &text::computing_measured(lang));
    }
    output.push('\n');
    let key = |one: &Prediction| (one.series.mode, one.series.workload.clone());
    let mut keys: Vec<_> = all.iter().map(|one| key(one)).collect();
    keys.sort();
    keys.dedup();
    for (mode, workload) in keys {
        let of_key = (mode, workload.clone());
        let rows: Vec<&Prediction> = all.iter().copied().filter(|one| key(one) == of_key).collect();
        append_wrapped(
            &mut output,
            "",
            &text::workload(lang, mode.name(), format::workload(lang, &workload)),
        );
        output.push_str(&table(&rows, lang));
        output.push('\n');
    }
    if !measured {
        for remark in remarks(&all, lang) {
            append_wrapped(&mut output, "! ", &remark);
        }
        append_wrapped(&mut output, "", &text::same_everywhere(lang));
    }
    output
}

/// The injected faults, if any.
fn faults(all: &[&Prediction]) -> Option<String> {
    all.iter().map(|one| &one.faults).find(|faults| !faults.is_empty()).map(|faults| faults.join(", "))
}

fn prediction(record: &Record) -> Option<&Prediction> {
    match &record.measurement {
        Measurement::Prediction(prediction) => Some(prediction),
        _ => None,
    }
}

fn table(rows: &[&Prediction], lang: Lang) -> String {
    let header = vec![
        result::version(lang),
        result::ranks_short(lang),
        text::time(lang),
        result::speedup_short(lang),
        result::efficiency_short(lang),
        text::computing(lang),
        text::sends(lang),
        text::volume(lang),
        result::remarks(lang),
    ];
    let base = model::base(rows);
    let rows: Vec<_> = rows.iter().map(|one| row(one, base, lang)).collect();
    // Without declared computing there is no speed-up: the column would contain only dashes.
    let said: Vec<bool> =
        (0..header.len()).map(|column| rows.iter().any(|row| row[column] != UNKNOWN_CELL)).collect();
    let only = |cells: Vec<String>| {
        cells.into_iter().zip(&said).filter(|(_, said)| **said).map(|(cell, _)| cell).collect()
    };
    let header: Vec<String> = only(header);
    let numbers: Vec<usize> = (1..header.len() - 1).collect();
    let mut table = empty_table(header, &numbers);
    for cells in rows {
        let cells: Vec<String> = only(cells);
        table.add_row(cells);
    }
    let mut output = String::new();
    let _ = writeln!(output, "{table}");
    output
}

fn row(one: &Prediction, base: Option<&Prediction>, lang: Lang) -> Vec<String> {
    let dash = || UNKNOWN_CELL.to_owned();
    let ranks = f64::from(one.series.ranks);
    let speedup = model::speedup(one, base);
    let declared = one.computing == ComputingCost::Declared;
    let computing =
        (one.elapsed_ns > 0 && declared).then(|| one.worked_ns as f64 / (ranks * one.elapsed_ns as f64));
    let parallel = one.series.version == Version::Mpi;
    vec![
        one.series.version.name().to_owned(),
        one.series.ranks.to_string(),
        format::time(lang, one.elapsed_ns as f64),
        speedup.map_or_else(dash, |x| format::ratio(lang, x)),
        speedup.filter(|_| parallel).map_or_else(dash, |speedup| format::percent(lang, speedup / ranks)),
        computing.map_or_else(dash, |x| format::percent(lang, x)),
        one.traffic.messages.to_string(),
        format::bytes(lang, one.traffic.bytes),
        if one.correct == Some(false) { text::wrong(lang) } else { String::new() },
    ]
}

fn remarks(all: &[&Prediction], lang: Lang) -> Vec<String> {
    match model::declared(all.iter().copied()) {
        DeclaredComputing::Nothing => vec![text::nothing_declared(lang)],
        DeclaredComputing::ParallelOnly => vec![text::only_parallel(lang)],
        DeclaredComputing::Both | DeclaredComputing::SequentialOnly => vec![],
    }
}

#[cfg(test)]
mod tests {
    use wb_record::{MeasuredWorkload, Series, TimedRegion, Traffic, example};

    use super::*;

    fn record(version: Version, ranks: u32, elapsed_ns: u64, worked_ns: u64, correct: bool) -> Record {
        let workload = MeasuredWorkload { name: "sine".into(), size: 1000, unit: String::new() };
        let series = Series { workload, version, mode: TimedRegion::TaskRun, ranks };
        let traffic = Traffic { messages: 3, bytes: 24, messages_max_rank: 1, bytes_max_rank: 8 };
        let prediction = Prediction {
            series,
            machine: "cluster-ib".into(),
            faults: vec![],
            computing: ComputingCost::Declared,
            elapsed_ns,
            worked_ns,
            worked_max_ns: worked_ns / u64::from(ranks),
            traffic,
            correct: Some(correct),
        };
        Record { measurement: prediction.into(), ..example() }
    }

    #[test]
    fn speed_up_is_against_the_sequential_version_of_the_same_machine() {
        let records = [record(Version::Seq, 1, 8000, 8000, true), record(Version::Mpi, 4, 2500, 8000, true)];
        let output = super::render(&records, Lang::En);
        assert!(output.contains("3.20") && output.contains("80.0 %") && output.contains("MODEL"), "{output}");
        assert!(output.lines().all(|line| line.chars().count() <= 80), "{output}");
    }

    #[test]
    fn faults_are_told_on_the_face_of_the_table() {
        let mut records =
            [record(Version::Seq, 1, 8000, 8000, true), record(Version::Mpi, 4, 2500, 8000, true)];
        assert!(!super::render(&records, Lang::En).contains("faults"));
        let Measurement::Prediction(prediction) = &mut records[1].measurement else { unreachable!() };
        prediction.faults = vec!["slow:3:2.0".into(), "jitter:7".into()];
        let output = super::render(&records, Lang::En);
        assert!(output.contains("slow:3:2.0, jitter:7"), "{output}");
    }

    #[test]
    fn measured_computing_is_marked_and_has_a_speed_up() {
        let mut records = [record(Version::Seq, 1, 8000, 0, true), record(Version::Mpi, 4, 2500, 0, true)];
        for record in &mut records {
            let Measurement::Prediction(prediction) = &mut record.measurement else { unreachable!() };
            prediction.computing = ComputingCost::Measured;
        }
        let output = super::render(&records, Lang::En);
        assert!(output.contains("NOT DETERMINISTIC") && output.contains("3.20"), "{output}");
        assert!(!output.contains("same on every computer") && !output.contains("world.work"), "{output}");
    }

    #[test]
    fn no_speed_up_of_a_wrong_result_nor_without_declared_work() {
        let wrong = [record(Version::Seq, 1, 8000, 8000, true), record(Version::Mpi, 4, 2500, 8000, false)];
        let output = super::render(&wrong, Lang::En);
        assert!(!output.contains("3.20") && output.contains("wrong result"), "{output}");
        let silent = [record(Version::Seq, 1, 0, 0, true), record(Version::Mpi, 4, 2500, 0, true)];
        let output = super::render(&silent, Lang::Ru);
        assert!(
            output.contains("world.work") && output.lines().all(|line| line.chars().count() <= 80),
            "{output}"
        );
        // Without declared computing one cell is left, the share of computing; there are no columns S and E.
        assert_eq!(output.matches(UNKNOWN_CELL).count(), 1, "{output}");
    }
}
