//! The script of a job: readable, and runnable by hand with `sbatch`.

use std::{fmt, path::Path};

use crate::arguments::SlurmArgs;

/// The script of a job that runs a command of ours. Its text is the value of `to_string`.
pub(crate) struct BatchScript {
    options: Vec<String>,
    root: String,
    folder: String,
    words: Vec<String>,
}

impl BatchScript {
    /// The script that runs the command line `words` of this process in `root`, without the options that made it a job. The job
    /// writes its output and its exit status into `folder`.
    ///
    /// # Errors
    /// An option that is not one: it would end the header of the script, or be a command.
    pub(crate) fn new(
        wanted: &SlurmArgs,
        task: &str,
        root: &Path,
        folder: &Path,
        words: Vec<String>,
    ) -> Result<Self, String> {
        let folder = folder.display().to_string();
        let named = |name: &str, value: Option<String>| value.map(|value| format!("--{name}={value}"));
        let number = |value: Option<u32>| value.map(|value| value.to_string());
        let options = [
            named("job-name", Some(format!("wb-{task}"))),
            named("output", Some(format!("{folder}/%j.out"))),
            named("partition", wanted.partition.clone()),
            named("account", wanted.account.clone()),
            named("time", number(wanted.minutes)),
            named("nodes", Some(wanted.nodes.unwrap_or(1).to_string())),
            named("ntasks-per-node", number(wanted.ranks_per_node)),
        ];
        let options: Vec<String> =
            options.into_iter().flatten().chain(wanted.slurm_line.iter().cloned()).collect();
        let is_option = |option: &&String| option.starts_with('-') && !option.contains(char::is_control);
        if let Some(option) = options.iter().find(|option| !is_option(option)) {
            return Err(option.clone());
        }
        Ok(Self { options, root: root.display().to_string(), folder, words: inner_words(words) })
    }
}

/// The words of the command inside the job.
fn inner_words(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word);
            kept.extend(words);
            break;
        }
        let (name, has_value) = word.split_once('=').map_or((word.as_str(), false), |(name, _)| (name, true));
        match SlurmArgs::OPTIONS.iter().find(|(option, _)| *option == name) {
            None => kept.push(word),
            Some((_, true)) if !has_value => drop(words.next()),
            Some(_) => {}
        }
    }
    let launches = |word: &String| word == "--launcher" || word.starts_with("--launcher=");
    let options = kept.iter().position(|word| word == "--").unwrap_or(kept.len());
    if !kept[..options].iter().any(launches) {
        kept.splice(options..options, ["--launcher".to_owned(), "srun".to_owned()]);
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
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        writeln!(f, "cd {} || exit 1", quoted(&self.root))?;
        writeln!(f, "cargo wb {}", words.join(" "))?;
        writeln!(f, "status=$?")?;
        writeln!(f, "echo \"$status\" > {}/\"$SLURM_JOB_ID\".status", quoted(&self.folder))?;
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
        BatchScript::new(wanted, "t", "/course".as_ref(), "/course/target/wb/slurm".as_ref(), words(line))
            .map(|script| script.to_string())
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
