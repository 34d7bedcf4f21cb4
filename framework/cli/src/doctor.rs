//! `cargo wb doctor`: what this machine has, what it lacks, and the command that installs it.

mod host_probe;
mod hosts;

use std::{process::Command, time::Duration};

use serde::Serialize;
use wb_messages::{Lang, WIDTH, doctor as text, wrap};
use wb_process::{
    output_of,
    preconditions::{Precondition, preconditions},
    sandbox::{Sandbox, SandboxError},
};

use crate::{
    CommandStatus, arguments,
    error::Result,
    output,
    package_manager::command_for,
    requirements::{describe_requirement, describe_sandbox, describe_test_hosts, requirement_name},
    system_probe::{Flavour, MpiInstallation, MpiProbeError, Requirement, SystemProbe, TestHostsProbe},
};

/// One property of the machine, and whether it is as it must be.
#[derive(Serialize)]
struct DoctorCheck {
    id: &'static str,
    #[serde(skip)]
    name: fn(Lang) -> String,
    #[serde(rename = "well")]
    is_ok: bool,
    #[serde(rename = "told")]
    details: String,
    #[serde(rename = "mend")]
    fix: Option<String>,
}

/// The answer with `--json`.
#[derive(Serialize)]
struct DoctorReport<'a> {
    findings: &'a [DoctorCheck],
    mpi: Option<MpiReport<'a>>,
    usable_cores: usize,
    physical_cores: usize,
}

#[derive(Serialize)]
struct MpiReport<'a> {
    flavour: &'static str,
    version: &'a str,
    mpicc: &'a str,
    launcher: &'a str,
}

pub(crate) fn run(wanted: &arguments::DoctorArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    if let Some(file) = &wanted.hosts {
        return hosts::run(file, lang, json);
    }
    let probe = SystemProbe::new(None);
    let checks: Vec<DoctorCheck> = requirement_checks(&probe, lang)
        .into_iter()
        .chain(host_checks(&probe))
        .chain(rust_checks())
        .chain([sandbox_check(lang), test_hosts_check(lang)])
        .chain(informational_checks(lang))
        .collect();
    let missing = checks.iter().filter(|check| !check.is_ok).count();
    if json {
        print_json(&checks, &probe);
    } else {
        checks.iter().for_each(|check| print_check(check, lang));
        for mpi in other_mpis(&probe) {
            let which = format!("{} {}", mpi.flavour.name(), mpi.version);
            println!("{}", wrap(&text::also_installed(lang, which), "  ", "    ", WIDTH));
        }
        let verdict =
            if missing == 0 { text::all_well(lang) } else { text::something_missing(lang, missing) };
        println!("{verdict}");
    }
    Ok(CommandStatus::from_success(missing == 0))
}

fn print_check(check: &DoctorCheck, lang: Lang) {
    let mark = if check.is_ok { "✓" } else { "✗" };
    let line = format!("{}: {}", (check.name)(lang), check.details);
    println!("{}", wrap(&line, &format!("{mark} "), "    ", WIDTH));
    if let Some(fix) = &check.fix {
        println!("  {}", text::fix(lang, fix));
    }
}

fn print_json(checks: &[DoctorCheck], probe: &SystemProbe) {
    let mpi = probe.mpi.as_ref().ok().map(|mpi| MpiReport {
        flavour: mpi.flavour.id(),
        version: &mpi.version,
        mpicc: &mpi.wrapper,
        launcher: &mpi.launcher,
    });
    let (usable_cores, physical_cores) = (wb_process::usable_cores(), wb_process::physical_cores());
    output::print_json(&DoctorReport { findings: checks, mpi, usable_cores, physical_cores });
}

/// The other flavour, if it works too.
fn other_mpis(probe: &SystemProbe) -> Vec<MpiInstallation> {
    let chosen = probe.mpi.as_ref().ok().map(|mpi| mpi.flavour);
    let others = Flavour::ALL.into_iter().filter(|flavour| chosen.is_some_and(|chosen| chosen != *flavour));
    others.filter_map(|flavour| MpiInstallation::find(Some(flavour)).ok()).collect()
}

