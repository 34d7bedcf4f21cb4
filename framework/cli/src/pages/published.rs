//! What a site publishes of `reports/`: pages that are rendered now from records.
//!
//! A file of a task's folder was written by a student and may contain anything, so pages and tables are made from the records, and only
//! records that were read without an error are copied. The pages of the barriers have no committed records. They are copied with a
//! policy by which a browser runs no script of theirs and loads nothing. All other files are left out and named.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use wb_messages::{Lang, book as text};
use wb_record::Record;
use wb_report::{FailedReport, IndexEntry, TaskReport};

use super::{RECORDS, localized_file_name, write};
use crate::{
    error::{CliError, Result},
    measure, record_input,
};

/// The folder of the barriers' report.
const BARRIERS: &str = "barriers";

/// The files of the barriers' report that its pages link.
const BARRIER_FILES: [&str; 3] = ["barriers.csv", "report.html", "report.ru.html"];

/// The files that are in a repository and not on the site: texts, pictures of texts, and pages that are rendered anew.
const KNOWN_FILES: [&str; 8] = [
    RECORDS,
    "report.csv",
    "report.html",
    "report.ru.html",
    "report.md",
    "report.ru.md",
    "index.html",
    "index.ru.html",
];

/// How every page of the repository's own tools begins.
const BEGINNING: &str = "<!DOCTYPE html>";

/// The first tag of every published page. A policy applies to all that follows it, however it is written.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
    style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">";

/// Writes the reports of the workspace at `root` into `out`, those of `tasks` and of the barriers, and the index. Returns a line for
/// everything that is left out, with the reason.
///
/// # Errors
/// When a file of `out` cannot be written, or a folder of reports cannot be read.
pub(crate) fn publish(root: &Path, tasks: &[String], out: &Path, lang: Lang) -> Result<Vec<String>> {
    let (mut entries, mut failed) = (vec![], vec![]);
    for task in tasks {
        match published_records(root, task, lang) {
            Ok(None) => {}
            Ok(Some(records)) => {
                write_task(&out.join(task), &records)?;
                let file = root.join("reports").join(task).join(RECORDS);
                fs::copy(&file, out.join(task).join(RECORDS)).map_err(CliError::system("read", file))?;
                entries.extend(IndexEntry::from_records(&records));
            }
            Err(reason) => failed.push(FailedReport { task: task.clone(), reason }),
        }
    }
    if !entries.is_empty() || !failed.is_empty() {
        for page_lang in Lang::ALL {
            let index = wb_report::index(&entries, &failed, page_lang);
            write(&out.join(localized_file_name("index", "html", page_lang)), &with_policy(&index))?;
        }
    }
    let mut left_out: Vec<String> =
        failed.iter().map(|one| text::report_left_out(lang, &one.task, &one.reason)).collect();
    left_out.extend(publish_barriers(root, out, lang)?);
    let foreign = foreign_files(root, tasks)?;
    left_out
        .extend(foreign.iter().map(|file| text::not_published(lang, file.display(), text::not_ours(lang))));
    Ok(left_out)
}

/// The records of a task; `None` where it has none, and the reason where they are refused.
fn published_records(
    root: &Path,
    task: &str,
    lang: Lang,
) -> std::result::Result<Option<Vec<Record>>, String> {
    let file = Path::new("reports").join(task).join(RECORDS);
    match root.join(&file).symlink_metadata() {
        Err(_) => Ok(None),
        Ok(_) if has_link(root, &file) => Err(text::linked(lang)),
        Ok(_) => measure::read_for_task(task, &root.join(file), lang).map(Some),
    }
}

/// The pages of a task and its table.
fn write_task(folder: &Path, records: &[Record]) -> Result<()> {
    let report = TaskReport::new(records);
    for lang in Lang::ALL {
        write(&folder.join(localized_file_name("report", "html", lang)), &with_policy(&report.html(lang)))?;
    }
    write(&folder.join("report.csv"), &report.csv())
}

/// Copies the pages of the barriers; returns a line for each that is left out.
fn publish_barriers(root: &Path, out: &Path, lang: Lang) -> Result<Vec<String>> {
    let mut left_out = vec![];
    for name in BARRIER_FILES {
        let file = Path::new("reports").join(BARRIERS).join(name);
        if root.join(&file).symlink_metadata().is_err() {
            continue;
        }
        match barrier_file(root, &file, lang) {
            Ok(content) => write(&out.join(BARRIERS).join(name), &content)?,
            Err(reason) => left_out.push(text::not_published(lang, file.display(), reason)),
        }
    }
    Ok(left_out)
}

