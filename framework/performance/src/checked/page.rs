//! Renders the results of a check: in at most 80 columns where no path is longer, or as lines of JSON.
use std::{collections::BTreeSet, fmt::Write, time::Duration};

use serde_json::{Value, json};
use wb_comm::{Finding, exploration::Buffering};
use wb_messages::{Lang, checker as text, number, pages};

use crate::checked::{CheckFault, CheckedCase, SIZES};

/// All cases of a task.
pub(crate) struct CheckReport<'a> {
    pub(crate) task: &'a str,
    /// Whether the task has several workloads, so that a command must name its workload.
    pub(crate) has_several_workloads: bool,
    /// In the order in which they were tried.
    pub(crate) cases: &'a [CheckedCase],
}

impl CheckReport<'_> {
    /// Renders tables, faults and the summary.
    pub(crate) fn render(&self, took: Duration, lang: Lang) -> String {
        let mut page = wrapped("", &text::heading(lang, self.task));
        let mut workloads: Vec<&str> = self.cases.iter().map(|case| case.workload.as_str()).collect();
        workloads.dedup();
        for workload in workloads {
            let cases: Vec<&CheckedCase> =
                self.cases.iter().filter(|case| case.workload == workload).collect();
            page += &format!("\n{}", table(workload, &cases, lang));
            for case in cases {
                case.faults.iter().for_each(|fault| page += &self.fault(case, fault, lang));
            }
            // The smallest case represents all.
            let remarkable =
                self.cases.iter().find(|case| case.workload == workload && !case.remarks.is_empty());
            for (case, remark) in
                remarkable.iter().flat_map(|case| case.remarks.iter().map(move |remark| (case, remark)))
            {
                page += &self.remark(case, remark, lang);
            }
        }
        page + "\n" + &wrapped("", &self.totals(took, lang))
    }

    fn fault(&self, case: &CheckedCase, fault: &CheckFault, lang: Lang) -> String {
        let CheckedCase { workload, size, ranks, .. } = case;
        let mut output = format!("\n{}", wrapped("  ", &text::fault(lang, workload, size, ranks)));
        match fault.buffering() {
            Some(Buffering::None) => output += &wrapped("  ", &text::unbuffered(lang)),
            Some(Buffering::Limited) => output += &wrapped("  ", &text::limited_buffering(lang)),
            Some(Buffering::Unlimited) | None => {}
        }
        output + &body(fault, lang) + &self.replay_commands(case, fault, lang)
    }

    fn remark(&self, case: &CheckedCase, remark: &CheckFault, lang: Lang) -> String {
        let CheckedCase { workload, size, ranks, .. } = case;
        let output = format!("\n{}", wrapped("  ", &text::remark(lang, workload, size, ranks)));
        output + &body(remark, lang) + &self.replay_commands(case, remark, lang)
    }

    fn replay_commands(&self, case: &CheckedCase, fault: &CheckFault, lang: Lang) -> String {
        let of =
            if self.has_several_workloads { format!(" --workload {}", case.workload) } else { String::new() };
        let CheckedCase { size, ranks, .. } = case;
        let runs: Vec<&String> =
            fault.differing_run.iter().chain([&fault.schedule]).filter(|run| !run.is_empty()).collect();
        let command =
            |run| format!("    cargo wb check -p {}{of} --replay {ranks}:{size}:{run}\n", self.task);
        let commands: String = runs.iter().map(command).collect();
        match runs.len() {
            0 => commands,
            1 => format!("  {}\n{commands}", text::replay_command(lang)),
            _ => format!("  {}\n{commands}", text::both_replay_commands(lang)),
        }
    }

    fn totals(&self, took: Duration, lang: Lang) -> String {
        if self.cases.iter().all(|case| case.is_rejected) {
            return text::nothing_checked(lang);
        }
        let runs: u64 = self.cases.iter().map(CheckedCase::runs).sum();
        let wrong = self.cases.iter().filter(|case| !case.faults.is_empty()).count();
        let time = number::fixed(lang, took.as_secs_f64(), 1);
        match (wrong, self.cases.iter().all(|case| case.exhaustive || case.is_rejected)) {
            (0, true) => text::all_right(lang, runs, time),
            (0, false) => {
                let done = self.cases.iter().filter(|case| case.exhaustive || case.is_rejected).count();
                text::right_so_far(lang, done, self.cases.len(), runs, time)
            }
            (wrong, _) => {
                let faults = self.cases.iter().flat_map(|case| &case.faults);
                let codes: BTreeSet<_> =
                    faults.flat_map(|fault| &fault.findings).map(|one| one.code).collect();
                let explained = codes.iter().map(|code| text::explain(lang, code));
                [text::wrong(lang, wrong, runs, time)]
                    .into_iter()
                    .chain(explained)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        }
    }
}

