//! `cargo wb course assign`: variants for the students who lack them.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use serde::Serialize;
use wb_config::{GivenVariant, GivenVariants};
use wb_course::VariantChoice;
use wb_messages::{Lang, enrolment as text};
use wb_report::{
    VariantsPage, VariantsRow,
    document::{Table, left},
};

use super::{
    explain,
    variant_book::{VariantBook, is_of},
};
use crate::{
    CommandStatus,
    arguments::AssignArgs,
    error::{CliError, Result},
    output, terminal,
    workspace::Workspace,
};

/// The file of given variants, in the root of the workspace.
const FILE: &str = "tasks/variants.csv";

pub(crate) fn run(wanted: &AssignArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let file = workspace.root().join(FILE);
    if let Some(page) = &wanted.page {
        output::check(page)?;
    }
    let book = VariantBook::read(workspace.root(), lang)?;
    if let Some(login) = &wanted.explain {
        return explain::run(&book, login, lang, json);
    }
    if !wanted.dry_run && !book.choices.is_empty() {
        write(&file, &book.choices)?;
    }
    if let Some(page) = &wanted.page {
        let html = book.page(lang).to_html(lang);
        wb_process::write_atomically(page, html).map_err(CliError::system("write", page))?;
    }
    if json {
        output::print_json(&NewVariants::new(&book, &file));
    } else {
        book.print(wanted, lang);
    }
    Ok(CommandStatus::Success)
}

impl VariantBook {
    fn print(&self, wanted: &AssignArgs, lang: Lang) {
        let students: HashSet<_> = self.choices.iter().map(|choice| &choice.row.login).collect();
        if self.choices.is_empty() {
            println!("{}", text::nothing_to_give(lang, self.roster.students.len()));
        } else if wanted.dry_run {
            println!("{}", text::would_give(lang, self.choices.len(), students.len()));
            println!("{}", self.table(lang));
        } else {
            println!("{}", text::given(lang, self.choices.len(), students.len(), FILE));
        }
        let shared = self.choices.iter().filter(|choice| choice.shared_in_group > 0).count();
        if shared > 0 {
            println!("{}", text::shared(lang, shared));
        }
        for (one, other) in self.equal_students() {
            println!("{}", text::equal_students(lang, one, other));
        }
        if let Some(page) = &wanted.page {
            println!("{}", text::page_written(lang, page.display()));
        }
    }

    /// Students with the same variants of all assignments, which only too few variants can cause.
    fn equal_students(&self) -> Vec<(&str, &str)> {
        let mut seen = std::collections::HashMap::new();
        let all = self.roster.students.iter().filter_map(|student| {
            let login = student.login.as_str();
            let first = *seen.entry([1, 2, 3].map(|at| self.variant(login, at))).or_insert(login);
            (first != login).then_some((first, login))
        });
        all.collect()
    }

    /// What is new, a line for each student.
    fn table(&self, lang: Lang) -> String {
        let names = [text::column_group(lang), text::column_student(lang)].into_iter();
        let columns = [1, 2, 3].map(|number| text::column_assignment(lang, number));
        let mut table = Table::new(names.chain(columns).map(left));
        for student in &self.roster.students {
            let new = [1, 2, 3].map(|assignment| {
                let choice = self.choices.iter().find(|choice| is_of(choice, &student.login, assignment));
                choice.map_or_else(String::new, |choice| choice.row.variant.to_string())
            });
            if new.iter().any(|variant| !variant.is_empty()) {
                table.row([vec![student.group.clone(), student.login.clone()], new.to_vec()].concat());
            }
        }
        terminal::text(&table)
    }

    fn page(&self, lang: Lang) -> VariantsPage {
        let mut students: Vec<_> = self.roster.students.iter().collect();
        students.sort_by_key(|student| (&student.group, &student.name));
        let cell = |login: &str, assignment: u8| {
            let variant = self.variant(login, assignment)?;
            let title = self.course.variant(assignment, variant).map(|one| one.title.in_language(lang));
            Some((variant, title.unwrap_or_default().to_owned()))
        };
        let rows = students.into_iter().map(|student| VariantsRow {
            group: student.group.clone(),
            name: student.name.clone(),
            login: student.login.clone(),
            variants: [1, 2, 3].map(|assignment| cell(&student.login, assignment)),
        });
        let titles =
            [1, 2, 3].map(|number| self.course.assignment(number).title.in_language(lang).to_owned());
        VariantsPage { course: self.course.title.in_language(lang).to_owned(), titles, rows: rows.collect() }
    }
}

/// Adds the new rows; the lines that are there stay byte by byte.
fn write(file: &Path, choices: &[VariantChoice]) -> Result<()> {
    let mut content = match file.exists() {
        true => fs::read_to_string(file).map_err(CliError::system("read", file))?,
        false => GivenVariants::default().to_csv(),
    };
    if !content.ends_with('\n') {
        content.push('\n');
    }
    let rows = choices.iter().map(|choice| GivenVariant {
        login: choice.row.login.clone(),
        assignment: choice.row.assignment,
        variant: choice.row.variant,
        line: 0,
    });
    let added = GivenVariants { rows: rows.collect() }.to_csv();
    let rows = added.split_once('\n').map_or("", |(_, rows)| rows);
    wb_process::write_atomically(file, content + rows).map_err(CliError::system("write", file))
}

/// The answer with `--json`.
#[derive(Serialize)]
struct NewVariants<'a> {
    file: PathBuf,
    students: usize,
    given_before: usize,
    new: Vec<NewVariant<'a>>,
}

/// A new variant, and what it was chosen from.
#[derive(Serialize)]
struct NewVariant<'a> {
    login: &'a str,
    assignment: u8,
    variant: u8,
    free_in_group: usize,
    shared_in_group: usize,
    drawn_from: usize,
    kept_distinct: bool,
    exchanged_with: Option<&'a str>,
}

impl<'a> NewVariants<'a> {
    fn new(book: &'a VariantBook, file: &Path) -> Self {
        let new = book.choices.iter().map(|choice| NewVariant {
            login: &choice.row.login,
            assignment: choice.row.assignment,
            variant: choice.row.variant,
            free_in_group: choice.free_in_group,
            shared_in_group: choice.shared_in_group,
            drawn_from: choice.drawn_from,
            kept_distinct: choice.kept_distinct,
            exchanged_with: choice.exchanged_with.as_deref(),
        });
        Self {
            file: file.to_owned(),
            students: book.roster.students.len(),
            given_before: book.given.rows.len(),
            new: new.collect(),
        }
    }
}