/// A file of the barriers' report as it is published, or the reason why it is not.
fn barrier_file(root: &Path, file: &Path, lang: Lang) -> std::result::Result<String, String> {
    if has_link(root, file) {
        return Err(text::linked(lang));
    }
    let content = record_input::read(&root.join(file)).map_err(|error| error.to_string())?;
    if file.extension().is_none_or(|kind| kind != "html") {
        return Ok(content);
    }
    // No policy forbids a page to send its reader elsewhere by this attribute, and ours have none.
    let is_ours = content.starts_with(BEGINNING) && !content.to_ascii_lowercase().contains("http-equiv");
    if is_ours { Ok(with_policy(&content)) } else { Err(text::not_ours(lang)) }
}

/// The page with the policy in front of everything that a browser reads.
fn with_policy(page: &str) -> String {
    let rest = page.strip_prefix(BEGINNING).unwrap_or(page);
    format!("{BEGINNING}{POLICY}{rest}")
}

/// Whether the file or a folder above it, up to `root`, is a symbolic link.
fn has_link(root: &Path, file: &Path) -> bool {
    file.ancestors().any(|path| root.join(path).is_symlink() && !path.as_os_str().is_empty())
}

/// What is in `reports/` and made by none of our commands, by name.
fn foreign_files(root: &Path, tasks: &[String]) -> Result<Vec<PathBuf>> {
    let mut found = vec![];
    let top = PathBuf::from("reports");
    for entry in names(root, &top)? {
        let path = top.join(&entry);
        let is_folder = tasks.contains(&entry) || entry == BARRIERS;
        if is_folder && !has_link(root, &path) && root.join(&path).is_dir() {
            let is_foreign = |name: &String| !is_known(&entry, name);
            found.extend(names(root, &path)?.into_iter().filter(is_foreign).map(|name| path.join(name)));
        } else if !KNOWN_FILES.contains(&entry.as_str()) {
            found.push(path);
        }
    }
    Ok(found)
}

fn is_known(folder: &str, name: &str) -> bool {
    let is_picture = || {
        name.strip_suffix(".svg")
            .is_some_and(|name| name.starts_with("latency-") || name.starts_with("skew-"))
    };
    KNOWN_FILES.contains(&name) || folder == BARRIERS && (BARRIER_FILES.contains(&name) || is_picture())
}

