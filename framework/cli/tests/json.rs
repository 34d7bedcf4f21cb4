//! The keys of every `--json` answer that needs no workspace: programs read them.

use std::collections::BTreeSet;

use serde_json::Value;

/// A command, its exit code, and the paths of all values of its answer.
const ANSWERS: &[(&str, i32, &str)] = &[
    ("explain WB0012", 0, "class code look picture right title what wrong"),
    (
        "barriers list -n 4",
        0,
        "[].family [].form [].hops [].messages [].name [].promise.memory [].promise.scope [].ranks [].rounds \
         [].section [].source [].substrates[] [].summary",
    ),
    ("barriers prove --max-ranks 3", 0, "[].delivery [].name [].plans [].ranks [].result [].sizes [].states"),
    (
        "barriers prove hierarchical_by_own_node --max-ranks 6",
        1,
        "[].counterexample [].kind [].name [].nodes[] [].ranks [].result",
    ),
    (
        "barriers prove counter_after_meeting",
        1,
        "[].counterexample [].kind [].name [].ranks [].result [].trace[]",
    ),
    (
        "barriers plan dissemination -n 4",
        0,
        "messages[].from messages[].heard messages[].slot messages[].to messages[].told name nodes[] ranks \
         refused",
    ),
    (
        "barriers simulate dissemination -n 4 --late 1 --path",
        0,
        "barriers[].name barriers[].predictions[].cost_ns barriers[].predictions[].critical_path[].arrives_ns \
         barriers[].predictions[].critical_path[].at_ns barriers[].predictions[].critical_path[].called_ns \
         barriers[].predictions[].critical_path[].enters barriers[].predictions[].critical_path[].leaves \
         barriers[].predictions[].critical_path[].message_from barriers[].predictions[].critical_path[].to \
         barriers[].predictions[].first_exit_ns barriers[].predictions[].last_entry_ns \
         barriers[].predictions[].last_exit_ns barriers[].predictions[].mean_exit_ns \
         barriers[].predictions[].messages barriers[].predictions[].ranks calibrated episodes kind late.by_ns \
         late.rank machine noise_seed",
    ),
    (
        "barriers simulate -n 3,5",
        0,
        "barriers[].name barriers[].predictions[].cost_ns barriers[].predictions[].critical_path \
         barriers[].predictions[].first_exit_ns barriers[].predictions[].last_entry_ns \
         barriers[].predictions[].last_exit_ns barriers[].predictions[].mean_exit_ns \
         barriers[].predictions[].messages barriers[].predictions[].ranks barriers[].predictions[].skipped \
         calibrated episodes kind late machine noise_seed",
    ),
    (
        "collectives list scan",
        0,
        "[].bytes [].family [].lines_read [].lines_written [].messages [].name [].ranks [].rounds [].source \
         [].summary [].verb",
    ),
    ("collectives prove --max-ranks 3", 0, "[].cases [].name [].result [].verb"),
    (
        "collectives plan allreduce",
        0,
        "bytes messages[].bytes messages[].from messages[].round messages[].to name ranks verb",
    ),
    (
        "collectives simulate scan -n 4",
        0,
        "bytes collectives[].name collectives[].predictions[].cost_ns collectives[].predictions[].messages \
         collectives[].predictions[].ranks kind machine",
    ),
    (
        "broadcasts list",
        0,
        "[].bytes [].messages [].name [].ranks [].rounds [].section [].segment_bytes [].source [].summary",
    ),
    ("broadcasts prove --max-ranks 3", 0, "[].cases [].name [].result"),
    (
        "broadcasts simulate -n 4",
        0,
        "broadcasts[].name broadcasts[].predictions[].cost_ns broadcasts[].predictions[].messages \
         broadcasts[].predictions[].ranks bytes kind machine segment_bytes",
    ),
    (
        "machines",
        0,
        "[].about.en [].about.ru [].calibration [].cards [].cards.gap_ns [].cards.per_node [].cores_per_group \
         [].groups_per_node [].links.core.byte_ps [].links.core.copy_ps [].links.core.eager_bytes \
         [].links.core.gap_ns [].links.core.latency_ns [].links.core.overhead_ns [].links.core.pieces[] \
         [].links.network [].links.network.byte_ps [].links.network.copy_ps [].links.network.eager_bytes \
         [].links.network.gap_ns [].links.network.latency_ns [].links.network.overhead_ns \
         [].links.network.pieces[] [].links.node.byte_ps [].links.node.copy_ps [].links.node.eager_bytes \
         [].links.node.gap_ns [].links.node.latency_ns [].links.node.overhead_ns [].links.node.pieces[] \
         [].name [].noise [].noise.detour_ns [].noise.every_ns",
    ),
];

/// Adds the paths of all values below `path`; `[]` is an element of an array.
fn add_paths(value: &Value, path: &str, paths: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            fields.iter().for_each(|(key, field)| add_paths(field, &format!("{path}{dot}{key}"), paths));
        }
        Value::Array(elements) if !elements.is_empty() => {
            elements.iter().for_each(|element| add_paths(element, &format!("{path}[]"), paths));
        }
        Value::Array(_) => drop(paths.insert(format!("{path}[]"))),
        _ => drop(paths.insert(path.to_owned())),
    }
}

#[test]
fn every_answer_has_its_keys_and_no_others() {
    for (command, code, expected) in ANSWERS {
        let words: Vec<_> = command.split(' ').chain(["--json"]).collect();
        let answer = crate::run_wb::run_text(words[0], &words[1..], *code);
        let mut paths = BTreeSet::new();
        add_paths(&serde_json::from_str(&answer).expect(command), "", &mut paths);
        assert_eq!(paths.into_iter().collect::<Vec<_>>().join(" "), *expected, "{command}");
    }
}
