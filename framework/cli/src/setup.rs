//! `cargo wb setup`: installs what is missing, through the package manager of the system.
//!
//! It says what it installs, why, and by which commands before it runs them. It runs them on systems with apt-get only,
//! as root or through sudo; elsewhere it tells the command and stops.

use std::{
    io::IsTerminal as _,
    process::{Command, Stdio},
};

use wb_messages::{Lang, doctor as text};

use crate::{
    Done, arguments,
    doctor::{self, is_root},
    error::{CliError, Result},
    machine::{Flavour, Mpi, Need, Survey, find},
    step,
};

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

impl Manager {
    /// The one of this system.
    fn find() -> Option<Self> {
        let known =
            [("apt-get", Self::Apt), ("dnf", Self::Dnf), ("pacman", Self::Pacman), ("brew", Self::Brew)];
        known.into_iter().find(|(program, _)| find(program).is_some()).map(|(_, manager)| manager)
    }

    /// The packages that fill a need.
    fn packages(self, need: Need, flavour: Flavour) -> &'static [&'static str] {
        match (self, need, flavour) {
            (Self::Apt, Need::Compiler, _) => &["build-essential"],
            (Self::Apt, Need::PkgConfig, _) => &["pkg-config"],
            (Self::Apt, Need::Libclang, _) => &["libclang-dev"],
            (Self::Apt, Need::Mpi, Flavour::OpenMpi) => &["openmpi-bin", "libopenmpi-dev"],
            (Self::Apt, Need::Mpi, Flavour::Mpich) => &["mpich", "libmpich-dev"],
            (Self::Dnf, Need::Compiler, _) => &["gcc"],
            (Self::Dnf, Need::PkgConfig, _) => &["pkgconf-pkg-config"],
            (Self::Dnf, Need::Libclang, _) => &["clang-devel"],
            (Self::Dnf, Need::Mpi, Flavour::OpenMpi) => &["openmpi-devel"],
            (Self::Dnf, Need::Mpi, Flavour::Mpich) => &["mpich-devel"],
            (Self::Pacman, Need::Compiler, _) => &["base-devel"],
            (Self::Pacman, Need::PkgConfig, _) => &["pkgconf"],
            (Self::Pacman, Need::Libclang, _) => &["clang"],
            (Self::Pacman, Need::Mpi, Flavour::OpenMpi) => &["openmpi"],
            (Self::Pacman, Need::Mpi, Flavour::Mpich) => &["mpich"],
            (Self::Brew, Need::Compiler, _) => &["gcc"],
            (Self::Brew, Need::PkgConfig, _) => &["pkgconf"],
            (Self::Brew, Need::Libclang, _) => &["llvm"],
            (Self::Brew, Need::Mpi, Flavour::OpenMpi) => &["open-mpi"],
            (Self::Brew, Need::Mpi, Flavour::Mpich) => &["mpich"],
        }
    }

    /// The commands that install `packages`, without what gives them the rights.
    fn commands(self, packages: &[&str]) -> Vec<Vec<String>> {
        let command = |words: &[&str]| words.iter().chain(packages).map(|word| (*word).to_owned()).collect();
        match self {
            Self::Apt => vec![
                ["apt-get", "update"].map(String::from).to_vec(),
                command(&["apt-get", "install", "--yes", "--no-install-recommends"]),
            ],
            Self::Dnf => vec![command(&["dnf", "install"])],
            Self::Pacman => vec![command(&["pacman", "-S", "--needed"])],
            Self::Brew => vec![command(&["brew", "install"])],
        }
    }
}

/// What is to be installed, and how.
struct Plan {
    manager: Manager,
    needs: Vec<(Need, &'static [&'static str])>,
    commands: Vec<Vec<String>>,
}

impl Plan {
    fn of(needs: &[Need], flavour: Option<Flavour>) -> Option<Self> {
        let manager = Manager::find()?;
        let flavour = flavour.unwrap_or(Flavour::OpenMpi);
        let needs: Vec<_> = needs.iter().map(|&need| (need, manager.packages(need, flavour))).collect();
        let packages: Vec<&str> = needs.iter().flat_map(|(_, packages)| packages.iter().copied()).collect();
        let mut commands = manager.commands(&packages);
        if !is_root() && manager != Manager::Brew {
            commands.iter_mut().for_each(|command| command.insert(0, "sudo".into()));
        }
        Some(Self { manager, needs, commands })
    }

    /// The commands in one line, for the user to run.
    fn line(&self) -> String {
        self.commands.iter().map(|command| command.join(" ")).collect::<Vec<_>>().join(" && ")
    }

