//! `Cargo.toml` of a task: the keys of the template, and nothing that builds or links anything else.

use std::ops::Range;

use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};
use wb_text::{Text, source as text};

use super::{RuleOptions, SourceFinding, SourceRule, finding::Place, source_path::resolve};
use crate::source_file::SourceFile;

/// Keys of the workspace that a package inherits or repeats.
const PACKAGE_KEYS: [&str; 14] = [
    "authors",
    "categories",
    "description",
    "documentation",
    "edition",
    "keywords",
    "license",
    "metadata",
    "name",
    "publish",
    "readme",
    "repository",
    "rust-version",
    "version",
];

/// The edition of the workspace.
const EDITION: &str = "2024";

/// Keys of a target.
const TARGET_KEYS: [&str; 7] = ["bench", "doc", "doctest", "harness", "name", "path", "test"];

/// Crates of the workspace that every task may use.
const ALLOWED: [&str; 1] = ["workbench"];

/// Crates that tests may use besides.
const ALLOWED_IN_TESTS: [&str; 4] = ["approx", "proptest", "rstest", "workbench"];

type Key<'a> = Spanned<DeString<'a>>;
type Value<'a> = Spanned<DeValue<'a>>;

struct Checker<'a> {
    file: &'a SourceFile,
    options: &'a RuleOptions,
    found: &'a mut Vec<SourceFinding>,
}

/// Checks the file.
pub(super) fn check(file: &SourceFile, options: &RuleOptions, found: &mut Vec<SourceFinding>) {
    let mut checker = Checker { file, options, found };
    match DeTable::parse(&file.text) {
        Ok(table) => table.get_ref().iter().for_each(|(key, value)| checker.section(key, value)),
        Err(error) => {
            let at = error.span().unwrap_or_default();
            let why = match wb_text::is_utf16(&file.text) {
                true => text::utf16(),
                false => error.message().to_owned().into(),
            };
            checker.add(SourceRule::Readable, at, "", text::not_toml(why));
        }
    }
}

