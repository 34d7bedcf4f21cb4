//! Algorithms that play: a page for each barrier and each collective algorithm over messages.
//!
//! A page has the text of the algorithm, a file of its [plans], and the script that all pages share. The script computes the times of
//! every rank and message from the plan and the reader's machine (`play/model.js`), and draws them (`play/page.js`).
use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use wb_algorithms::barriers::proof::{Counterexample, PatternRefutation};
use wb_messages::{Lang, play as text};

use crate::{
    code_pages::escaped,
    error::{BookError, Result},
};

pub mod algorithm;
pub mod plans;

use algorithm::{PlayedAlgorithm, RANKS_PER_NODE};

/// The part of the script that computes times.
pub const MODEL: &str = include_str!("play/model.js");

/// The part of the script that draws.
const PAGE: &str = include_str!("play/page.js");

const STYLE: &str = include_str!("play/page.css");

/// The algorithms in `framework/algorithms/src`, with `/` at the end.
const SOURCES: &str = "framework/algorithms/src";

/// The line of a summary below which the pages come.
pub const PAGES_MARK: &str = "<!-- play -->";

/// The line of a page that becomes the list of all algorithms.
pub const LIST_MARK: &str = "<!-- play-list -->";

/// The pages of all algorithms.
#[derive(Default)]
pub struct PlayPages {
    algorithms: Vec<AlgorithmPage>,
}

struct AlgorithmPage {
    algorithm: PlayedAlgorithm,
    plans: Value,
    /// The file of the algorithm relative to the workspace, and its text.
    file: PathBuf,
    text: String,
}

impl PlayPages {
    /// Makes the plans, and reads the texts of the workspace at `root`.
    ///
    /// # Errors
    /// When the file of an algorithm cannot be read or found, or a plan cannot be recorded.
    pub fn new(root: &Path) -> Result<Self> {
        let page = |algorithm: PlayedAlgorithm| {
            let refused =
                |reason: String| BookError::Renderer { reason: format!("{}: {reason}", algorithm.id()) };
            let plans = algorithm.encoded().map_err(|error| refused(error.to_string()))?;
            let (file, text) =
                source(root, &algorithm)?.ok_or_else(|| refused(format!("{SOURCES} has no such file")))?;
            Ok(AlgorithmPage { algorithm, plans, file, text })
        };
        Ok(Self { algorithms: algorithm::all().into_iter().map(page).collect::<Result<_>>()? })
    }

    /// The algorithms and their plans, as the script reads them.
    pub fn algorithms(&self) -> impl Iterator<Item = (&PlayedAlgorithm, &Value)> {
        self.algorithms.iter().map(|page| (&page.algorithm, &page.plans))
    }

    /// The names of the pages in Markdown.
    pub fn names(&self) -> impl Iterator<Item = PathBuf> {
        self.algorithms.iter().map(AlgorithmPage::name)
    }

    /// All files: their names in the book of a language, and their texts.
    pub fn files(&self, lang: Lang) -> Vec<(PathBuf, String)> {
        let plans = |page: &AlgorithmPage| {
            let id = page.algorithm.id();
            (
                PathBuf::from(format!("play/plans/{id}.js")),
                format!("addPlans({}, {});\n", json!(id), page.plans),
            )
        };
        let pages =
            self.algorithms.iter().flat_map(|page| [(page.name(), self.page(page, lang)), plans(page)]);
        // The book's own script has names, too.
        let script = format!("(() => {{\n{MODEL}\n{PAGE}\nwindow.addPlans = addPlans;\n}})();\n");
        let shared = [("play/play.js", script), ("play/play.css", STYLE.to_owned())];
        pages.chain(shared.map(|(name, text)| (PathBuf::from(name), text))).collect()
    }

    /// The rows of a summary for all pages, below a row that is indented by `indent`.
    pub fn summary_rows(&self, lang: Lang, indent: &str) -> String {
        let row =
            |page: &AlgorithmPage| format!("{indent}- [{}]({})\n", page.title(lang), page.name().display());
        self.algorithms.iter().map(row).collect()
    }

    /// The list of all pages, by groups, and of the barriers without a plan.
    pub fn list(&self, lang: Lang) -> String {
        let mut list = String::new();
        let mut last = String::new();
        for page in &self.algorithms {
            let group = page.group(lang);
            if group != last {
                let (name, summary) = (text::column_name(lang), text::column_summary(lang));
                list +=
                    &format!("\n### {group} {{#{}}}\n\n| {name} | {summary} |\n|---|---|\n", page.anchor());
                last = group;
            }
            let summary = escaped(page.algorithm.summary.in_language(lang));
            list += &format!("| [{}]({}) | {summary} |\n", page.title(lang), page.name().display());
        }
        let names: Vec<_> =
            algorithm::without_plan().iter().map(|entry| format!("`{}`", entry.name)).collect();
        let (heading, why) = (text::without_plan(lang), text::why_no_plan(lang));
        format!("{list}\n### {heading} {{#without-plan}}\n\n{why} {}.\n", names.join(", "))
    }

