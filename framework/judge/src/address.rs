//! How a rank finds its judge: the arguments of the rank program.
use std::{
    fs, io,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
};

use wb_comm::InputFiles;
use wb_record::Backend;

/// The argument behind which the address of a judge follows.
const ARGUMENT: &str = "--wb-judge";

/// The argument behind which the folder and the names of the assignment's files follow, if it has any.
const FILES: &str = "--wb-files";

/// The name of the socket in the folder of a job.
const SOCKET: &str = "socket";

/// The name of the file with the token of a job.
const TOKEN: &str = "token";

/// The address of a judge, and the kind of ranks that it expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeAddress {
    /// The folder of the job, which contains the socket and the token.
    pub folder: PathBuf,
    /// What carries the messages of the ranks.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// The files that the ranks may read.
    pub files: InputFiles,
}

impl JudgeAddress {
    /// The address among the arguments of a program; `None` when it has no judge.
    ///
    /// # Errors
    /// When the words behind the argument are not an address.
    pub fn from_arguments(arguments: &[String]) -> io::Result<Option<Self>> {
        let Some(at) = arguments.iter().position(|argument| argument == ARGUMENT) else { return Ok(None) };
        let form = || format!("{ARGUMENT} FOLDER BACKEND RANKS [{FILES} FOLDER NAMES]");
        let refused = || io::Error::new(io::ErrorKind::InvalidInput, form());
        let [folder, backend, ranks] = arguments.get(at + 1..at + 4).ok_or_else(refused)? else {
            return Err(refused());
        };
        let backend = [Backend::Mpi, Backend::Threads].into_iter().find(|known| known.name() == backend);
        let ranks = ranks.parse().ok().filter(|&ranks| ranks > 0);
        let files = match &arguments[at + 4..] {
            [files, folder, names, ..] if files == FILES => {
                InputFiles::new(folder, names.split(',').map(str::to_owned).collect())
            }
            [files, ..] if files == FILES => return Err(refused()),
            _ => InputFiles::default(),
        };
        Ok(Some(Self {
            folder: folder.into(),
            backend: backend.ok_or_else(refused)?,
            ranks: ranks.ok_or_else(refused)?,
            files,
        }))
    }

    /// The words of a command line.
    pub(crate) fn to_arguments(&self) -> Vec<String> {
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let backend = self.backend.name().to_owned();
        let mut words = vec![ARGUMENT.to_owned(), shown(&self.folder), backend, self.ranks.to_string()];
        if !self.files.names().is_empty() {
            // A name has no comma.
            words.extend([FILES.to_owned(), shown(self.files.folder()), self.files.names().join(",")]);
        }
        words
    }

    /// A new connection to the judge, and the job's token.
    pub(crate) fn connect(&self) -> io::Result<(UnixStream, String)> {
        let token = fs::read_to_string(token_path(&self.folder))?;
        Ok((UnixStream::connect(socket_path(&self.folder))?, token))
    }
}

pub(crate) fn socket_path(folder: &Path) -> PathBuf {
    folder.join(SOCKET)
}

pub(crate) fn token_path(folder: &Path) -> PathBuf {
    folder.join(TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_survives_the_command_line() {
        for names in [vec![], vec!["a.bin".to_owned()], vec!["a.bin".to_owned(), "b.pgm".to_owned()]] {
            let files = if names.is_empty() { InputFiles::default() } else { InputFiles::new("/c d", names) };
            let address = JudgeAddress { folder: "/tmp/a b".into(), backend: Backend::Mpi, ranks: 4, files };
            let line = [vec!["--bench".to_owned()], address.to_arguments()].concat();
            assert_eq!(JudgeAddress::from_arguments(&line).expect("understood"), Some(address));
            assert_eq!(JudgeAddress::from_arguments(&line[..1]).expect("no judge"), None);
        }
    }

    #[test]
    fn half_an_address_is_refused() {
        for line in [
            "--wb-judge",
            "--wb-judge /tmp mpi",
            "--wb-judge /tmp mpi 0",
            "--wb-judge /tmp smoke 2",
            "--wb-judge /tmp mpi 2 --wb-files /x",
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert!(JudgeAddress::from_arguments(&words).is_err(), "{line}");
        }
    }
}