/// Renders the result of a replayed run.
pub(crate) fn render_replay(case: &CheckedCase, json: bool, lang: Lang) -> String {
    if json {
        return format!("{}\n", to_json_line("", case, lang));
    }
    match case.faults.first() {
        None => {
            let output = case.output.iter().flat_map(|output| output.lines());
            let output: String = output.map(|line| wrapped("    ", line)).collect();
            wrapped("", &text::replayed_right(lang)) + &output
        }
        Some(fault) => format!("{}{}", wrapped("", &text::replayed_wrong(lang)), body(fault, lang)),
    }
}

/// The number of runs of each case: sizes in rows, numbers of ranks in columns.
fn table(workload: &str, cases: &[&CheckedCase], lang: Lang) -> String {
    let mut ranks: Vec<usize> = cases.iter().map(|case| case.ranks).collect();
    ranks.dedup();
    let mut table = wrapped("  ", &text::workload(lang, workload));
    let heads: String = ranks.iter().map(|ranks| format!("{:>10}", format!("P = {ranks}"))).collect();
    let _ = writeln!(table, "  {:>8}{heads}", text::size(lang));
    for size in SIZES {
        let cell = |ranks: &usize| {
            let case = cases.iter().find(|case| case.size == size && case.ranks == *ranks);
            format!("{:>10}", case.map_or_else(String::new, |case| cell(case, lang)))
        };
        let cells: String = ranks.iter().map(cell).collect();
        let _ = writeln!(table, "  {size:>8}{}", cells.trim_end());
    }
    table
}

fn cell(case: &CheckedCase, lang: Lang) -> String {
    if !case.faults.is_empty() {
        return text::cell_wrong(lang);
    }
    match (case.is_rejected, case.exhaustive) {
        (true, _) => "-".to_owned(),
        (false, true) => case.runs().to_string(),
        (false, false) => format!("{}+", case.runs()),
    }
}

/// The description of a fault without its position.
fn body(fault: &CheckFault, lang: Lang) -> String {
    let mut output: String = fault.findings.iter().map(|finding| render_finding(finding, lang)).collect();
    if let Some(wrong) = &fault.wrong {
        let lines = wrong.lines().map(|line| wrapped("    ", line));
        output += &lines.collect::<String>();
    }
    output
}

fn render_finding(finding: &Finding, lang: Lang) -> String {
    let Finding { code, locations: places, details, .. } = finding;
    let mut output = wrapped("    ", &format!("{code}: {}", pages::page(*code).title.in_language(lang)));
    places.iter().for_each(|place| output += &wrapped("      ", &place.text().render(lang)));
    let details = details.iter().map(|detail| detail.render(lang));
    details.for_each(|detail| detail.lines().for_each(|line| output += &wrapped("      ", line)));
    output
}

/// Lines of words that begin with `indent` and end with an end of line.
fn wrapped(indent: &str, words: &str) -> String {
    wb_messages::wrap(words, indent, indent, wb_messages::WIDTH) + "\n"
}

/// A case as a line of JSON: keys and codes are English, texts are in `lang`.
pub(crate) fn to_json_line(task: &str, case: &CheckedCase, lang: Lang) -> Value {
    let replay = |schedule: &String| format!("{}:{}:{schedule}", case.ranks, case.size);
    let output = |fault: &CheckFault| {
        let beside = fault.differing_run.as_ref().map(replay);
        let findings: Vec<_> = fault.findings.iter().map(|finding| finding_to_json(finding, lang)).collect();
        json!({ "findings": findings, "wrong": fault.wrong, "replay": replay(&fault.schedule), "beside": beside })
    };
    json!({
        "task": task,
        "workload": case.workload,
        "size": case.size,
        "ranks": case.ranks,
        "schedules": case.schedules,
        "redundant": case.redundant,
        "exhaustive": case.exhaustive,
        "refused": case.is_rejected,
        "faults": Value::from_iter(case.faults.iter().map(output)),
        "remarks": Value::from_iter(case.remarks.iter().map(output)),
        "output": case.output,
    })
}

