//! The secret from which the pseudonyms of a course are made. With it one can find a student's pseudonym, so it is not published.

use std::{fs, io, path::Path};

use wb_messages::{Lang, course as text};

use crate::{
    error::{CliError, Result},
    repository::{GitError, Repository},
};

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
    check_private(root, lang)?;
    let path = root.join(FILE);
    match fs::read(&path) {
        Ok(bytes) if !bytes.trim_ascii().is_empty() => Ok(bytes.trim_ascii().to_vec()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(CliError::system("read", path)(error)),
        _ => make(&path, lang),
    }
}

/// Refuses a file that git has, or would add.
fn check_private(root: &Path, lang: Lang) -> Result<()> {
    match Repository::find(root) {
        Err(GitError::NoRepository { .. }) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(repository) if repository.is_ignored(FILE)? => Ok(()),
        Ok(_) => Err(CliError::Usage(text::secret_not_ignored(lang, FILE))),
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
    wb_process::write_secret_atomically(path, format!("{secret}\n"))
        .map_err(CliError::system("write", path))?;
    eprintln!("{}", text::secret_made(lang, path.display()));
    Ok(secret.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::test_clone::{TestClone, day};

    #[test]
    fn the_first_use_makes_a_secret_and_later_ones_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = find_or_make(folder.path(), Lang::En).expect("made");
        assert_eq!(first.len(), 2 * BYTES);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join(FILE)).expect("made").permissions().mode();
            assert_eq!(mode & 0o077, 0, "other users cannot read it");
        }
        assert_eq!(find_or_make(folder.path(), Lang::En).expect("read"), first);
        let other = tempfile::tempdir().expect("a folder");
        assert_ne!(find_or_make(other.path(), Lang::En).expect("made"), first);
    }

    #[test]
    fn a_secret_that_git_would_add_or_has_is_refused() {
        let clone = TestClone::new();
        let refused = |clone: &TestClone| {
            find_or_make(clone.path(), Lang::En).expect_err("it could be published").render(Lang::En)
        };
        assert!(refused(&clone).contains("add it to .gitignore") && !clone.path().join(FILE).exists());
        clone.commit(FILE, "0123456789abcdef0123456789abcdef\n", &day(2));
        clone.commit(".gitignore", "/grades/*\n", &day(3));
        assert!(refused(&clone).contains("git rm --cached"), "it is ignored, and committed all the same");
        clone.git(&["rm", "-q", "--cached", FILE], &day(4));
        assert!(find_or_make(clone.path(), Lang::En).is_ok());
    }
}
