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
    CommandStatus, arguments,
    doctor::{self, is_root},
    error::{CliError, Result},
    step,
    system_probe::{Flavour, MpiInstallation, Requirement, SystemProbe, find},
};

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PackageManager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

impl PackageManager {
    /// The one of this system.
    fn find() -> Option<Self> {
        let known =
            [("apt-get", Self::Apt), ("dnf", Self::Dnf), ("pacman", Self::Pacman), ("brew", Self::Brew)];
        known.into_iter().find(|(program, _)| find(program).is_some()).map(|(_, manager)| manager)
    }

    /// The packages that fill a need.
    fn packages(self, need: Requirement, flavour: Flavour) -> &'static [&'static str] {
        match (self, need, flavour) {
            (Self::Apt, Requirement::Compiler, _) => &["build-essential"],
            (Self::Apt, Requirement::PkgConfig, _) => &["pkg-config"],
            (Self::Apt, Requirement::Libclang, _) => &["libclang-dev"],
            (Self::Apt, Requirement::Mpi, Flavour::OpenMpi) => &["openmpi-bin", "libopenmpi-dev"],
            (Self::Apt, Requirement::Mpi, Flavour::Mpich) => &["mpich", "libmpich-dev"],
            (Self::Dnf, Requirement::Compiler, _) => &["gcc"],
            (Self::Dnf, Requirement::PkgConfig, _) => &["pkgconf-pkg-config"],
            (Self::Dnf, Requirement::Libclang, _) => &["clang-devel"],
            (Self::Dnf, Requirement::Mpi, Flavour::OpenMpi) => &["openmpi-devel"],
            (Self::Dnf, Requirement::Mpi, Flavour::Mpich) => &["mpich-devel"],
            (Self::Pacman, Requirement::Compiler, _) => &["base-devel"],
            (Self::Pacman, Requirement::PkgConfig, _) => &["pkgconf"],
            (Self::Pacman, Requirement::Libclang, _) => &["clang"],
            (Self::Pacman, Requirement::Mpi, Flavour::OpenMpi) => &["openmpi"],
            (Self::Pacman, Requirement::Mpi, Flavour::Mpich) => &["mpich"],
            (Self::Brew, Requirement::Compiler, _) => &["gcc"],
            (Self::Brew, Requirement::PkgConfig, _) => &["pkgconf"],
            (Self::Brew, Requirement::Libclang, _) => &["llvm"],
            (Self::Brew, Requirement::Mpi, Flavour::OpenMpi) => &["open-mpi"],
            (Self::Brew, Requirement::Mpi, Flavour::Mpich) => &["mpich"],
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
struct InstallPlan {
    manager: PackageManager,
    needs: Vec<(Requirement, &'static [&'static str])>,
    commands: Vec<Vec<String>>,
}

impl InstallPlan {
    fn for_requirements(needs: &[Requirement], flavour: Option<Flavour>) -> Option<Self> {
        let manager = PackageManager::find()?;
        let flavour = flavour.unwrap_or(Flavour::OpenMpi);
        let needs: Vec<_> = needs.iter().map(|&need| (need, manager.packages(need, flavour))).collect();
        let packages: Vec<&str> = needs.iter().flat_map(|(_, packages)| packages.iter().copied()).collect();
        let mut commands = manager.commands(&packages);
        if !is_root() && manager != PackageManager::Brew {
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
                println!("{}", text::required_by(lang, doctor::requirement_name(*need)(lang), package));
            }
        }
        for command in &self.commands {
            println!("{}", text::will_run(lang, command.join(" ")));
        }
    }

    fn execute(&self, lang: Lang) -> Result<()> {
        if self.manager != PackageManager::Apt {
            return Err(CliError::Missing(text::only_apt(lang, self.line())));
        }
        if !is_root() && find("sudo").is_none() {
            return Err(CliError::Missing(text::no_rights(lang, self.line())));
        }
        let (install, refreshes) = self.commands.split_last().expect("every manager has a command");
        for words in refreshes {
            // Some other source of packages may be out of order, and those that we need can still come.
            if let Err(why) = run_install_command(words, lang)? {
                eprintln!("{}", text::refresh_failed(lang, words.join(" "), why));
            }
        }
        run_install_command(install, lang)?
            .map_err(|why| CliError::Missing(text::install_failed(lang, install.join(" "), why)))
    }
}