/// A finding with its details in `lang`.
fn finding_to_json(finding: &Finding, lang: Lang) -> Value {
    let details: Vec<_> = finding.details.iter().map(|detail| detail.in_language(lang)).collect();
    json!({ "code": finding.code, "rank": finding.rank, "places": finding.locations, "details": details })
}

#[cfg(test)]
mod tests {
    use wb_comm::{CallLocation, Code, text::exploration};

    use super::*;

    fn case(size: usize, ranks: usize) -> CheckedCase {
        CheckedCase {
            workload: "int".into(),
            size,
            ranks,
            schedules: [2, 1, 0],
            exhaustive: true,
            ..CheckedCase::default()
        }
    }

    fn page(cases: &[CheckedCase], several: bool, lang: Lang) -> String {
        CheckReport { task: "ivanov_i_sum", has_several_workloads: several, cases }
            .render(Duration::from_millis(1500), lang)
    }

    fn wrong() -> CheckedCase {
        let place = CallLocation {
            rank: 0,
            call: "recv".into(),
            file: "tasks/ivanov_i_sum/src/mpi.rs".into(),
            line: 12,
            made: None,
        };
        let details = vec![exploration::fails_with_message_of(
            2,
            "WB0002, and then everybody waits for everybody for ever",
        )];
        let finding = Finding { code: Code::WildcardRace, rank: 0, locations: vec![place], details };
        let fault = CheckFault { findings: vec![finding], schedule: "0.1".into(), ..CheckFault::default() };
        CheckedCase { faults: vec![fault], ..case(7, 3) }
    }

    #[test]
    fn a_fault_has_its_code_its_line_and_the_command_that_shows_it_again() {
        for lang in Lang::ALL {
            let output = page(&[wrong()], true, lang);
            for part in [
                "WB0021",
                &wrong().faults[0].findings[0].locations[0].text().render(lang),
                &exploration::fails_with_message_of(2, "WB0002").render(lang),
                "cargo wb check -p ivanov_i_sum --workload int --replay 3:7:0.1",
            ] {
                assert!(output.contains(part), "{part}:\n{output}");
            }
            assert!(output.lines().all(|line| line.chars().count() <= wb_messages::WIDTH), "{output}");
            let words: Vec<_> = output.split_whitespace().collect();
            assert!(words.ends_with(&["cargo", "wb", "explain", "WB0021"]), "{output}");
            let again = render_replay(&wrong(), false, lang);
            assert!(again.contains("WB0021") && !again.contains("--replay"), "{again}");
            let fault = CheckFault { wrong: Some("another sum".into()), ..CheckFault::default() };
            let without_code = page(&[CheckedCase { faults: vec![fault], ..case(7, 3) }], true, lang);
            let end = wrapped("", &text::wrong(lang, 1, 3, number::fixed(lang, 1.5, 1)));
            assert!(without_code.ends_with(&end) && !without_code.contains("explain"), "{without_code}");
        }
    }

    #[test]
    fn a_remark_is_told_with_both_runs_and_makes_nothing_wrong() {
        let remark = CheckFault { differing_run: Some("0.0".into()), ..wrong().faults[0].clone() };
        let remarkable = CheckedCase { faults: vec![], remarks: vec![remark], ..wrong() };
        for lang in Lang::ALL {
            let output = page(&[remarkable.clone(), remarkable.clone()], false, lang);
            for part in ["--replay 3:7:0.0", "--replay 3:7:0.1"] {
                assert_eq!(output.matches(part).count(), 1, "{output}");
            }
            assert!(
                output.ends_with(&wrapped("", &text::all_right(lang, 6, number::fixed(lang, 1.5, 1)))),
                "{output}"
            );
        }
    }

    #[test]
    fn json_has_texts_in_the_user_s_language_and_the_same_keys_in_both() {
        let [english, russian] = Lang::ALL.map(|lang| {
            let mut output = to_json_line("t", &wrong(), lang);
            let details = output["faults"][0]["findings"][0]["details"].take();
            let right = wrong().faults[0].findings[0].details[0].render(lang);
            assert_eq!(details, json!([right]));
            output
        });
        assert_eq!(english, russian);
    }
}
