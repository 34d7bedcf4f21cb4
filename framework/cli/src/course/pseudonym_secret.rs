//! The secret from which the pseudonyms of a course are made. With it one can find a student's pseudonym, so it is not published.

use std::{fs, io, path::Path};

use wb_messages::{Lang, course as text};

use crate::{
    error::{CliError, Result},
    repository::{GitError, Repository},
};

/// The file, below the root of the workspace.
const FILE: &str = "grades/pseudonyms.secret";

/// The length of a secret in bytes.
const BYTES: usize = 32;

/// The least length of a secret that is given: one of fewer bytes can be found by trying.
const LEAST_BYTES: usize = 16;

/// The secret of the course in `root`; makes one if there is none yet.
pub(super) fn find_or_make(root: &Path, lang: Lang) -> Result<Vec<u8>> {
    check_private(root, lang)?;
    let path = root.join(FILE);
    match fs::read(&path) {
        // A workflow writes a secret that does not exist as an empty file.
        Ok(bytes) => match bytes.trim_ascii() {
            short if short.len() < LEAST_BYTES => {
                Err(CliError::Usage(text::short_secret(lang, FILE, short.len(), LEAST_BYTES)))
            }
            secret => Ok(secret.to_vec()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(&path, lang),
        Err(error) => Err(CliError::system("read", path)(error)),
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
    fn a_secret_that_is_given_is_trimmed_and_a_short_one_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(FILE);
        fs::create_dir(file.with_file_name("")).expect("made");
        let of = |secret: &str| {
            fs::write(&file, secret).expect("written");
            find_or_make(folder.path(), Lang::En)
        };
        assert_eq!(of(" 0123456789abcdef\n").expect("long enough"), b"0123456789abcdef");
        for short in ["", "0123456789abcde"] {
            let refused = of(short).expect_err("too short").render(Lang::En);
            assert!(refused.contains("grades/pseudonyms.secret has"), "{refused}");
            assert_eq!(fs::read_to_string(&file).expect("it stays"), short);
        }
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