    /// A page in Markdown.
    fn page(&self, page: &AlgorithmPage, lang: Lang) -> String {
        let AlgorithmPage { algorithm, plans, file, text: source } = page;
        let verdict =
            algorithm.counterexample.as_ref().map_or(String::new(), |found| page.verdict(found, lang));
        let nodes = if algorithm.has_nodes { text::nodes(lang, RANKS_PER_NODE) } else { String::new() };
        let plays = plans["sizes"].as_object().is_some_and(|sizes| !sizes.is_empty());
        let player = if plays { self.player(page, lang) } else { String::new() };
        format!(
            "# {}\n\n{}. {}\n\n{verdict}{player}\n\n{nodes}\n\n## {} {{#algorithm}}\n\n{}\n\n```rust,ignore\n{source}```\n",
            page.title(lang),
            escaped(&capitalized(algorithm.summary.in_language(lang))),
            escaped(&text::source(lang, algorithm.source)),
            text::heading_algorithm(lang),
            text::text_of(lang, file.display()),
        )
    }

    /// The place of the player, its data and the scripts.
    fn player(&self, page: &AlgorithmPage, lang: Lang) -> String {
        let choices =
            self.algorithms.iter().filter(|page| !page.plans["rounds"].as_str().unwrap_or("").is_empty());
        let choices = choices.map(|page| {
            let title = format!("{}: {}", page.algorithm.operation, page.algorithm.name);
            json!({"id": page.algorithm.id(), "title": title, "group": page.group(lang)})
        });
        let texts: serde_json::Map<_, _> =
            text::page_texts(lang).into_iter().map(|(key, text)| (key.to_owned(), json!(text))).collect();
        let data = json!({"texts": texts, "choices": choices.collect::<Vec<_>>(), "start": page.start()});
        let (id, how, none) = (page.algorithm.id(), text::how(lang), text::needs_script(lang));
        // Nothing in the data ends the element of the script.
        let data = data.to_string().replace('<', "\\u003c");
        format!(
            "{how}\n\n<div class=\"play\" id=\"play\" data-id=\"{id}\"><noscript>{none}</noscript></div>\n\
             <link rel=\"stylesheet\" href=\"play.css\">\n\
             <script type=\"application/json\" id=\"play-data\">{data}</script>\n\
             <script src=\"play.js\"></script>\n<script src=\"plans/{id}.js\"></script>\n"
        )
    }
}

impl AlgorithmPage {
    fn name(&self) -> PathBuf {
        PathBuf::from(format!("play/{}.md", self.algorithm.id()))
    }

    fn title(&self, lang: Lang) -> String {
        text::title(lang, self.algorithm.operation, escaped(self.algorithm.name))
    }

    fn anchor(&self) -> &'static str {
        match self.algorithm.operation {
            "barrier" if self.algorithm.is_wrong => "wrong-barriers",
            "barrier" => "barriers",
            "bcast" => "broadcasts",
            _ => "other-operations",
        }
    }

    /// The heading under which it is listed.
    fn group(&self, lang: Lang) -> String {
        match self.anchor() {
            "wrong-barriers" => text::wrong_barriers(lang),
            "barriers" => text::barriers(lang),
            "broadcasts" => text::broadcasts(lang),
            _ => text::other_operations(lang),
        }
    }

    /// The settings with which the page opens: those of the counterexample, where there is one. The rank that is not heard of is late, so that
    /// the rank that leaves early leaves before it enters.
    fn start(&self) -> Value {
        // Long data shows what segments and shares are for.
        let bytes = if ["None", "Blocks", "Whole"].map(Value::from).contains(&self.plans["cut"]) {
            1024
        } else {
            65_536
        };
        let mut start = json!({
            "ranks": 8, "root": 0, "bytes": bytes, "segments": 4, "late": 0, "delay": 0,
            "latency": 1000, "overhead": 200, "gap": 100, "perByte": 500,
        });
        if let Some(Counterexample { group, refutation }) = &self.algorithm.counterexample {
            start["ranks"] = group.size.into();
            if let PatternRefutation::EarlyExit { unknown, .. } = refutation {
                start["late"] = (*unknown).into();
                start["delay"] = 5000.into();
            }
        }
        start
    }

    /// Why the proof refuses it.
    fn verdict(&self, Counterexample { group, refutation }: &Counterexample, lang: Lang) -> String {
        let why = refutation.text();
        let why = why.in_language(lang);
        let why = if group.is_single_node() {
            text::refuted(lang, group.size, why)
        } else {
            let nodes: Vec<_> = group.nodes.iter().map(usize::to_string).collect();
            text::refuted_on(lang, group.size, nodes.join(" "), why)
        };
        let unplayable = !self.algorithm.can_play(group.size);
        let note =
            if unplayable { format!("\n{}", text::cannot_play(lang, group.size)) } else { String::new() };
        format!("<div class=\"play-verdict\">✗ {why}{note}</div>\n\n")
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// The file of an algorithm and its text: the one in its folder that contains its name as a literal, or is called so.
fn source(root: &Path, algorithm: &PlayedAlgorithm) -> Result<Option<(PathBuf, String)>> {
    let mut folders = vec![Path::new(SOURCES).join(&algorithm.folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root.join(&folder)).map_err(BookError::system(&folder))?;
        let mut files: Vec<_> =
            entries.filter_map(|entry| Some(folder.join(entry.ok()?.file_name()))).collect();
        files.sort();
        for file in files {
            if root.join(&file).is_dir() {
                folders.push(file);
                continue;
            }
            let text = fs::read_to_string(root.join(&file)).map_err(BookError::system(&file))?;
            let is_named = file.file_stem().is_some_and(|stem| stem == algorithm.name);
            let has_entry = text.contains("ENTRIES");
            if is_named && !has_entry || has_entry && text.contains(&format!("\"{}\"", algorithm.name)) {
                return Ok(Some((file, text)));
            }
        }
    }
    Ok(None)
}
