//! Files of records that a command reads: they are in a repository, so their content is not trusted.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// The largest file of records, in bytes: a hundred times one of a long measurement.
const BYTES_MAX: u64 = 256 << 20;

/// The text of a regular file.
///
/// # Errors
/// It is a folder, a pipe or a device, it is larger than records are, it is not UTF-8 (the error names the line), or the
/// system refuses.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    // Checked before it is opened: the opening of a pipe waits for its writer.
    if !fs::metadata(path)?.is_file() {
        return Err(wrong("it is not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(wrong(format!("it has more than {BYTES_MAX} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        wrong(format!("line {line}: it is not UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_of_text_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("good"), "a\nb").expect("written");
        fs::write(path("bytes"), b"a\nb\xff").expect("written");
        std::os::unix::fs::symlink("loop", path("loop")).expect("a link");
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().expect("mkfifo").success());
        let text = |name: &str| read(&path(name)).map_err(|error| error.to_string());
        assert_eq!(text("good"), Ok("a\nb".to_owned()));
        assert_eq!(text("bytes"), Err("line 2: it is not UTF-8".to_owned()));
        assert_eq!(text("pipe"), Err("it is not a regular file".to_owned()));
        assert_eq!(text("."), Err("it is not a regular file".to_owned()));
        assert!(text("loop").is_err_and(|error| error.contains("symbolic links")), "{:?}", text("loop"));
        assert!(text("none").is_err_and(|error| error.contains("No such file")), "{:?}", text("none"));
        let device = read(Path::new("/dev/zero")).map_err(|error| error.to_string());
        assert_eq!(device, Err("it is not a regular file".to_owned()));
    }
}
