//! Rules that are checked by syntax.
//!
//! Most rules look at tokens and not at items, so that macros, attributes and `cfg`ed code hide nothing: the arguments of a macro
//! and the body of `macro_rules!` are tokens like all others. Comments, strings and documentation are not looked at.
//!
//! The list of what is allowed is closed where that is possible: of `std` the allowed modules are listed, and everything else is a finding.
//! Which verbs a version may call is counted where it runs.

mod attributes;
mod finding;
mod instructor;
mod macros;
mod paths;
mod rule;
mod source_path;
mod standard_library;

use finding::Place;
pub use finding::SourceFinding;
pub use rule::SourceRule;
use wb_text::source as text;

use crate::source::{
    source_file::{ParsedFile, SourceFile},
    token::{Token, TokenKind},
};

/// Checks the graded sources of one task. `links` are symbolic links among them, whose targets are not read; `has_files` says whether its
/// assignment has files, which are then the only ones that can be opened. The findings are sorted by file and line.
pub fn check(files: &[SourceFile], links: &[String], has_files: bool) -> Vec<SourceFinding> {
    let (mut found, mut parsed) = (vec![], vec![]);
    for file in files.iter().filter(|file| file.is_rust()) {
        match ParsedFile::parse(file) {
            Ok(file) => parsed.push(file),
            Err(failure) => {
                let place = Place { file, line: failure.line, column: failure.column };
                found.push(place.finding(SourceRule::Readable, "", text::not_rust(failure.message)));
            }
        }
    }
    for link in links {
        let file = &SourceFile::new(link, "");
        let place = Place { file, line: 1, column: 1 };
        found.push(place.finding(SourceRule::IncludedFiles, link, text::path_outside(link.as_str())));
    }
    let own_modules = paths::own_modules(&parsed);
    let own_macros = macros::own_macros(&parsed);
    for file in &parsed {
        paths::check(file, &own_modules, &mut found);
        macros::check(file, &own_macros, &mut found);
        attributes::check(file, &mut found);
        instructor::check(file, &mut found);
        if !has_files {
            check_files(file, &mut found);
        }
    }
    found.sort_by(|a, b| a.order().cmp(&b.order()));
    found.dedup();
    found
}

/// Finds the verb that opens a file.
fn check_files(file: &ParsedFile<'_>, found: &mut Vec<SourceFinding>) {
    let is_part = |before: &Token| before.is_mark('.') || before.kind == TokenKind::PathSeparator;
    let verbs = file.tokens.windows(2).filter(|pair| is_part(&pair[0]) && pair[1].is_word("file_open"));
    found.extend(verbs.map(|pair| {
        let place = Place::of(file.source, &pair[1]);
        place.finding(SourceRule::System, "file_open", text::system("file_open"))
    }));
}

/// File and line of the parallel version, `impl Task for Mpi`.
pub fn parallel_version(files: &[SourceFile]) -> Option<(String, usize)> {
    let is_version =
        |three: &&[Token]| ["Task", "for", "Mpi"].iter().zip(*three).all(|(word, token)| token.is_word(word));
    let library = files.iter().filter(|file| file.is_library() && file.is_rust());
    library.filter_map(|file| ParsedFile::parse(file).ok()).find_map(|file| {
        let line = file.tokens.windows(3).find(is_version)?[0].start.line;
        Some((file.source.path.clone(), line))
    })
}
