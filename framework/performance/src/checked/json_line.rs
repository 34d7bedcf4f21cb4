//! A case of a check as a line of JSON.
use serde_json::{Value, json};
use wb_comm::Finding;
use wb_messages::Lang;

use crate::checked::case::{CheckFault, CheckedCase};

/// A case as a line of JSON: keys and codes are English, texts are in `lang`.
pub(crate) fn to_json_line(task: &str, case: &CheckedCase, lang: Lang) -> Value {
    let replay = |schedule: &String| format!("{}:{}:{schedule}", case.ranks, case.size);
    let told = |fault: &CheckFault| {
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
        "faults": Value::from_iter(case.faults.iter().map(told)),
        "remarks": Value::from_iter(case.remarks.iter().map(told)),
        "output": case.output,
    })
}

/// A finding with its details in `lang`.
fn finding_to_json(finding: &Finding, lang: Lang) -> Value {
    let details: Vec<_> = finding.details.iter().map(|detail| detail.in_language(lang)).collect();
    json!({ "code": finding.code, "rank": finding.rank, "places": finding.locations, "details": details })
}