/// Runs one command in the foreground, where sudo may ask for a password; the answer says why it failed, if it did.
fn run_install_command(words: &[String], lang: Lang) -> Result<std::result::Result<(), String>> {
    const NONINTERACTIVE: (&str, &str) = ("DEBIAN_FRONTEND", "noninteractive");
    let mut command = Command::new(&words[0]);
    if words[0] == "sudo" {
        if !std::io::stdin().is_terminal() {
            command.arg("--non-interactive"); // Nobody can answer: fail at once instead of waiting.
        }
        command.arg(format!("{}={}", NONINTERACTIVE.0, NONINTERACTIVE.1)); // It passes no variable on by itself.
    }
    command.args(&words[1..]).env(NONINTERACTIVE.0, NONINTERACTIVE.1);
    if !std::io::stdin().is_terminal() {
        command.stdin(Stdio::null());
    }
    let status = command.status().map_err(CliError::system("run", &words[0]))?;
    Ok(if status.success() { Ok(()) } else { Err(step::describe_status(status, lang)) })
}

pub(crate) fn run(wanted: &arguments::SetupArgs, lang: Lang) -> Result<CommandStatus> {
    let survey = SystemProbe::new(wanted.mpi);
    let missing = survey.missing();
    if missing.is_empty() {
        println!("{}", text::nothing_to_install(lang));
        return Ok(CommandStatus::Success);
    }
    let plan = InstallPlan::for_requirements(&missing, wanted.mpi)
        .ok_or_else(|| CliError::Missing(text::no_package_manager(lang)))?;
    plan.announce(lang);
    if wanted.dry_run {
        println!("{}", text::dry_run(lang));
        return Ok(CommandStatus::Success);
    }
    let mpi = install_and_probe(&plan, wanted.mpi, lang)?;
    println!("{}", text::installed(lang, doctor::describe_mpi(&mpi, lang)));
    Ok(CommandStatus::Success)
}

/// An MPI to build and run with: installs what is missing unless that is forbidden.
pub(crate) fn ensure_mpi(flavour: Option<Flavour>, may_install: bool, lang: Lang) -> Result<MpiInstallation> {
    let survey = SystemProbe::new(flavour);
    let (missing, told) = (survey.missing(), describe_missing(&survey, flavour, lang));
    match survey.mpi {
        Ok(mpi) if missing.is_empty() => return Ok(mpi),
        _ if may_install => {}
        _ => return Err(CliError::Missing(text::not_installed(lang, told))),
    }
    let plan = InstallPlan::for_requirements(&missing, flavour)
        .ok_or_else(|| CliError::Missing(text::no_package_manager(lang)))?;
    plan.announce(lang);
    install_and_probe(&plan, flavour, lang)
}

/// Installs, and looks again.
fn install_and_probe(plan: &InstallPlan, flavour: Option<Flavour>, lang: Lang) -> Result<MpiInstallation> {
    plan.execute(lang)?;
    let survey = SystemProbe::new(flavour);
    let told = describe_missing(&survey, flavour, lang);
    let complete = survey.missing().is_empty();
    survey.mpi.ok().filter(|_| complete).ok_or_else(|| CliError::Missing(text::still_missing(lang, told)))
}

/// What is missing, one paragraph each, with the command that mends it.
pub(crate) fn describe_missing(survey: &SystemProbe, flavour: Option<Flavour>, lang: Lang) -> String {
    let line = |need: &Requirement| {
        let command = command_for(&[*need], flavour).unwrap_or_else(|| text::no_package_manager(lang));
        text::need_line(
            lang,
            doctor::requirement_name(*need)(lang),
            doctor::describe_requirement(*need, survey, lang),
            command,
        )
    };
    survey.missing().iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The command that installs what fills `needs`, if this system has a package manager we know.
pub(crate) fn command_for(needs: &[Requirement], flavour: Option<Flavour>) -> Option<String> {
    InstallPlan::for_requirements(needs, flavour).map(|plan| plan.line())
}