/// The requirements of an MPI program.
fn requirement_checks(probe: &SystemProbe, lang: Lang) -> Vec<DoctorCheck> {
    [Requirement::Mpi, Requirement::Libclang, Requirement::Compiler, Requirement::PkgConfig]
        .into_iter()
        .map(|requirement| {
            let other = probe.mpi.as_ref().ok().filter(|mpi| mpi.instead_of.is_some());
            let other = other.filter(|_| requirement == Requirement::Mpi);
            let is_ok = !probe.missing().contains(&requirement) && other.is_none();
            let is_installable =
                !(requirement == Requirement::Mpi && matches!(probe.mpi, Err(MpiProbeError::Host(_))));
            let fix = || match other {
                Some(mpi) => format!("export MPICC={}", mpi.wrapper),
                None => command_for(&[requirement], None).unwrap_or_else(|| text::no_package_manager(lang)),
            };
            DoctorCheck {
                id: requirement_id(requirement),
                name: requirement_name(requirement),
                is_ok,
                details: describe_requirement(requirement, probe, lang),
                fix: (!is_ok && is_installable).then(fix),
            }
        })
        .collect()
}

/// What a job of two ranks needs of this host.
fn host_checks(probe: &SystemProbe) -> Vec<DoctorCheck> {
    let is_open_mpi = probe.mpi.as_ref().map_or(true, |mpi| mpi.flavour == Flavour::OpenMpi);
    let check = |Precondition { id, is_met, text: details }| DoctorCheck {
        id,
        name: text::host,
        is_ok: is_met,
        details,
        fix: None,
    };
    preconditions(&std::env::temp_dir(), 2, is_open_mpi).into_iter().map(check).collect()
}

fn requirement_id(requirement: Requirement) -> &'static str {
    match requirement {
        Requirement::Compiler => "cc",
        Requirement::PkgConfig => "pkg-config",
        Requirement::Libclang => "libclang",
        Requirement::Mpi => "mpi",
        Requirement::Sandbox => "sandbox",
        Requirement::TestHosts => "test-hosts",
    }
}

/// The Rust toolchain.
fn rust_checks() -> Vec<DoctorCheck> {
    let version = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg("--version");
        output_of(command, Duration::from_secs(30)).map(|output| output.trim().to_owned())
    };
    let check = |id, name, version: Option<String>, fix: &str| DoctorCheck {
        id,
        name,
        is_ok: version.is_some(),
        fix: version.is_none().then(|| fix.to_owned()),
        details: version.unwrap_or_else(|| "-".into()),
    };
    let rustc =
        version(&["rustc"]).zip(version(&["cargo"])).map(|(rustc, cargo)| format!("{rustc}, {cargo}"));
    vec![
        check("rust", text::rust, rustc, "https://rustup.rs"),
        check("clippy", text::clippy, version(&["cargo", "clippy"]), "rustup component add clippy"),
        check("rustfmt", text::rustfmt, version(&["cargo", "fmt"]), "rustup component add rustfmt"),
    ]
}

/// The sandbox. Students do not need it, so it is not missing.
fn sandbox_check(lang: Lang) -> DoctorCheck {
    let found = Sandbox::find();
    let is_installable = matches!(found, Err(SandboxError::Missing { .. }));
    let command = command_for(&[Requirement::Sandbox], None).filter(|_| is_installable);
    let details = describe_sandbox(&found, lang);
    DoctorCheck { id: "sandbox", name: text::sandbox, is_ok: true, details, fix: command }
}

/// The hosts of the workbench's own tests. Only its developers need them, so they are not missing.
fn test_hosts_check(lang: Lang) -> DoctorCheck {
    let found = TestHostsProbe::new();
    let command = command_for(&[Requirement::TestHosts], None).filter(|_| found.is_installable());
    let details = describe_test_hosts(&found, lang);
    let id = requirement_id(Requirement::TestHosts);
    DoctorCheck { id, name: text::test_hosts, is_ok: true, details, fix: command }
}

/// Facts that are neither right nor wrong.
fn informational_checks(lang: Lang) -> Vec<DoctorCheck> {
    let (usable, physical) = (wb_process::usable_cores(), wb_process::physical_cores());
    let counted = text::core_count(lang, usable, physical);
    let cores = format!("{counted}; {}", text::oversubscribed(lang, usable + 1));
    let user = if wb_process::is_root() { text::root(lang) } else { text::not_root(lang) };
    let known = |id, name, details| DoctorCheck { id, name, is_ok: true, details, fix: None };
    vec![known("cores", text::cores, cores), known("user", text::user, user)]
}
