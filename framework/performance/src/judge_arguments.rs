//! The command line of a judge, as `cargo wb judge` passes it.
use std::path::PathBuf;

use wb_messages::{Lang, performance as text};
use wb_runner::ArgReader;

/// What is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JudgeArguments {
    /// The folder of the task, with its `task.yaml`.
    pub(crate) task: PathBuf,
    /// The program with the task's versions.
    pub(crate) program: PathBuf,
    /// The file of the records.
    pub(crate) records: Option<PathBuf>,
    /// Whether to make fewer launches with a wider target.
    pub(crate) quick: bool,
    /// Numbers of ranks, ascending.
    pub(crate) ranks: Option<Vec<usize>>,
    /// The language of the output.
    pub(crate) lang: Option<Lang>,
    /// A folder with graded inputs that are not in the repository.
    pub(crate) private: Option<PathBuf>,
    /// The seed of the graded inputs and of oracles; a new one otherwise.
    pub(crate) seed: Option<u64>,
    /// Whether only the graded inputs are run.
    pub(crate) verdicts_only: bool,
    /// Whether ranks of the student run in a sandbox.
    pub(crate) sandbox: bool,
    /// Whether ranks are threads.
    pub(crate) threads: bool,
}

impl JudgeArguments {
    /// Reads the arguments; the error is for the user.
    pub(crate) fn parse(all: &[String]) -> Result<Self, String> {
        let lang = ArgReader::requested_language(all, "--wb-lang").unwrap_or_else(Lang::from_environment);
        let (mut read, mut words) = (Self::default(), ArgReader::new(all, lang));
        while let Some(option) = words.option() {
            match option {
                "--bench" => {}
                "--wb-task" => read.task = words.path()?,
                "--wb-program" => read.program = words.path()?,
                "--wb-records" => read.records = Some(words.path()?),
                "--wb-quick" => read.quick = true,
                "--wb-ranks" => read.ranks = Some(words.ranks()?),
                "--wb-lang" => read.lang = Some(words.language()?),
                "--wb-private" => read.private = Some(words.path()?),
                "--wb-seed" => read.seed = Some(words.seed()?),
                "--wb-verdicts-only" => read.verdicts_only = true,
                "--wb-sandbox" => read.sandbox = true,
                "--wb-threads" => read.threads = true,
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<JudgeArguments, String> {
        JudgeArguments::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_full_line_is_understood_and_a_misprint_is_refused() {
        let line = "--bench --wb-task tasks/x --wb-program p --wb-records r --wb-quick --wb-ranks 2,1 --wb-lang en \
                    --wb-private q --wb-seed 7 --wb-verdicts-only --wb-sandbox --wb-threads";
        let wanted = JudgeArguments {
            task: "tasks/x".into(),
            program: "p".into(),
            records: Some("r".into()),
            quick: true,
            ranks: Some(vec![1, 2]),
            lang: Some(Lang::En),
            private: Some("q".into()),
            seed: Some(7),
            verdicts_only: true,
            sandbox: true,
            threads: true,
        };
        assert_eq!(read(line), Ok(wanted));
        assert!(read("--wb-taks x").is_err_and(|error| error.contains("--wb-taks")));
        assert!(read("--wb-task").is_err());
    }
}
