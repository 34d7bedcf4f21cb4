//! The script of a job: readable, and runnable by hand with `sbatch`.

use std::{fmt, path::Path};

use super::SlurmJob;
use crate::arguments::SlurmArgs;

/// The script of a job that runs a command of ours. Its text is the value of `to_string`.
pub(crate) struct BatchScript {
    options: Vec<String>,
    here: String,
    folder: String,
    /// The words of the command for the shell.
    command: String,
    /// The number of the job as Slurm's files name it.
    number: &'static str,
}

/// The number of this job, and that of this element of an array, in the words of the shell.
const JOB: &str = "\"$SLURM_JOB_ID\"";
const ELEMENT: &str = "\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"";

impl BatchScript {
    /// The script that runs the command line `words` of this process in the folder `here`, without the options that made it a job.
    /// `launcher` starts the ranks if the command line names nothing.
    /// The job writes its output and its exit status into `folder`.
    ///
    /// # Errors
    /// An option that is not one: it would end the header of the script, or be a command.
    pub(crate) fn new(
        job: &SlurmJob<'_>,
        launcher: Option<&str>,
        (here, folder): (&Path, &Path),
        words: Vec<String>,
    ) -> Result<Self, String> {
        let wanted = job.wanted;
        let folder = folder.display().to_string();
        let named = |name: &str, value: Option<String>| value.map(|value| format!("--{name}={value}"));
        let number = |value: Option<u32>| value.map(|value| value.to_string());
        let options = [
            named("job-name", Some(format!("wb-{}", job.name))),
            named(
                "output",
                Some(format!("{folder}/{}.out", if job.parts.is_some() { "%A_%a" } else { "%j" })),
            ),
            // One element at a time: elements side by side would disturb each other.
            named("array", job.parts.map(|parts| format!("0-{}%1", parts - 1))),
            named("partition", wanted.partition.clone()),
            named("account", wanted.account.clone()),
            named("time", number(wanted.minutes)),
            named("nodes", Some(wanted.nodes.unwrap_or(1).to_string())),
            named("ntasks-per-node", number(wanted.ranks_per_node)),
            // A job that starts again would write over what it had measured.
            Some("--no-requeue".to_owned()),
        ];
        let options: Vec<String> =
            options.into_iter().flatten().chain(wanted.slurm_line.iter().cloned()).collect();
        let is_option = |option: &&String| option.starts_with('-') && !option.contains(char::is_control);
        if let Some(option) = options.iter().find(|option| !is_option(option)) {
            return Err(option.clone());
        }
        let words: Vec<String> = inner_words(words, launcher, job.parts.is_some());
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let part = job
            .parts
            .map(|parts| format!(" --part \"$SLURM_ARRAY_TASK_ID\"/{parts} --run \"$SLURM_ARRAY_JOB_ID\""));
        let command = words.join(" ") + &part.unwrap_or_default();
        let number = if job.parts.is_some() { ELEMENT } else { JOB };
        Ok(Self { options, here: here.display().to_string(), folder, command, number })
    }
}

/// The option of a job that is an array.
const ARRAY: (&str, bool) = ("--array", true);

/// The words of the command inside the job.
fn inner_words(words: Vec<String>, launcher: Option<&str>, is_array: bool) -> Vec<String> {
    let of_array = is_array.then_some(ARRAY);
    let options: Vec<_> = SlurmArgs::OPTIONS.into_iter().chain(of_array).collect();
    let mut kept = Vec::new();
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word);
            kept.extend(words);
            break;
        }
        let (name, has_value) = word.split_once('=').map_or((word.as_str(), false), |(name, _)| (name, true));
        match options.iter().find(|(option, _)| *option == name) {
            None => kept.push(word),
            Some((_, true)) if !has_value => drop(words.next()),
            Some(_) => {}
        }
    }
    let launches = |word: &String| word == "--launcher" || word.starts_with("--launcher=");
    let options = kept.iter().position(|word| word == "--").unwrap_or(kept.len());
    if let Some(launcher) = launcher.filter(|_| !kept[..options].iter().any(launches)) {
        kept.splice(options..options, ["--launcher".to_owned(), launcher.to_owned()]);
    }
    kept
}

/// A word as the shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

