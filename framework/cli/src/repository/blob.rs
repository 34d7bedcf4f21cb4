//! Files of a commit: the entries of `git ls-tree` and the answer of `git cat-file --batch`.

use std::{
    collections::HashMap,
    io::Write,
    process::{Command, Output, Stdio},
    thread,
};

use super::git_error::{GitError, Result};

/// The blob and the path of a line of `git ls-tree`; `None` for what is not a file.
pub(super) fn entry(line: &str) -> Option<(String, String)> {
    let (facts, path) = line.split_once('\t')?;
    let mut facts = facts.split(' ');
    let (_mode, kind, id) = (facts.next()?, facts.next()?, facts.next()?);
    (kind == "blob").then(|| (id.to_owned(), path.to_owned()))
}

/// Runs a command that answers while it reads: the request is written beside the reading.
pub(super) fn exchange(mut command: Command, request: String) -> Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(GitError::NotStarted)?;
    let mut input = child.stdin.take().expect("the input is a pipe");
    thread::scope(|scope| {
        // A command that ends early refuses the rest; its exit code says so.
        scope.spawn(move || input.write_all(request.as_bytes()));
        child.wait_with_output().map_err(GitError::NotStarted)
    })
}

/// Texts by the names of their blobs: of each a line with name, kind and size, the bytes, a line end. `None` where a blob is missing.
pub(super) fn parse_batch(mut output: &[u8]) -> Option<HashMap<String, String>> {
    let mut texts = HashMap::new();
    while let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        let header = String::from_utf8_lossy(&output[..end]).into_owned();
        let mut fields = header.split(' ');
        let (id, _kind, size) = (fields.next()?, fields.next()?, fields.next()?.parse::<usize>().ok()?);
        let rest = &output[end + 1..];
        texts.insert(id.to_owned(), String::from_utf8_lossy(rest.get(..size)?).into_owned());
        output = rest.get(size + 1..)?;
    }
    output.is_empty().then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::parse_batch;

    #[test]
    fn an_answer_with_a_missing_or_a_shortened_blob_is_not_read() {
        let whole = parse_batch(b"a1 blob 3\nx\ny\nb2 blob 0\n\n").expect("two blobs");
        assert_eq!((whole["a1"].as_str(), whole["b2"].as_str()), ("x\ny", ""));
        for wrong in [&b"a1 missing\n"[..], b"a1 blob 9\nx\n", b"a1 blob 3\nx\ny\nb2"] {
            assert_eq!(parse_batch(wrong), None, "{}", String::from_utf8_lossy(wrong));
        }
    }
}
