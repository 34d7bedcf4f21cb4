//! `cargo wb doctor`: what this machine has, what it lacks, and the command that mends it.

use std::{process::Command, time::Duration};

use serde_json::json;
use wb_messages::{Lang, WIDTH, doctor as text, wrap};

use crate::{
    CommandStatus,
    error::Result,
    setup,
    system_probe::{Flavour, Libclang, MpiInstallation, MpiProbeError, Requirement, SystemProbe, output_of},
};

/// One thing that was looked at.
struct DoctorCheck {
    id: &'static str,
    name: fn(Lang) -> String,
    is_ok: bool,
    details: String,
    fix: Option<String>,
}

pub(crate) fn run(lang: Lang, json: bool) -> Result<CommandStatus> {
    let survey = SystemProbe::new(None);
    let findings: Vec<DoctorCheck> = requirement_checks(&survey, lang)
        .into_iter()
        .chain(rust_checks())
        .chain(informational_checks(lang))
        .collect();
    let missing = findings.iter().filter(|finding| !finding.is_ok).count();
    if json {
        println!("{:#}", to_json(&findings, &survey));
    } else {
        findings.iter().for_each(|finding| print_check(finding, lang));
        for mpi in other_mpis(&survey) {
            let which = format!("{} {}", mpi.flavour.name(), mpi.version);
            println!("{}", wrap(&text::also_installed(lang, which), "  ", "    ", WIDTH));
        }
        let verdict =
            if missing == 0 { text::all_well(lang) } else { text::something_missing(lang, missing) };
        println!("{verdict}");
    }
    Ok(CommandStatus::from_success(missing == 0))
}

fn print_check(finding: &DoctorCheck, lang: Lang) {
    let mark = if finding.is_ok { "✓" } else { "✗" };
    let told = format!("{}: {}", (finding.name)(lang), finding.details);
    println!("{}", wrap(&told, &format!("{mark} "), "    ", WIDTH));
    if let Some(mend) = &finding.fix {
        println!("  {}", text::fix(lang, mend));
    }
}

fn to_json(findings: &[DoctorCheck], survey: &SystemProbe) -> serde_json::Value {
    let findings: Vec<_> = findings
        .iter()
        .map(|f| json!({ "id": f.id, "well": f.is_ok, "told": f.details, "mend": f.fix }))
        .collect();
    let mpi = survey.mpi.as_ref().ok().map(|mpi| {
        json!({ "flavour": mpi.flavour.id(), "version": mpi.version, "mpicc": mpi.wrapper, "launcher": mpi.launcher })
    });
    let (usable, physical) = (wb_process::usable_cores(), wb_process::physical_cores());
    json!({ "findings": findings, "mpi": mpi, "usable_cores": usable, "physical_cores": physical })
}

/// The other flavour, if it works too.
fn other_mpis(survey: &SystemProbe) -> Vec<MpiInstallation> {
    let chosen = survey.mpi.as_ref().ok().map(|mpi| mpi.flavour);
    let others = Flavour::ALL.into_iter().filter(|flavour| chosen.is_some_and(|chosen| chosen != *flavour));
    others.filter_map(|flavour| MpiInstallation::find(Some(flavour)).ok()).collect()
}

/// What an MPI program needs.
fn requirement_checks(survey: &SystemProbe, lang: Lang) -> Vec<DoctorCheck> {
    [Requirement::Mpi, Requirement::Libclang, Requirement::Compiler, Requirement::PkgConfig]
        .into_iter()
        .map(|need| {
            let well = !survey.missing().contains(&need);
            let mend = (!well)
                .then(|| setup::command_for(&[need], None).unwrap_or_else(|| text::no_package_manager(lang)));
            DoctorCheck {
                id: requirement_id(need),
                name: requirement_name(need),
                is_ok: well,
                details: describe_requirement(need, survey, lang),
                fix: mend,
            }
        })
        .collect()
}