impl Checker<'_> {
    fn add(&mut self, rule: SourceRule, at: Range<usize>, words: &str, reason: Text) {
        self.found.push(Place::at_byte(self.file, at.start).finding(rule, words, reason));
    }

    fn refuse_key(&mut self, key: &Key<'_>, name: &str) {
        self.add(SourceRule::Manifest, key.span(), name, text::manifest_key(name));
    }

    fn section(&mut self, key: &Key<'_>, value: &Value<'_>) {
        match (&**key.get_ref(), value.get_ref()) {
            ("package", DeValue::Table(table)) => self.package(table),
            ("lib", DeValue::Table(table)) => self.target(table, "src"),
            ("test", DeValue::Array(targets)) => self.targets(targets, "tests"),
            ("bench", DeValue::Array(targets)) => self.targets(targets, "benches"),
            ("example", DeValue::Array(targets)) => self.targets(targets, "examples"),
            ("dependencies", DeValue::Table(table)) => self.dependencies(table, &ALLOWED),
            ("dev-dependencies", DeValue::Table(table)) => self.dependencies(table, &ALLOWED_IN_TESTS),
            ("features", DeValue::Table(table)) => self.features(table),
            ("lints", DeValue::Table(table)) => {
                let foreign = table.iter().filter(|(key, _)| &**key.get_ref() != "workspace");
                foreign.for_each(|(key, _)| self.refuse_key(key, &format!("lints.{}", key.get_ref())));
            }
            ("build-dependencies", _) => {
                self.add(SourceRule::Manifest, key.span(), "build-dependencies", text::build_script());
            }
            (name, _) => self.refuse_key(key, name),
        }
    }

    fn package(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match (&**key.get_ref(), value.get_ref()) {
                ("build", DeValue::Boolean(false)) => {}
                ("build", _) => self.add(SourceRule::Manifest, key.span(), "build", text::build_script()),
                // Older editions read paths in another way.
                ("edition", DeValue::String(edition)) if **edition != *EDITION => {
                    self.refuse_key(key, "package.edition");
                }
                ("metadata", DeValue::Table(table)) => self.metadata(table),
                (name, _) if PACKAGE_KEYS.contains(&name) => {}
                (name, _) => self.refuse_key(key, &format!("package.{name}")),
            }
        }
    }

    /// A task is not an assignment, and has no settings of other tools.
    fn metadata(&mut self, table: &DeTable<'_>) {
        let foreign = table.keys().filter(|key| &**key.get_ref() != "task");
        foreign.for_each(|key| self.refuse_key(key, &format!("package.metadata.{}", key.get_ref())));
    }

    fn targets(&mut self, targets: &[Value<'_>], folder: &str) {
        for target in targets {
            if let DeValue::Table(table) = target.get_ref() {
                self.target(table, folder);
            }
        }
    }

    /// A target whose sources are below `folder`.
    fn target(&mut self, table: &DeTable<'_>, folder: &str) {
        for (key, value) in table {
            match (&**key.get_ref(), value.get_ref()) {
                ("path", DeValue::String(path)) => {
                    let found = resolve("Cargo.toml", path).filter(|found| found.ends_with(".rs"));
                    if !found.is_some_and(|found| found.starts_with(&format!("{folder}/"))) {
                        let why = text::path_not_below(&**path, folder);
                        self.add(SourceRule::IncludedFiles, value.span(), path, why);
                    }
                }
                ("harness", _) if folder != "benches" => self.refuse_key(key, "harness"),
                (name, _) if TARGET_KEYS.contains(&name) => {}
                (name, _) => self.refuse_key(key, name),
            }
        }
    }

    /// A feature may switch features of `workbench`.
    fn features(&mut self, table: &DeTable<'_>) {
        let names: Vec<_> = table.keys().map(|key| key.get_ref().to_string()).collect();
        for value in table.values() {
            let DeValue::Array(parts) = value.get_ref() else { continue };
            for part in parts {
                let DeValue::String(part_name) = part.get_ref() else { continue };
                let is_own = names.iter().any(|name| name == part_name);
                let is_assignment = self
                    .options
                    .assignment_crate
                    .as_ref()
                    .is_some_and(|name| part_name.split('/').next() == Some(name));
                if !is_own && !part_name.starts_with("workbench/") && !is_assignment {
                    self.add(SourceRule::Manifest, part.span(), part_name, text::manifest_key(&**part_name));
                }
            }
        }
    }

    fn dependencies(&mut self, table: &DeTable<'_>, allowed: &[&str]) {
        for (key, value) in table {
            let name = &**key.get_ref();
            let is_assignment = self.options.assignment_crate.as_deref() == Some(name);
            let (rule, at) = (SourceRule::Crates, key.span());
            if !allowed.contains(&name) && !is_assignment {
                self.add(rule, at, name, text::foreign_crate(name));
                continue;
            }
            match value.get_ref() {
                DeValue::Table(settings) => self.dependency(key, settings, is_assignment),
                _ => self.add(rule, at, name, text::foreign_source(name)),
            }
        }
    }

    /// The workspace decides where an allowed crate comes from. The assignment's crate lies beside the task.
    fn dependency(&mut self, key: &Key<'_>, settings: &DeTable<'_>, is_assignment: bool) {
        let name = &**key.get_ref();
        let beside = format!("../{name}");
        let mut has_source = false;
        for (setting, value) in settings {
            let is_known = match (&**setting.get_ref(), value.get_ref()) {
                ("workspace", DeValue::Boolean(true)) => {
                    has_source = true;
                    true
                }
                ("path", DeValue::String(path)) if is_assignment && **path == *beside => {
                    has_source = true;
                    true
                }
                ("features" | "default-features", _) => true,
                _ => false,
            };
            if !is_known {
                let shown = format!("{name}.{}", setting.get_ref());
                self.add(SourceRule::Crates, setting.span(), &shown, text::foreign_source(name));
            }
        }
        if !has_source {
            self.add(SourceRule::Crates, key.span(), name, text::foreign_source(name));
        }
    }
}