impl fmt::Display for BatchScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "#!/bin/bash")?;
        for option in &self.options {
            writeln!(f, "#SBATCH {option}")?;
        }
        writeln!(f, "cd {} || exit 1", quoted(&self.here))?;
        writeln!(f, "cargo wb {}", self.command)?;
        writeln!(f, "status=$?")?;
        writeln!(f, "echo \"$status\" > {}/{}.status", quoted(&self.folder), self.number)?;
        writeln!(f, "exit \"$status\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn script(wanted: &SlurmArgs, line: &str) -> Result<String, String> {
        script_of_parts(wanted, None, line)
    }

    fn script_of_parts(wanted: &SlurmArgs, parts: Option<u32>, line: &str) -> Result<String, String> {
        let job = SlurmJob { name: "t", flavour: None, wanted, parts };
        let folders = ("/course".as_ref(), "/course/target/wb/slurm".as_ref());
        BatchScript::new(&job, Some("srun"), folders, words(line)).map(|script| script.to_string())
    }

    #[test]
    fn an_array_measures_a_part_in_each_element() {
        let wanted = SlurmArgs { slurm: true, ..SlurmArgs::default() };
        let script = script_of_parts(&wanted, Some(5), "wb report -p t --slurm --array 5 --quick");
        let script = script.expect("valid");
        let line = r#"cargo wb report -p t --quick --launcher srun --part "$SLURM_ARRAY_TASK_ID"/5 --run "$SLURM_ARRAY_JOB_ID""#;
        for expected in [
            "#SBATCH --array=0-4%1",
            "#SBATCH --output=/course/target/wb/slurm/%A_%a.out",
            line,
            r#"echo "$status" > /course/target/wb/slurm/"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID".status"#,
        ] {
            assert!(script.lines().any(|line| line == expected), "no `{expected}` in\n{script}");
        }
    }

    #[test]
    fn the_script_has_the_options_and_the_command_without_them() {
        let wanted = SlurmArgs {
            slurm: true,
            partition: Some("debug".into()),
            account: Some("course".into()),
            minutes: Some(10),
            nodes: Some(2),
            ranks_per_node: Some(4),
            slurm_line: vec!["--exclusive".into()],
            ..SlurmArgs::default()
        };
        let line = "target/debug/wb --lang ru test -p t --slurm --partition debug --account=course --minutes 10 --nodes 2 --ranks-per-node 4 --slurm-line=--exclusive -- name";
        let expected = "#!/bin/bash
#SBATCH --job-name=wb-t
#SBATCH --output=/course/target/wb/slurm/%j.out
#SBATCH --partition=debug
#SBATCH --account=course
#SBATCH --time=10
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --no-requeue
#SBATCH --exclusive
cd /course || exit 1
cargo wb --lang ru test -p t --launcher srun -- name
status=$?
echo \"$status\" > /course/target/wb/slurm/\"$SLURM_JOB_ID\".status
exit \"$status\"
";
        assert_eq!(script(&wanted, line).as_deref(), Ok(expected));
    }

    #[test]
    fn a_launcher_of_the_user_is_kept_and_words_are_quoted() {
        let wanted = SlurmArgs { slurm: true, ..SlurmArgs::default() };
        let inside = |line: &str| {
            let script = script(&wanted, line).expect("valid");
            script.lines().find(|line| line.starts_with("cargo")).map(str::to_owned)
        };
        let mpirun = inside("wb perf -p t --slurm --launcher=mpirun");
        assert_eq!(mpirun.as_deref(), Some("cargo wb perf -p t --launcher=mpirun"));
        let of_the_tests = inside("wb test -p t --slurm -- --launcher mpirun --minutes 5");
        let expected = "cargo wb test -p t --launcher srun -- --launcher mpirun --minutes 5";
        assert_eq!(of_the_tests.as_deref(), Some(expected), "words behind `--` are not ours");
        let hostile = inside("wb test -p t;reboot --slurm -- it's $(id)");
        let expected = r"cargo wb test -p 't;reboot' --launcher srun -- 'it'\''s' '$(id)'";
        assert_eq!(hostile.as_deref(), Some(expected));
    }

    #[test]
    fn a_line_that_would_be_a_command_is_refused() {
        for line in ["exclusive", "--x\nreboot", ""] {
            let wanted = SlurmArgs { slurm: true, slurm_line: vec![line.into()], ..SlurmArgs::default() };
            assert_eq!(script(&wanted, "wb test -p t --slurm"), Err(line.to_owned()));
        }
        let partition = Some("short\nreboot".to_owned());
        let wanted = SlurmArgs { slurm: true, partition, ..SlurmArgs::default() };
        assert_eq!(script(&wanted, "wb test -p t --slurm"), Err("--partition=short\nreboot".to_owned()));
    }
}
