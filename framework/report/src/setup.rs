//! The experimental setup as pairs of label and value: rule nine, document all factors.

use wb_messages::report::{document, result};
use wb_messages::{Lang, number};

use crate::analysis::TaskAnalysis;
use crate::{format, labels};

/// Every recorded factor, in the order of the report.
pub(crate) fn facts(lang: Lang, analysis: &TaskAnalysis<'_>) -> Vec<(String, String)> {
    let environment = analysis.environment;
    let machine = &environment.machine;
    let unknown = || document::unknown(lang);
    let mut facts = vec![
        (
            document::label_machine(lang),
            joined(" · ", [Some(machine.cpu.clone()), virtualisation(lang, machine)]),
        ),
        (document::label_cores(lang), document::cores(lang, machine.usable_cores, machine.physical_cores)),
        (document::label_caches(lang), caches(lang, analysis)),
        (document::label_memory(lang), machine.memory_bytes.map_or_else(unknown, |n| gibibytes(lang, n))),
        (document::label_frequency(lang), frequency(lang, analysis)),
        (document::label_system(lang), format!("{}, {}", machine.os, machine.kernel)),
        (document::label_backend(lang), backend(lang, analysis)),
        (document::label_compiler(lang), compiler(analysis)),
        (document::label_commit(lang), commit(lang, analysis)),
        (document::label_clock(lang), clock(lang, analysis)),
    ];
    if let Some(plan) = analysis.plan {
        let ranks = plan.ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        facts.push((document::label_plan(lang), document::plan(lang, ranks, &plan.ranks_chosen_by)));
    }
    let variables: Vec<String> = environment.variables.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let variables = if variables.is_empty() { document::none(lang) } else { variables.join(" ") };
    facts.push((document::label_variables(lang), variables));
    facts.push((
        document::label_run(lang),
        document::run(lang, analysis.run, analysis.measured_at, environment.seed),
    ));
    facts
}

/// Containers and virtual machines; the record names them in English.
fn virtualisation(lang: Lang, machine: &wb_record::HostMachine) -> Option<String> {
    let virtualisation = machine.virtualisation.as_ref()?;
    Some(virtualisation.replace("virtual machine", &document::virtual_machine(lang)))
}

fn joined<const N: usize>(separator: &str, parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(separator)
}

fn gibibytes(lang: Lang, n: u64) -> String {
    result::gibibytes(lang, format::significant(lang, n as f64 / f64::from(1 << 30)))
}

fn caches(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let caches = &analysis.environment.machine.caches;
    if caches.is_empty() {
        return document::unknown(lang);
    }
    let of =
        |c: &wb_record::Cache| format!("L{} {} (×{})", c.level, format::bytes(lang, c.bytes), c.shared_by);
    caches.iter().map(of).collect::<Vec<_>>().join(", ")
}

fn frequency(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let machine = &analysis.environment.machine;
    let mhz = machine.mhz.map(|mhz| document::megahertz(lang, number::fixed(lang, mhz, 0)));
    let frequency = joined(", ", [mhz, machine.governor.clone()]);
    if frequency.is_empty() { document::unknown(lang) } else { frequency }
}

fn backend(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let passing = &analysis.environment.message_passing;
    let library = Some(labels::library(lang, analysis));
    joined(", ", [library, passing.thread_level.clone(), passing.transport.clone()])
}

fn compiler(analysis: &TaskAnalysis<'_>) -> String {
    let build = &analysis.environment.build;
    let cpu = build.target_cpu.as_ref().map(|cpu| format!("target-cpu={cpu}"));
    let profile = format!("{}, opt-level {}", build.profile, build.opt_level);
    joined(", ", [Some(build.rustc.clone()), Some(profile), cpu, Some(build.target.clone())])
}

fn commit(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let build = &analysis.environment.build;
    let short = |commit: &String| commit.chars().take(12).collect::<String>();
    match (&build.commit, build.dirty) {
        (None, _) => document::unknown(lang),
        (Some(commit), Some(true)) => document::commit_dirty(lang, short(commit)),
        (Some(commit), _) => short(commit),
    }
}

fn clock(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let clock = &analysis.environment.clock;
    let barrier = clock.barrier_ns.map_or_else(|| document::none(lang), |ns| format::time(lang, ns));
    document::clock(lang, &clock.name, format::time(lang, clock.resolution_ns), barrier)
}
