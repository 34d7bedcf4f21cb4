//! `cargo wb similar`: pairs of solutions of one variant that are alike, as a table and as pages with both texts side by side.
//!
//! It shows, and decides nothing: a pair counts only when an instructor has confirmed it in `tasks/similarity.yaml`.

mod page;
mod solutions;

use std::{collections::BTreeMap, fs, path::Path};

use serde::Serialize;
use solutions::{Origin, Skipped, Solution, SolutionSet};
use wb_config::{ConfirmedSimilarities, ConfirmedSimilarity, SimilarPart};
use wb_course::source::{
    SourcePart,
    similarity::{self, Similarity, THRESHOLD},
};
use wb_messages::{Lang, WIDTH, similar as text, wrap};
use wb_report::document::{Inline, Table, left};
use wb_text::escape::line as escaped_line;

use crate::{
    CommandStatus,
    arguments::SimilarArgs,
    error::{CliError, Result},
    output, terminal,
    workspace::Workspace,
};

/// Pairs of the table and of the pages.
const SHOWN_MAX: usize = 200;

/// Two solutions of one variant, and what one part of them shares.
pub(crate) struct Pair<'a> {
    left: &'a Solution,
    right: &'a Solution,
    part: SourcePart,
    similarity: Similarity,
    is_confirmed: bool,
}

pub(crate) fn run(wanted: &SimilarArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let confirmed = ConfirmedSimilarities::find(workspace.root())?;
    let set = SolutionSet::read(&workspace, wanted)?;
    let (pairs, compared) = pairs(&set, &confirmed);
    let skipped = set.skipped();
    if json {
        let pairs = pairs.iter().map(PairRow::new).collect();
        output::print_json(&ComparisonRow { compared, pairs, skipped });
    } else {
        skipped.iter().for_each(|skipped| eprintln!("{}", skipped.render(lang)));
        print(&pairs, compared, lang);
    }
    if let Some(out) = &wanted.out {
        write_pages(out, &pairs)?;
        eprintln!("{}", text::pages(lang, out.display()));
    }
    Ok(CommandStatus::Success)
}

/// All pairs of one variant that reach the threshold, the most alike first; and the number of pairs that were compared.
fn pairs<'a>(set: &'a SolutionSet, confirmed: &ConfirmedSimilarities) -> (Vec<Pair<'a>>, usize) {
    let mut of_variant: BTreeMap<(u8, u8), Vec<&Solution>> = BTreeMap::new();
    for solution in &set.solutions {
        of_variant.entry((solution.assignment, solution.variant)).or_default().push(solution);
    }
    let (mut found, mut compared) = (vec![], 0);
    for solutions in of_variant.values() {
        for (at, right) in solutions.iter().enumerate() {
            for left in solutions[..at].iter().filter(|left| left.may_be_paired(right)) {
                compared += 1;
                for part in [SourcePart::Seq, SourcePart::Mpi] {
                    let (one, other) = (left.part_beside(right, part), right.part_beside(left, part));
                    let similarity = similarity::compare(one, other);
                    if similarity.is_similar() {
                        let is_confirmed = is_confirmed(confirmed, left, right, part);
                        found.push(Pair { left, right, part, similarity, is_confirmed });
                    }
                }
            }
        }
    }
    let score = |pair: &Pair<'_>| pair.similarity.containment();
    found.sort_by(|a, b| score(b).total_cmp(&score(a)).then_with(|| a.name().cmp(&b.name())));
    (found, compared)
}

fn is_confirmed(
    confirmed: &ConfirmedSimilarities,
    left: &Solution,
    right: &Solution,
    part: SourcePart,
) -> bool {
    let of_part = match part {
        SourcePart::Seq => SimilarPart::Seq,
        SourcePart::Mpi => SimilarPart::Mpi,
    };
    let is_login = |solution: &Solution, login: &str| {
        solution.login.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(login))
    };
    let are_meant = |one: &ConfirmedSimilarity, left: &Solution, right: &Solution| {
        let [first, second] = &one.logins;
        is_login(left, &first.0)
            && match &one.archive {
                None => right.origin != Origin::Archive && is_login(right, &second.0),
                Some(name) => right.origin == Origin::Archive && right.name == *name,
            }
    };
    confirmed.list.iter().any(|one| {
        (are_meant(one, left, right) || are_meant(one, right, left))
            && (one.assignment, one.variant, one.part) == (left.assignment, left.variant, of_part)
    })
}

impl Pair<'_> {
    fn name(&self) -> (String, String, SourcePart) {
        (self.left.name.clone(), self.right.name.clone(), self.part)
    }

    fn percent(&self) -> String {
        percent(self.similarity.containment())
    }

    fn state(&self, lang: Lang) -> String {
        if self.is_confirmed { text::confirmed(lang) } else { text::undecided(lang) }
    }
}

