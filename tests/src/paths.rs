//! Paths that documents name: links, and words in backticks that begin with a folder of the workspace.
use std::{fs, path::Path};

use crate::sources::{files, root};

/// Folders of the workspace that a path in a text begins with.
const FOLDERS: [&str; 8] =
    ["framework/", "tests/", "tasks/", "docs/", "reports/", ".github/", ".ci/", ".cargo/"];

/// Made by commands, or written by an instructor when they are needed, so not in a checkout.
const GENERATED: [&str; 5] = [
    "reports/index.html",
    "reports/index.ru.html",
    "reports/barriers/records.jsonl",
    "tasks/overrides.yaml",
    "tasks/similarity.yaml",
];

/// Every path that a document names and that is not there: `docs/x.md names framework/y.rs`.
///
/// # Panics
/// When a document cannot be read.
pub fn missing() -> Vec<String> {
    let documents = files(&[".md"]);
    let documents = documents.iter().filter(|path| {
        let ours = path.starts_with("docs") || path.components().count() == 1;
        ours && path.file_name().is_none_or(|name| name != "CHANGELOG.md")
    });
    documents
        .flat_map(|path| {
            let text = fs::read_to_string(root().join(path)).expect("documents can be read");
            let missing = missing_in(&text, path.parent().unwrap_or(Path::new("")));
            missing.into_iter().map(|named| format!("{} names {named}", path.display())).collect::<Vec<_>>()
        })
        .collect()
}

/// The missing paths of one text, whose links are relative to `folder`.
pub fn missing_in(text: &str, folder: &Path) -> Vec<String> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
    let links = links.filter(|link| !link.is_empty() && !link.contains("://"));
    let links = links.filter(|link| !root().join(folder).join(link).exists());
    // A program in a document may hold single backticks.
    let prose: Vec<&str> = text.split("```").step_by(2).collect();
    let words: Vec<&str> = prose.iter().flat_map(|part| part.split('`').skip(1).step_by(2)).collect();
    let named = words.iter().filter(|word| FOLDERS.iter().any(|start| word.starts_with(start)));
    let named = named.filter(|word| !word.contains(['<', '{', ' ', '$']) && !GENERATED.contains(word));
    let named = named.filter(|word| !is_there(word));
    links.map(str::to_owned).chain(named.map(|word| (*word).to_owned())).collect()
}

/// A path, perhaps with a line number; of a pattern, the folder above the first star; `TASK` and upper-case words stand for
/// any name.
fn is_there(path: &str) -> bool {
    let path = path.split(':').next().unwrap_or(path);
    let folder =
        |before: &str| before.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let path = path.split_once('*').map_or(path.to_owned(), |(before, _)| folder(before));
    let known: Vec<&str> = path
        .split('/')
        .take_while(|part| part.is_empty() || part.chars().any(|c| c.is_ascii_lowercase()))
        .collect();
    let example = known.iter().any(|part| part.starts_with("ivanov_"));
    let known = known.join("/");
    // Pages for students name the files of a task by their place in it.
    example
        || [root().to_owned(), root().join("tasks/example_p_integral")]
            .iter()
            .any(|base| base.join(&known).exists())
}
