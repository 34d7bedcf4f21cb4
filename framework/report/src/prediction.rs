//! The predicted times of a task on a model of a machine, as tables for a terminal.
use wb_messages::{Lang, prediction as text, report::result};
use wb_record::{ComputingCost, Measurement, Prediction, Record};

use crate::{
    analysis::model::{self, DeclaredComputing},
    document::{Document, Medium, Table, left, right},
    format,
    screen::COLUMNS,
};

/// All predictions among the records, a table for each workload and mode.
pub(crate) fn render(records: &[Record], lang: Lang) -> String {
    let all = model::median_passes(records.iter().filter_map(prediction));
    let (Some(record), Some(first)) = (records.first(), all.first()) else { return String::new() };
    let mut document = Document::new(Medium::Terminal(COLUMNS));
    document.paragraph(text::heading(lang, &record.subject.task, &first.machine));
    if let Some(faults) = all.iter().map(|one| &one.faults).find(|faults| !faults.is_empty()) {
        document.alarm(text::with_faults(lang, faults.join(", ")));
    }
    let measured = all.iter().any(|one| one.computing == ComputingCost::Measured);
    if measured {
        document.alarm(text::computing_measured(lang));
    }
    let key = |one: &Prediction| (one.series.mode, one.series.workload.clone());
    let mut keys: Vec<_> = all.iter().map(|one| key(one)).collect();
    keys.sort();
    keys.dedup();
    for of_key in keys {
        let rows: Vec<&Prediction> = all.iter().copied().filter(|one| key(one) == of_key).collect();
        let (mode, workload) = of_key;
        document.paragraph(text::workload(lang, mode.name(), format::workload(lang, &workload)));
        document.table(table(&rows, lang));
    }
    if !measured {
        remarks(&all, lang).into_iter().for_each(|remark| document.alarm(remark));
        document.paragraph(text::same_everywhere(lang));
    }
    document.to_text()
}

fn prediction(record: &Record) -> Option<&Prediction> {
    match &record.measurement {
        Measurement::Prediction(prediction) => Some(prediction),
        _ => None,
    }
}

fn table(rows: &[&Prediction], lang: Lang) -> Table {
    let numbers = [
        result::ranks_short(lang),
        text::time(lang),
        result::speedup_short(lang),
        result::efficiency_short(lang),
        text::computing(lang),
        text::sends(lang),
        text::volume(lang),
    ];
    let columns = [left(result::version(lang))].into_iter().chain(numbers.map(right));
    let mut table = Table::new(columns.chain([left(result::remarks(lang))]));
    let base = model::base(rows);
    rows.iter().for_each(|one| table.row(row(one, base, lang)));
    // Without declared computing there is no speed-up: the column would contain only dashes.
    table.without_empty_columns(&format::dash())
}

fn row(one: &Prediction, base: Option<&Prediction>, lang: Lang) -> [String; 9] {
    let (speedup, efficiency) = model::speedup_and_efficiency(one, base);
    let (ranks, elapsed) = (f64::from(one.series.ranks), one.elapsed_ns as f64);
    let declared = one.elapsed_ns > 0 && one.computing == ComputingCost::Declared;
    let computing = declared.then(|| one.worked_ns as f64 / (ranks * elapsed));
    [
        one.series.version.name().to_owned(),
        one.series.ranks.to_string(),
        format::time(lang, elapsed),
        speedup.map_or_else(format::dash, |x| format::ratio(lang, x)),
        efficiency.map_or_else(format::dash, |x| format::percent(lang, x)),
        computing.map_or_else(format::dash, |x| format::percent(lang, x)),
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
    use wb_record::{MeasuredWorkload, Series, TimedRegion, Traffic, Version, example};

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
        assert_eq!(output.matches('—').count(), 1, "{output}");
    }
}
