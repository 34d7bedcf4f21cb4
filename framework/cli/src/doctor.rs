//! `cargo wb doctor`: what this machine has, what it lacks, and the command that mends it.

use std::{process::Command, time::Duration};

use serde_json::json;
use wb_messages::{Lang, WIDTH, doctor as text, wrapped};

use crate::{
    Done,
    error::Result,
    machine::{Flavour, Libclang, Mpi, Need, NoMpi, Survey, answer},
    setup,
};

/// One thing that was looked at.
struct Finding {
    id: &'static str,
    name: fn(Lang) -> String,
    well: bool,
    told: String,
    mend: Option<String>,
}

pub(crate) fn run(lang: Lang, json: bool) -> Result<Done> {
    let survey = Survey::of(None);
    let findings: Vec<Finding> =
        needs(&survey, lang).into_iter().chain(rust()).chain(surroundings(lang)).collect();
    let missing = findings.iter().filter(|finding| !finding.well).count();
    if json {
        println!("{:#}", as_json(&findings, &survey));
    } else {
        findings.iter().for_each(|finding| show(finding, lang));
        for mpi in installed_besides(&survey) {
            let which = format!("{} {}", mpi.flavour.name(), mpi.version);
            println!("{}", wrapped(&text::also_installed(lang, which), "  ", "    ", WIDTH));
        }
        let verdict =
            if missing == 0 { text::all_well(lang) } else { text::something_missing(lang, missing) };
        println!("{verdict}");
    }
    Ok(Done::well_if(missing == 0))
}

fn show(finding: &Finding, lang: Lang) {
    let mark = if finding.well { "✓" } else { "✗" };
    let told = format!("{}: {}", (finding.name)(lang), finding.told);
    println!("{}", wrapped(&told, &format!("{mark} "), "    ", WIDTH));
    if let Some(mend) = &finding.mend {
        println!("  {}", text::mend(lang, mend));
    }
}

fn as_json(findings: &[Finding], survey: &Survey) -> serde_json::Value {
    let findings: Vec<_> = findings
        .iter()
        .map(|f| json!({ "id": f.id, "well": f.well, "told": f.told, "mend": f.mend }))
        .collect();
    let mpi = survey.mpi.as_ref().ok().map(|mpi| {
        json!({ "flavour": mpi.flavour.id(), "version": mpi.version, "mpicc": mpi.wrapper, "launcher": mpi.launcher })
    });
    let (usable, physical) = (wb_process::usable_cores(), wb_process::physical_cores());
    json!({ "findings": findings, "mpi": mpi, "usable_cores": usable, "physical_cores": physical })
}

/// The other flavour, if it works too.
fn installed_besides(survey: &Survey) -> Vec<Mpi> {
    let chosen = survey.mpi.as_ref().ok().map(|mpi| mpi.flavour);
    let others = Flavour::ALL.into_iter().filter(|flavour| chosen.is_some_and(|chosen| chosen != *flavour));
    others.filter_map(|flavour| Mpi::find(Some(flavour)).ok()).collect()
}

/// What an MPI program needs.
fn needs(survey: &Survey, lang: Lang) -> Vec<Finding> {
    [Need::Mpi, Need::Libclang, Need::Compiler, Need::PkgConfig]
        .into_iter()
        .map(|need| {
            let well = !survey.missing().contains(&need);
            let mend = (!well)
                .then(|| setup::command_for(&[need], None).unwrap_or_else(|| text::no_package_manager(lang)));
            Finding { id: id_of(need), name: name_of(need), well, told: tell(need, survey, lang), mend }
        })
        .collect()
}

fn id_of(need: Need) -> &'static str {
    match need {
        Need::Compiler => "cc",
        Need::PkgConfig => "pkg-config",
        Need::Libclang => "libclang",
        Need::Mpi => "mpi",
    }
}

/// What a need is called.
pub(crate) fn name_of(need: Need) -> fn(Lang) -> String {
    match need {
        Need::Compiler => text::compiler,
        Need::PkgConfig => text::pkg_config,
        Need::Libclang => text::libclang,
        Need::Mpi => text::mpi,
    }
}

/// What was found of a need.
pub(crate) fn tell(need: Need, survey: &Survey, lang: Lang) -> String {
    let or_missing = |found: &Option<String>| found.clone().unwrap_or_else(|| text::missing(lang));
    match need {
        Need::Compiler => or_missing(&survey.compiler),
        Need::PkgConfig => or_missing(&survey.pkg_config),
        Need::Libclang => match &survey.libclang {
            Libclang::Usable(path) => path.display().to_string(),
            Libclang::NoHeaders(path) => text::no_clang_headers(lang, path.display()),
            Libclang::Missing => text::missing(lang),
        },
        Need::Mpi => match &survey.mpi {
            Ok(mpi) => tell_mpi(mpi, lang),
            Err(why) => tell_no_mpi(why, lang),
        },
    }
}

/// What is known of an MPI that works.
pub(crate) fn tell_mpi(mpi: &Mpi, lang: Lang) -> String {
    text::works(lang, mpi.flavour.name(), &mpi.version, &mpi.wrapper, &mpi.launcher)
}

fn tell_no_mpi(why: &NoMpi, lang: Lang) -> String {
    match why {
        NoMpi::NoWrapper { names } => text::no_wrapper(lang, names),
        NoMpi::DoesNotCompile { wrapper } => text::does_not_compile(lang, wrapper),
        NoMpi::UnknownFlavour { wrapper } => text::unknown_flavour(lang, wrapper),
        NoMpi::OtherFlavour { wrapper, flavour } => text::other_flavour(lang, wrapper, flavour.name()),
        NoMpi::NoLauncher { flavour, version, names } => {
            text::no_launcher(lang, flavour.name(), version, names)
        }
    }
}

/// The Rust toolchain.
fn rust() -> Vec<Finding> {
    let version = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg("--version");
        answer(command, Duration::from_secs(30)).map(|told| told.trim().to_owned())
    };
    let finding = |id, name, told: Option<String>, mend: &str| Finding {
        id,
        name,
        well: told.is_some(),
        mend: told.is_none().then(|| mend.to_owned()),
        told: told.unwrap_or_else(|| "-".into()),
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
fn surroundings(lang: Lang) -> Vec<Finding> {
    let (usable, physical) = (wb_process::usable_cores(), wb_process::physical_cores());
    let counted = text::core_count(lang, usable, physical);
    let cores = format!("{counted}; {}", text::oversubscribed(lang, usable + 1));
    let user = if is_root() { text::root(lang) } else { text::not_root(lang) };
    let known = |id, name, told| Finding { id, name, well: true, told, mend: None };
    vec![known("cores", text::cores, cores), known("user", text::user, user)]
}

/// Whether this process may do everything.
pub(crate) fn is_root() -> bool {
    wb_process::is_root()
}
