//! The secret from which the pseudonyms of a course are made. With it one can find a student's pseudonym, so it is not published.

use std::{fs, io, path::Path};

use wb_messages::{Lang, course as text};

use crate::error::{CliError, Result};

/// The variable that has the secret where there is no file, as in a workflow that publishes.
const VARIABLE: &str = "WB_PSEUDONYM_SECRET";

/// The file, below the root of the workspace.
const FILE: &str = "grades/pseudonyms.secret";

/// The length of a secret in bytes.
const BYTES: usize = 32;

/// The least length of a secret that is given: one of fewer bytes can be found by trying.
const LEAST_BYTES: usize = 16;

/// The secret of the course in `root`; makes one if there is none yet.
pub(super) fn find_or_make(root: &Path, lang: Lang) -> Result<Vec<u8>> {
    if let Some(secret) = std::env::var_os(VARIABLE) {
        let secret = secret.into_encoded_bytes().trim_ascii().to_vec();
        return match secret.len() < LEAST_BYTES {
            // A workflow sets a secret that does not exist to the empty text.
            true => Err(CliError::Usage(text::short_secret(lang, VARIABLE, secret.len(), LEAST_BYTES))),
            false => Ok(secret),
        };
    }
    let path = root.join(FILE);
    match fs::read(&path) {
        Ok(bytes) if !bytes.trim_ascii().is_empty() => Ok(bytes.trim_ascii().to_vec()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(CliError::system("read", path)(error)),
        _ => make(&path, lang),
    }
}

fn make(path: &Path, lang: Lang) -> Result<Vec<u8>> {
    let mut random = [0_u8; BYTES];
    getrandom::fill(&mut random)
        .map_err(|error| CliError::system("create", path)(io::Error::other(error)))?;
    let secret: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    wb_process::write_atomically(path, format!("{secret}\n")).map_err(CliError::system("write", path))?;
    eprintln!("{}", text::secret_made(lang, path.display()));
    Ok(secret.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_use_makes_a_secret_and_later_ones_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = find_or_make(folder.path(), Lang::En).expect("made");
        assert_eq!(first.len(), 2 * BYTES);
        assert_eq!(find_or_make(folder.path(), Lang::En).expect("read"), first);
        let other = tempfile::tempdir().expect("a folder");
        assert_ne!(find_or_make(other.path(), Lang::En).expect("made"), first);
    }
}
