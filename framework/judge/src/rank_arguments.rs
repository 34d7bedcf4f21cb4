//! The arguments that describe its job to a rank program. Its judge is at [`wb_runner::channel::RunnerAddress`].
use std::{io, path::Path};

use wb_comm::InputFiles;
use wb_record::Backend;

/// The argument behind which a judge describes its ranks.
const ARGUMENT: &str = "--wb-judge";

/// The argument behind which the folder and the names of the assignment's files follow, if it has any.
const FILES: &str = "--wb-files";

/// The ranks of a judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankArguments {
    /// What carries the messages of the ranks.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// The files that the ranks may read.
    pub files: InputFiles,
}

impl RankArguments {
    /// The description among the arguments of a program; `None` when it has no judge.
    ///
    /// # Errors
    /// When the words behind the argument do not describe ranks.
    pub fn from_arguments(arguments: &[String]) -> io::Result<Option<Self>> {
        let Some(at) = arguments.iter().position(|argument| argument == ARGUMENT) else { return Ok(None) };
        let form = || format!("{ARGUMENT} BACKEND RANKS [{FILES} FOLDER NAMES]");
        let refused = || io::Error::new(io::ErrorKind::InvalidInput, form());
        let [backend, ranks] = arguments.get(at + 1..at + 3).ok_or_else(refused)? else {
            return Err(refused());
        };
        let backend = [Backend::Mpi, Backend::Threads].into_iter().find(|known| known.name() == backend);
        let ranks = ranks.parse().ok().filter(|&ranks| ranks > 0);
        let files = match &arguments[at + 3..] {
            [files, folder, names, ..] if files == FILES => {
                InputFiles::new(folder, names.split(',').map(str::to_owned).collect())
            }
            [files, ..] if files == FILES => return Err(refused()),
            _ => InputFiles::default(),
        };
        Ok(Some(Self { backend: backend.ok_or_else(refused)?, ranks: ranks.ok_or_else(refused)?, files }))
    }

    /// The words of a command line.
    pub(crate) fn to_arguments(&self) -> Vec<String> {
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let mut words = vec![ARGUMENT.to_owned(), self.backend.name().to_owned(), self.ranks.to_string()];
        if !self.files.names().is_empty() {
            // A name has no comma.
            words.extend([FILES.to_owned(), shown(self.files.folder()), self.files.names().join(",")]);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_survive_the_command_line() {
        for names in [vec![], vec!["a.bin".to_owned()], vec!["a.bin".to_owned(), "b.pgm".to_owned()]] {
            let files = if names.is_empty() { InputFiles::default() } else { InputFiles::new("/c d", names) };
            let ranks = RankArguments { backend: Backend::Mpi, ranks: 4, files };
            let line = [vec!["--bench".to_owned()], ranks.to_arguments()].concat();
            assert_eq!(RankArguments::from_arguments(&line).expect("understood"), Some(ranks));
            assert_eq!(RankArguments::from_arguments(&line[..1]).expect("no judge"), None);
        }
    }

    #[test]
    fn half_a_description_is_refused() {
        for line in [
            "--wb-judge",
            "--wb-judge mpi",
            "--wb-judge mpi 0",
            "--wb-judge smoke 2",
            "--wb-judge mpi 2 --wb-files /x",
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert!(RankArguments::from_arguments(&words).is_err(), "{line}");
        }
    }
}
