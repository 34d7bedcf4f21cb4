//! What the repository knows: git's own answers, read from its machine-readable output.

use std::{
    collections::HashMap,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use jiff::Timestamp;

/// The clone around a folder; paths are relative to that folder.
pub(super) struct Repository {
    folder: PathBuf,
}

/// One commit.
#[derive(Clone, Debug)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parents: Vec<String>,
    /// The committer's date.
    pub(super) at: Timestamp,
}

impl Repository {
    /// The clone around `folder`, if git finds one.
    pub(super) fn find(folder: &Path) -> Option<Self> {
        let repository = Self { folder: folder.to_owned() };
        repository.output(&["rev-parse", "--git-dir"]).map(|_| repository)
    }

    /// The commit that a name stands for.
    pub(super) fn resolve(&self, name: &str) -> Option<String> {
        let revision = format!("{name}^{{commit}}");
        let id = self.output(&["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])?;
        Some(String::from_utf8_lossy(&id).trim().to_owned())
    }

    /// `git log` with these arguments, the newest commit first.
    pub(super) fn log(&self, arguments: &[&str]) -> Vec<Commit> {
        let mut all = vec!["log", "--format=%H|%P|%ct"];
        all.extend(arguments);
        let output = self.output(&all).unwrap_or_default();
        String::from_utf8_lossy(&output).lines().filter_map(commit).collect()
    }

    /// The texts of all files below `paths` in a commit; a file that is not UTF-8 has replacement characters.
    pub(super) fn files(&self, commit: &str, paths: &[&str]) -> Vec<(String, String)> {
        let mut arguments = vec!["ls-tree", "-r", "-z", commit, "--"];
        arguments.extend(paths);
        let listing = self.output(&arguments).unwrap_or_default();
        let listing = String::from_utf8_lossy(&listing).into_owned();
        let entries: Vec<(&str, &str)> = listing.split('\0').filter_map(blob).collect();
        let texts = self.blobs(entries.iter().map(|(id, _)| *id));
        let text = |id: &str| texts.get(id).cloned().unwrap_or_default();
        entries.iter().map(|(id, path)| ((*path).to_owned(), text(id))).collect()
    }

    /// The texts of all files below `paths` in the work tree that git does not ignore.
    pub(super) fn work_tree(&self, paths: &[&str]) -> Vec<(String, String)> {
        let mut arguments = vec!["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
        arguments.extend(paths);
        let listing = self.output(&arguments).unwrap_or_default();
        let listing = String::from_utf8_lossy(&listing).into_owned();
        let read = |path: &str| {
            let bytes = std::fs::read(self.folder.join(path)).ok()?;
            Some((path.to_owned(), String::from_utf8_lossy(&bytes).into_owned()))
        };
        listing.split('\0').filter(|path| !path.is_empty()).filter_map(read).collect()
    }

    /// Texts by the names of their blobs, from one process.
    fn blobs<'i>(&self, ids: impl Iterator<Item = &'i str>) -> HashMap<String, String> {
        let mut command = self.command(&["cat-file", "--batch"]);
        let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            return HashMap::new();
        };
        let (mut input, mut output) = (child.stdin.take(), Vec::new());
        let request: String = ids.map(|id| format!("{id}\n")).collect();
        thread::scope(|scope| {
            // git answers while it reads, so the request is written beside the reading.
            scope.spawn(move || input.take().map(|mut pipe| pipe.write_all(request.as_bytes())));
            if let Some(pipe) = &mut child.stdout {
                let _ = pipe.read_to_end(&mut output);
            }
        });
        let _ = child.wait();
        parse_batch(&output)
    }

    fn output(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let output = self.command(arguments).output().ok()?;
        output.status.success().then_some(output.stdout)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        // Names as they are, and no settings of the user that change the output.
        command.args(["-c", "core.quotePath=false", "-c", "log.showSignature=false", "--literal-pathspecs"]);
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null()).stderr(Stdio::null());
        command
    }
}

fn commit(line: &str) -> Option<Commit> {
    let mut fields = line.split('|');
    let (id, parents, at) = (fields.next()?, fields.next()?, fields.next()?);
    let at = Timestamp::from_second(at.parse().ok()?).ok()?;
    Some(Commit { id: id.to_owned(), parents: parents.split_whitespace().map(str::to_owned).collect(), at })
}

/// The blob and the path of a line of `git ls-tree`.
fn blob(line: &str) -> Option<(&str, &str)> {
    let (facts, path) = line.split_once('\t')?;
    let mut facts = facts.split(' ');
    let (_mode, kind, id) = (facts.next()?, facts.next()?, facts.next()?);
    (kind == "blob").then_some((id, path))
}

/// The answer of `git cat-file --batch`: a line with name, kind and size, the bytes, a line end.
fn parse_batch(mut output: &[u8]) -> HashMap<String, String> {
    let mut texts = HashMap::new();
    while let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        let header = String::from_utf8_lossy(&output[..end]).into_owned();
        let mut fields = header.split(' ');
        let (id, size) = (fields.next(), fields.nth(1).and_then(|size| size.parse::<usize>().ok()));
        let rest = &output[end + 1..];
        let (Some(id), Some(size)) = (id, size.filter(|size| *size <= rest.len())) else {
            output = rest;
            continue;
        };
        texts.insert(id.to_owned(), String::from_utf8_lossy(&rest[..size]).into_owned());
        output = rest.get(size + 1..).unwrap_or_default();
    }
    texts
}