fn requirement_id(need: Requirement) -> &'static str {
    match need {
        Requirement::Compiler => "cc",
        Requirement::PkgConfig => "pkg-config",
        Requirement::Libclang => "libclang",
        Requirement::Mpi => "mpi",
    }
}

/// What a need is called.
pub(crate) fn requirement_name(need: Requirement) -> fn(Lang) -> String {
    match need {
        Requirement::Compiler => text::compiler,
        Requirement::PkgConfig => text::pkg_config,
        Requirement::Libclang => text::libclang,
        Requirement::Mpi => text::mpi,
    }
}

/// What was found of a need.
pub(crate) fn describe_requirement(need: Requirement, survey: &SystemProbe, lang: Lang) -> String {
    let or_missing = |found: &Option<String>| found.clone().unwrap_or_else(|| text::missing(lang));
    match need {
        Requirement::Compiler => or_missing(&survey.compiler),
        Requirement::PkgConfig => or_missing(&survey.pkg_config),
        Requirement::Libclang => match &survey.libclang {
            Libclang::Usable(path) => path.display().to_string(),
            Libclang::NoHeaders(path) => text::no_clang_headers(lang, path.display()),
            Libclang::Missing => text::missing(lang),
        },
        Requirement::Mpi => match &survey.mpi {
            Ok(mpi) => describe_mpi(mpi, lang),
            Err(why) => describe_missing_mpi(why, lang),
        },
    }
}

/// What is known of an MPI that works.
pub(crate) fn describe_mpi(mpi: &MpiInstallation, lang: Lang) -> String {
    text::works(lang, mpi.flavour.name(), &mpi.version, &mpi.wrapper, &mpi.launcher)
}

fn describe_missing_mpi(why: &MpiProbeError, lang: Lang) -> String {
    match why {
        MpiProbeError::NoWrapper { names } => text::no_wrapper(lang, names),
        MpiProbeError::DoesNotCompile { wrapper } => text::does_not_compile(lang, wrapper),
        MpiProbeError::UnknownFlavour { wrapper } => text::unknown_flavour(lang, wrapper),
        MpiProbeError::OtherFlavour { wrapper, flavour } => {
            text::other_flavour(lang, wrapper, flavour.name())
        }
        MpiProbeError::NoLauncher { flavour, version, names } => {
            text::no_launcher(lang, flavour.name(), version, names)
        }
    }
}

/// The Rust toolchain.
fn rust_checks() -> Vec<DoctorCheck> {
    let version = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg("--version");
        output_of(command, Duration::from_secs(30)).map(|told| told.trim().to_owned())
    };
    let finding = |id, name, told: Option<String>, mend: &str| DoctorCheck {
        id,
        name,
        is_ok: told.is_some(),
        fix: told.is_none().then(|| mend.to_owned()),
        details: told.unwrap_or_else(|| "-".into()),
    };
    let rustc =
        version(&["rustc"]).zip(version(&["cargo"])).map(|(rustc, cargo)| format!("{rustc}, {cargo}"));
    vec![
        finding("rust", text::rust, rustc, "https://rustup.rs"),
        finding("clippy", text::clippy, version(&["cargo", "clippy"]), "rustup component add clippy"),
        finding("rustfmt", text::rustfmt, version(&["cargo", "fmt"]), "rustup component add rustfmt"),
    ]
}

/// What is neither right nor wrong, but good to know.
fn informational_checks(lang: Lang) -> Vec<DoctorCheck> {
    let (usable, physical) = (wb_process::usable_cores(), wb_process::physical_cores());
    let counted = text::core_count(lang, usable, physical);
    let cores = format!("{counted}; {}", text::oversubscribed(lang, usable + 1));
    let user = if is_root() { text::root(lang) } else { text::not_root(lang) };
    let known = |id, name, told| DoctorCheck { id, name, is_ok: true, details: told, fix: None };
    vec![known("cores", text::cores, cores), known("user", text::user, user)]
}

/// Whether this process may do everything.
pub(crate) fn is_root() -> bool {
    wb_process::is_root()
}