/// A share as a whole number of per cent, rounded down: 99.9 % is not all.
fn percent(share: f64) -> String {
    format!("{:.0}", (share * 100.0).floor())
}

fn part_title(part: SourcePart) -> &'static str {
    match part {
        SourcePart::Seq => "SEQ",
        SourcePart::Mpi => "MPI",
    }
}

fn print(pairs: &[Pair<'_>], compared: usize, lang: Lang) {
    let threshold = percent(THRESHOLD);
    match (compared, pairs.len()) {
        (0, _) => println!("{}", text::no_pairs(lang)),
        (_, 0) => println!("{}", text::none_similar(lang, compared, threshold)),
        (_, count) => {
            println!("{}", terminal::text(&table(pairs, false, lang)));
            println!("{}", text::some_similar(lang, compared, threshold, count));
            println!("{}", wrap(&text::note(lang), "", "", WIDTH));
        }
    }
}

/// The pairs; on the page each with its link, its other measure of likeness and the numbers of fingerprints.
fn table(pairs: &[Pair<'_>], is_page: bool, lang: Lang) -> Table {
    let only_page = |column: String| is_page.then(|| left(column));
    let columns = [
        Some(left(text::column_score(lang))),
        Some(left(text::column_variant(lang))),
        Some(left(text::column_part(lang))),
        Some(left(text::column_left(lang))),
        Some(left(text::column_right(lang))),
        only_page(text::column_resemblance(lang)),
        only_page(text::column_fingerprints(lang)),
        Some(left(text::column_state(lang))),
    ];
    let mut table = Table::new(columns.into_iter().flatten()).with_class("");
    for (number, pair) in (1..).zip(pairs.iter().take(SHOWN_MAX)) {
        let (score, similarity) = (format!("{} %", pair.percent()), &pair.similarity);
        let names = [&pair.left.name, &pair.right.name];
        let names = names.map(|name| if is_page { page::visible(name) } else { escaped_line(name).into() });
        let mut cells = vec![if is_page { page::link(number, &score, lang) } else { score.into() }];
        cells.push(format!("{}.{}", pair.left.assignment, pair.left.variant).into());
        cells.push(part_title(pair.part).into());
        cells.extend(names.map(Inline::from));
        if is_page {
            let Similarity { shared, left, right, .. } = similarity;
            cells.push(format!("{} %", percent(similarity.resemblance())).into());
            cells.push(format!("{shared} / {left}, {right}").into());
        }
        cells.push(pair.state(lang).into());
        table.row(cells);
    }
    table
}

/// The list and a page for each pair, in both languages.
fn write_pages(out: &Path, pairs: &[Pair<'_>]) -> Result<()> {
    fs::create_dir_all(out).map_err(CliError::system("create", out))?;
    let write = |name: String, content: String| {
        let path = out.join(name);
        fs::write(&path, content).map_err(CliError::system("write", &path))
    };
    let shown = &pairs[..pairs.len().min(SHOWN_MAX)];
    for lang in Lang::ALL {
        write(page::list_name(lang), page::list(shown, lang))?;
        for (number, pair) in shown.iter().enumerate() {
            write(page::pair_name(number + 1, lang), page::pair(pair, number + 1, lang))?;
        }
    }
    Ok(())
}

/// The answer with `--json`.
#[derive(Serialize)]
struct ComparisonRow<'a> {
    /// The number of pairs that were compared.
    compared: usize,
    /// The pairs at or above the threshold.
    pairs: Vec<PairRow<'a>>,
    skipped: Vec<Skipped<'a>>,
}

/// A pair in the answer with `--json`.
#[derive(Serialize)]
struct PairRow<'a> {
    assignment: u8,
    variant: u8,
    part: SourcePart,
    left: &'a str,
    right: &'a str,
    containment: f64,
    resemblance: f64,
    shared: usize,
    left_fingerprints: usize,
    right_fingerprints: usize,
    confirmed: bool,
}

impl<'a> PairRow<'a> {
    fn new(pair: &Pair<'a>) -> Self {
        Self {
            assignment: pair.left.assignment,
            variant: pair.left.variant,
            part: pair.part,
            left: &pair.left.name,
            right: &pair.right.name,
            containment: pair.similarity.containment(),
            resemblance: pair.similarity.resemblance(),
            shared: pair.similarity.shared,
            left_fingerprints: pair.similarity.left,
            right_fingerprints: pair.similarity.right,
            confirmed: pair.is_confirmed,
        }
    }
}