/// The names in a folder; none where it does not exist.
fn names(root: &Path, folder: &Path) -> Result<BTreeSet<String>> {
    let refused = |error| CliError::system("read", folder)(error);
    let entries = match fs::read_dir(root.join(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries.map_err(refused)?,
    };
    let name =
        |entry: io::Result<fs::DirEntry>| entry.map(|entry| entry.file_name().to_string_lossy().into_owned());
    entries.map(name).collect::<io::Result<_>>().map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "example_p_integral";

    /// Everything by which a page of a student's could run a program, load a file, or send its reader elsewhere.
    const HOSTILE: [&str; 7] = [
        "<script>alert(1)</script>",
        "<body onload=alert(1)>",
        "<img src=https://example.org/x.png onerror=alert(1)>",
        "<meta http-equiv=refresh content='0;url=https://example.org'>",
        "<iframe src=//example.org></iframe>",
        "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        "<a href='javascript:alert(1)'>x</a>",
    ];

    fn add(root: &Path, file: &str, content: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }

    /// A workspace with the records of one task, the pages of the barriers, and nothing else.
    fn workspace() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let records =
            fs::read_to_string(repository.join("reports").join(TASK).join(RECORDS)).expect("records");
        add(root.path(), &format!("reports/{TASK}/{RECORDS}"), &records);
        add(root.path(), "reports/barriers/report.html", "<!DOCTYPE html><p>barriers");
        root
    }

    /// The published files with their texts, and the lines for what was left out.
    fn published(root: &Path) -> (Vec<(String, String)>, Vec<String>) {
        let out = tempfile::tempdir().expect("a folder");
        let tasks = [TASK.to_owned(), "ivanov_i_sum".to_owned()];
        let left_out = publish(root, &tasks, out.path(), Lang::En).expect("published");
        let mut files = vec![];
        for folder in ["", TASK, "barriers", "ivanov_i_sum"] {
            for name in names(out.path(), Path::new(folder)).expect("read") {
                let path = Path::new(folder).join(&name);
                if out.path().join(&path).is_file() {
                    let content = fs::read_to_string(out.path().join(&path)).expect("read");
                    files.push((path.display().to_string(), content));
                }
            }
        }
        (files, left_out)
    }

    #[test]
    fn the_pages_of_records_and_of_the_barriers_are_published_with_a_policy_and_nothing_is_left_out() {
        let root = workspace();
        let (files, left_out) = published(root.path());
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let of_task = ["records.jsonl", "report.csv", "report.html", "report.ru.html"];
        let of_task = of_task.map(|name| format!("{TASK}/{name}"));
        let expected: Vec<&str> = ["index.html", "index.ru.html"]
            .into_iter()
            .chain(of_task.iter().map(String::as_str))
            .chain(["barriers/report.html"])
            .collect();
        assert_eq!((names, left_out), (expected, vec![]));
        for (name, page) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
            assert!(
                page.starts_with(&format!("{BEGINNING}{POLICY}")),
                "{name}: {}",
                &page[..200.min(page.len())]
            );
            assert_eq!(page.matches(BEGINNING).count(), 1, "{name}");
        }
    }

    #[test]
    fn canary_nothing_that_a_student_wrote_by_hand_is_published() {
        let root = workspace();
        let before = published(root.path()).0;
        for (index, hostile) in HOSTILE.iter().enumerate() {
            for name in ["report.html", "report.ru.html", "report.csv", "report.md"] {
                add(root.path(), &format!("reports/{TASK}/{name}"), &format!("{BEGINNING}{hostile}"));
            }
            let foreign = [
                format!("reports/{TASK}/more/x.html"),
                format!("reports/{TASK}/x{index}.svg"),
                format!("reports/ivanov_i_sum/x{index}.html"),
                format!("reports/other/x{index}.html"),
                format!("reports/x{index}.html"),
            ];
            foreign.iter().for_each(|name| add(root.path(), name, hostile));
            let (files, left_out) = published(root.path());
            assert_eq!(files, before, "{hostile}");
            let (task, other) = (format!("reports/{TASK}/more is"), "reports/other is".to_owned());
            let named = [task, other].into_iter().chain(foreign[1..3].iter().chain(&foreign[4..]).cloned());
            for name in named {
                assert!(left_out.iter().any(|line| line.contains(&name)), "{name}: {left_out:?}");
            }
        }
    }

    #[test]
    fn canary_a_page_of_the_barriers_with_an_attribute_that_no_policy_stops_is_refused() {
        let root = workspace();
        for page in [
            "<p>not ours",
            "<script>alert(1)</script><!DOCTYPE html>",
            "<!DOCTYPE html><META HTTP-EQUIV=refresh content='0;url=//example.org'>",
        ] {
            add(root.path(), "reports/barriers/report.html", page);
            let (files, left_out) = published(root.path());
            assert!(!files.iter().any(|(name, _)| name.starts_with("barriers")), "{page}");
            assert_eq!(left_out.len(), 1, "{left_out:?}");
            assert!(left_out[0].contains("reports/barriers/report.html"), "{left_out:?}");
        }
    }

    #[test]
    fn canary_a_linked_file_or_folder_is_not_read() {
        let root = workspace();
        let elsewhere = workspace();
        let link = |target: &Path, name: &str| {
            let path = root.path().join("reports").join(name);
            std::os::unix::fs::symlink(target, path).expect("a link");
        };
        let reports = elsewhere.path().join("reports");
        fs::remove_dir_all(root.path().join("reports/barriers")).expect("removed");
        fs::remove_file(root.path().join("reports").join(TASK).join(RECORDS)).expect("removed");
        link(&reports.join(TASK).join(RECORDS), &format!("{TASK}/{RECORDS}"));
        link(&reports.join(TASK), "ivanov_i_sum");
        link(&reports.join("barriers"), "barriers");
        let (files, left_out) = published(root.path());
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["index.html", "index.ru.html"]);
        for name in [TASK, "ivanov_i_sum", "reports/barriers/report.html"] {
            let is_named = |line: &String| line.contains(name) && line.contains("symbolic link");
            assert!(left_out.iter().any(is_named), "{name}: {left_out:?}");
        }
    }

    #[test]
    fn unreadable_records_are_named_in_the_index_and_the_other_tasks_are_published() {
        let root = workspace();
        add(root.path(), &format!("reports/ivanov_i_sum/{RECORDS}"), "{\"schema\": 1\n");
        let (files, left_out) = published(root.path());
        assert!(files.iter().any(|(name, _)| name == &format!("{TASK}/report.html")));
        assert!(!files.iter().any(|(name, _)| name.starts_with("ivanov_i_sum")));
        let index = &files.iter().find(|(name, _)| name == "index.html").expect("an index").1;
        assert!(index.contains("<code>ivanov_i_sum</code>"), "the index has the reason");
        assert!(left_out.len() == 1 && left_out[0].contains("ivanov_i_sum"), "{left_out:?}");
    }
}
