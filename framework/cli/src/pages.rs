//! The pages in `reports/`: those of one task, and the index of all.
//!
//! A page of a task is made from its records when it is asked for. The index needs a row of every task, and analysing the
//! records of a whole course takes seconds: the summaries are kept in the target folder, each with the key of the records
//! and of the program that it was made by.

mod published;

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use wb_messages::{Lang, cli as text};
use wb_record::Record;
use wb_report::{FailedReport, IndexEntry};

use crate::{
    document,
    error::{CliError, Result},
    measure, output, record_input,
    workspace::{TaskEntry, Workspace},
};

pub(crate) use published::publish;

/// The file of a task's records in its folder of reports.
pub(crate) const RECORDS: &str = "records.jsonl";

/// Writes the pages of `tasks`, as far as they have records, and the index of all tasks of the workspace; `names_files` prints the path
/// of each. Returns the names of those of `tasks` whose pages could not be updated. A problem of another task is reported, but is
/// not a failure of this command.
pub(crate) fn write_all(
    workspace: &Workspace,
    tasks: &[TaskEntry],
    names_files: bool,
    lang: Lang,
) -> Result<Vec<String>> {
    let reports = workspace.root().join("reports");
    let cache = SummaryCache::open(workspace, names_files)?;
    let (mut summaries, mut failed, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for task in workspace.task_names() {
        let folder = reports.join(&task);
        // A path of records that is not a file is reported, not skipped.
        if folder.join(RECORDS).symlink_metadata().is_err() {
            continue;
        }
        let is_wanted = tasks.iter().any(|wanted| wanted.name == task);
        // A page that cannot be written does not stop the other tasks.
        let summary = cache.summary(&task, &folder, is_wanted, lang);
        match summary.unwrap_or_else(|error| Err(error.render(lang))) {
            Ok((summary, whole)) => {
                summaries.extend(summary);
                failed.extend((!whole).then_some(task));
            }
            Err(why) => {
                let file = folder.join(RECORDS);
                eprintln!("{}", text::report_failed_of(lang, &task, file.display(), &why));
                without.push(FailedReport { task: task.clone(), reason: why });
                failed.extend(is_wanted.then_some(task));
            }
        }
    }
    fs::create_dir_all(&reports).map_err(CliError::system("create", &reports))?;
    for page_lang in Lang::ALL {
        let page = reports.join(localized_file_name("index", "html", page_lang));
        output::write_in_report(&page, wb_report::index(&summaries, &without, page_lang), lang)?;
    }
    if names_files {
        println!("{}", text::report_written(lang, index_page(workspace, lang).display()));
    }
    Ok(failed)
}

/// The summaries of earlier runs.
struct SummaryCache {
    folder: PathBuf,
    /// The identity of this program: another version may summarise differently.
    program: u64,
    /// Whether the path of each page is printed.
    names_files: bool,
}

/// A stored summary: the key of its inputs, and the summary.
type CachedSummary = (u64, Option<IndexEntry>);

impl SummaryCache {
    fn open(workspace: &Workspace, names_files: bool) -> Result<Self> {
        let program =
            std::env::current_exe().and_then(fs::metadata).map_err(CliError::system("read", "wb"))?;
        let changed = program.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let program = hash(&(program.len(), changed));
        Ok(Self { folder: workspace.scratch("summaries")?, program, names_files })
    }

    /// The summary of a task, and whether its pages were all written; they are written if that `is_wanted`. The inner error
    /// is the reason why its records cannot be read.
    fn summary(
        &self,
        task: &str,
        folder: &Path,
        is_wanted: bool,
        lang: Lang,
    ) -> Result<std::result::Result<(Option<IndexEntry>, bool), String>> {
        let file = folder.join(RECORDS);
        let bytes = match record_input::read(&file) {
            Ok(text) => text,
            Err(why) => return Ok(Err(text::records_unreadable(lang, why))),
        };
        let (key, place) = (hash(&(self.program, bytes)), self.folder.join(format!("{task}.json")));
        let kept = || {
            serde_json::from_slice::<CachedSummary>(&fs::read(&place).ok()?).ok().filter(|kept| kept.0 == key)
        };
        if !is_wanted && let Some((_, summary)) = kept() {
            return Ok(Ok((summary, true)));
        }
        let records = match measure::read_for_task(task, &file, lang) {
            Ok(records) => records,
            Err(why) => return Ok(Err(why)),
        };
        let mut whole = true;
        if is_wanted {
            whole = write_task(folder, &records, lang)?;
            for extension in ["html", "md"].iter().filter(|_| self.names_files) {
                let page = folder.join(localized_file_name("report", extension, lang));
                println!("{}", text::report_written(lang, page.display()));
            }
        }
        let kept: CachedSummary = (key, IndexEntry::from_records(&records));
        let json =
            serde_json::to_string(&kept).expect("a summary has string keys only, so it always serialises");
        write(&place, &json)?;
        Ok(Ok((kept.1, whole)))
    }
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The pages of one task in both languages, and its table for other programs; returns whether every text could be
/// updated.
fn write_task(folder: &Path, records: &[Record], lang: Lang) -> Result<bool> {
    let report = wb_report::TaskReport::new(records);
    output::write_in_report(&folder.join("report.csv"), report.csv(), lang)?;
    let mut whole = true;
    for (page_lang, text) in Lang::ALL.into_iter().zip(wb_report::markdown_in_all_languages(records)) {
        let page = folder.join(localized_file_name("report", "html", page_lang));
        output::write_in_report(&page, report.html(page_lang), lang)?;
        let path = folder.join(localized_file_name("report", "md", page_lang));
        whole &= document::update_document(&path, &text, lang)?;
    }
    Ok(whole)
}

/// Renders the pages of one task in memory. Returns the files that are missing or differ from what the records say, or the
/// reason why the records cannot be read.
pub(crate) fn outdated_pages(
    workspace: &Workspace,
    task: &str,
    lang: Lang,
) -> std::result::Result<Vec<PathBuf>, String> {
    let folder = Path::new("reports").join(task);
    let records = measure::read_for_task(task, &workspace.root().join(&folder).join(RECORDS), lang)?;
    let report = wb_report::TaskReport::new(&records);
    let pages = Lang::ALL.map(|lang| (localized_file_name("report", "html", lang), report.html(lang)));
    let pages = pages.into_iter().chain([("report.csv".into(), report.csv())]);
    let differs = |(name, text): (PathBuf, String)| {
        let path = folder.join(name);
        let kept = fs::read_to_string(workspace.root().join(&path)).ok();
        (kept.as_deref() != Some(text.as_str())).then_some(path)
    };
    Ok(pages.filter_map(differs).collect())
}

pub(crate) fn task_page(workspace: &Workspace, task: &str, lang: Lang) -> PathBuf {
    workspace.root().join("reports").join(task).join(localized_file_name("report", "html", lang))
}

/// The page of all tasks.
pub(crate) fn index_page(workspace: &Workspace, lang: Lang) -> PathBuf {
    workspace.root().join("reports").join(localized_file_name("index", "html", lang))
}

/// A path as a person names it: from the current folder, if it is below that.
pub(crate) fn shown_path(path: &Path) -> String {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.as_deref().unwrap_or(path).display().to_string()
}

/// `report.html` in English, `report.ru.html` in Russian.
pub(crate) fn localized_file_name(stem: &str, extension: &str, lang: Lang) -> PathBuf {
    PathBuf::from(match lang {
        Lang::En => format!("{stem}.{extension}"),
        Lang::Ru => format!("{stem}.{}.{extension}", lang.code()),
    })
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    wb_process::write_atomically(path, text).map_err(CliError::system("write", path))
}
