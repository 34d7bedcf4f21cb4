//! `cargo wb preload`: runs a command whose MPI ranks load the library for unmodified programs.

use std::{
    env,
    ffi::OsString,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use wb_messages::{Lang, preload as text};

use crate::{
    CommandStatus,
    arguments::PreloadArgs,
    backend::SelectedBackend,
    error::{CliError, Result},
    setup,
    system_probe::Flavour,
    workspace::Workspace,
};

const PACKAGE: &str = "wb-preload";

/// The variable of the dynamic linker that names libraries to load first, separated by colons.
pub(crate) const VARIABLE: &str = "LD_PRELOAD";

pub(crate) fn run(wanted: &PreloadArgs, lang: Lang) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    check_not_traced(env::var_os(VARIABLE), lang)?;
    let mpi = setup::ensure_mpi(wanted.mpi, false, lang)?;
    let flavour = mpi.flavour;
    let Some(library) = build(&workspace, &SelectedBackend::for_tests(mpi, lang))? else {
        return Ok(CommandStatus::Failure);
    };
    let value = with_former(&library, env::var_os(VARIABLE));
    eprintln!("{}", text::loads(lang, format!("{VARIABLE}={}", value.display())));
    let mut command = command(&wanted.command, &value, flavour);
    wb_process::output::flush();
    // It takes the place of this process, with its exit code and its signals.
    let error = command.exec();
    Err(CliError::system("run", command.get_program())(error))
}

/// Builds the library with an MPI; `None` if that fails, as cargo has reported.
pub(crate) fn build(workspace: &Workspace, backend: &SelectedBackend) -> Result<Option<PathBuf>> {
    let mut command = backend.cargo(workspace, &["build", "--release", "--package", PACKAGE]);
    let status = command.stdout(Stdio::from(std::io::stderr())).status();
    let is_built = status.map_err(CliError::system("run", "cargo"))?.success();
    let target = command.get_envs().find(|(name, _)| *name == "CARGO_TARGET_DIR");
    let target = target.and_then(|(_, folder)| folder.map(PathBuf::from));
    let target = target.unwrap_or_else(|| workspace.target().into());
    Ok(is_built.then(|| target.join("release/libwb_preload.so")))
}

/// A trace has the calls that reach the library of `cargo wb trace`, and those in shared memory do not.
fn check_not_traced(loaded: Option<OsString>, lang: Lang) -> Result<()> {
    match loaded.unwrap_or_default().to_string_lossy().contains("libwb_tracer") {
        true => Err(CliError::Usage(text::not_traced(lang))),
        false => Ok(()),
    }
}

/// The value of the variable: this library before those that it names.
pub(crate) fn with_former(library: &Path, former: Option<OsString>) -> OsString {
    let mut value = library.as_os_str().to_owned();
    if let Some(former) = former.filter(|former| !former.is_empty()) {
        value.push(":");
        value.push(former);
    }
    value
}

/// The command with the variable for its ranks: a launcher of MPI gets it as an option, so it does not load the library itself.
pub(crate) fn command(words: &[OsString], value: &OsString, flavour: Flavour) -> Command {
    let mut command = Command::new(&words[0]);
    let name = Path::new(&words[0]).file_name().unwrap_or_default().to_string_lossy();
    let is_launcher = ["mpirun", "mpiexec"].iter().any(|launcher| name.starts_with(launcher));
    match (is_launcher, flavour) {
        (false, _) => {
            command.env(VARIABLE, value);
        }
        (true, Flavour::OpenMpi) => {
            let mut setting = OsString::from(format!("{VARIABLE}="));
            setting.push(value);
            command.arg("-x").arg(setting);
        }
        (true, Flavour::Mpich) => {
            command.arg("-genv").arg(VARIABLE).arg(value);
        }
    }
    command.args(&words[1..]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_gets_the_variable_as_an_option_and_every_other_program_in_its_environment() {
        let words = |flavour, text: &str| {
            let words: Vec<OsString> = text.split(' ').map(OsString::from).collect();
            let command = command(&words, &"l.so".into(), flavour);
            let arguments: Vec<_> =
                command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
            (arguments.join(" "), command.get_envs().count())
        };
        let found = words(Flavour::OpenMpi, "/usr/bin/mpirun -n 2 ./program");
        assert_eq!(found, ("-x LD_PRELOAD=l.so -n 2 ./program".into(), 0));
        let found = words(Flavour::Mpich, "mpiexec.hydra -n 2 ./program");
        assert_eq!(found, ("-genv LD_PRELOAD l.so -n 2 ./program".into(), 0));
        assert_eq!(words(Flavour::Mpich, "srun ./program"), ("./program".into(), 1));
    }

    #[test]
    fn a_traced_program_gets_no_library() {
        let check = |loaded: &str| check_not_traced(Some(loaded.into()), Lang::En).is_ok();
        assert!(check("") && check("/a/libx.so") && !check("/a/libx.so:/b/libwb_tracer.so"));
    }

    #[test]
    fn libraries_that_are_preloaded_already_stay() {
        assert_eq!(with_former(Path::new("a.so"), Some("b.so".into())), "a.so:b.so");
        assert_eq!(with_former(Path::new("a.so"), None), "a.so");
    }
}