    /// Says what will be installed, why, and how.
    fn announce(&self, lang: Lang) {
        let packages: Vec<&str> =
            self.needs.iter().flat_map(|(_, packages)| packages.iter().copied()).collect();
        println!("{}", text::will_install(lang, packages.join(" ")));
        for (need, packages) in &self.needs {
            for package in *packages {
                println!("{}", text::because(lang, doctor::name_of(*need)(lang), package));
            }
        }
        for command in &self.commands {
            println!("{}", text::will_run(lang, command.join(" ")));
        }
    }

    fn carry_out(&self, lang: Lang) -> Result<()> {
        if self.manager != Manager::Apt {
            return Err(CliError::Missing(text::only_apt(lang, self.line())));
        }
        if !is_root() && find("sudo").is_none() {
            return Err(CliError::Missing(text::no_rights(lang, self.line())));
        }
        let (install, refreshes) = self.commands.split_last().expect("every manager has a command");
        for words in refreshes {
            // Some other source of packages may be out of order, and those that we need can still come.
            if let Err(why) = carry_out(words, lang)? {
                eprintln!("{}", text::refresh_failed(lang, words.join(" "), why));
            }
        }
        carry_out(install, lang)?
            .map_err(|why| CliError::Missing(text::install_failed(lang, install.join(" "), why)))
    }
}

/// Runs one command in the foreground, where sudo may ask for a password; the answer says why it failed, if it did.
fn carry_out(words: &[String], lang: Lang) -> Result<std::result::Result<(), String>> {
    const ASK_NOTHING: (&str, &str) = ("DEBIAN_FRONTEND", "noninteractive");
    let mut command = Command::new(&words[0]);
    if words[0] == "sudo" {
        if !std::io::stdin().is_terminal() {
            command.arg("--non-interactive"); // Nobody can answer: fail at once instead of waiting.
        }
        command.arg(format!("{}={}", ASK_NOTHING.0, ASK_NOTHING.1)); // It passes no variable on by itself.
    }
    command.args(&words[1..]).env(ASK_NOTHING.0, ASK_NOTHING.1);
    if !std::io::stdin().is_terminal() {
        command.stdin(Stdio::null());
    }
    let status = command.status().map_err(CliError::system("run", &words[0]))?;
    Ok(if status.success() { Ok(()) } else { Err(step::why_status(status, lang)) })
}

pub(crate) fn run(wanted: &arguments::Setup, lang: Lang) -> Result<Done> {
    let survey = Survey::of(wanted.mpi);
    let missing = survey.missing();
    if missing.is_empty() {
        println!("{}", text::nothing_to_install(lang));
        return Ok(Done::Well);
    }
    let plan =
        Plan::of(&missing, wanted.mpi).ok_or_else(|| CliError::Missing(text::no_package_manager(lang)))?;
    plan.announce(lang);
    if wanted.dry_run {
        println!("{}", text::dry_run(lang));
        return Ok(Done::Well);
    }
    let mpi = ensure_after(&plan, wanted.mpi, lang)?;
    println!("{}", text::installed(lang, doctor::tell_mpi(&mpi, lang)));
    Ok(Done::Well)
}

/// An MPI to build and run with: installs what is missing unless that is forbidden.
pub(crate) fn ensure(flavour: Option<Flavour>, may_install: bool, lang: Lang) -> Result<Mpi> {
    let survey = Survey::of(flavour);
    let (missing, told) = (survey.missing(), tell_missing(&survey, flavour, lang));
    match survey.mpi {
        Ok(mpi) if missing.is_empty() => return Ok(mpi),
        _ if may_install => {}
        _ => return Err(CliError::Missing(text::not_installed(lang, told))),
    }
    let plan =
        Plan::of(&missing, flavour).ok_or_else(|| CliError::Missing(text::no_package_manager(lang)))?;
    plan.announce(lang);
    ensure_after(&plan, flavour, lang)
}

/// Installs, and looks again.
fn ensure_after(plan: &Plan, flavour: Option<Flavour>, lang: Lang) -> Result<Mpi> {
    plan.carry_out(lang)?;
    let survey = Survey::of(flavour);
    let told = tell_missing(&survey, flavour, lang);
    let complete = survey.missing().is_empty();
    survey.mpi.ok().filter(|_| complete).ok_or_else(|| CliError::Missing(text::still_missing(lang, told)))
}

/// What is missing, one paragraph each, with the command that mends it.
pub(crate) fn tell_missing(survey: &Survey, flavour: Option<Flavour>, lang: Lang) -> String {
    let line = |need: &Need| {
        let command = command_for(&[*need], flavour).unwrap_or_else(|| text::no_package_manager(lang));
        text::need_line(lang, doctor::name_of(*need)(lang), doctor::tell(*need, survey, lang), command)
    };
    survey.missing().iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The command that installs what fills `needs`, if this system has a package manager we know.
pub(crate) fn command_for(needs: &[Need], flavour: Option<Flavour>) -> Option<String> {
    Plan::of(needs, flavour).map(|plan| plan.line())
}
