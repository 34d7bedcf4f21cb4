//! The argument that describes its job to a rank program. Its judge is at [`wb_runner::channel::RunnerAddress`].
use std::io;

use serde::{Deserialize, Serialize};
use wb_comm::InputFiles;
use wb_record::Backend;

/// The argument behind which a judge describes its ranks, as JSON.
const ARGUMENT: &str = "--wb-judge";

/// The ranks of a judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// When the word behind the argument does not describe ranks.
    pub fn from_arguments(arguments: &[String]) -> io::Result<Option<Self>> {
        let Some(at) = arguments.iter().position(|argument| argument == ARGUMENT) else { return Ok(None) };
        let refused = |why: String| io::Error::new(io::ErrorKind::InvalidInput, format!("{ARGUMENT}: {why}"));
        let word =
            arguments.get(at + 1).ok_or_else(|| refused("a description of ranks must follow".into()))?;
        let read: Self = serde_json::from_str(word).map_err(|error| refused(error.to_string()))?;
        if read.ranks == 0 { Err(refused("no ranks".into())) } else { Ok(Some(read)) }
    }

    /// The words of a command line.
    pub(crate) fn to_arguments(&self) -> serde_json::Result<[String; 2]> {
        Ok([ARGUMENT.to_owned(), serde_json::to_string(self)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_survive_the_command_line_and_half_a_description_is_refused() {
        let files = InputFiles::new("/c d", vec!["a.bin".to_owned(), "b.pgm".to_owned()]);
        let ranks = RankArguments { backend: Backend::Mpi, ranks: 4, files };
        let mut line = [&["--bench".to_owned()][..], &ranks.to_arguments().expect("text")].concat();
        assert_eq!(RankArguments::from_arguments(&line).expect("understood"), Some(ranks.clone()));
        assert_eq!(RankArguments::from_arguments(&line[..1]).expect("no judge"), None);
        assert!(RankArguments::from_arguments(&line[..2]).is_err());
        line[2].pop();
        assert!(RankArguments::from_arguments(&line).is_err());
        let none = RankArguments { ranks: 0, ..ranks };
        assert!(RankArguments::from_arguments(&none.to_arguments().expect("text")).is_err());
    }
}
