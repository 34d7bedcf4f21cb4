//! Rules that are checked by syntax.
//!
//! Most rules look at tokens and not at items, so that macros, attributes and `cfg`ed code hide nothing: the arguments of a macro
//! and the body of `macro_rules!` are tokens like all others. Comments, strings and documentation are not looked at.
//!
//! The list of what is allowed is closed where that is possible: the modules of `std`, the dependencies and the keys of `Cargo.toml`
//! are lists of allowed names, and everything else is a finding.

mod attributes;
mod call_arguments;
mod closures;
mod expression_types;
mod files;
mod finding;
mod functions;
mod implementations;
mod instructor;
mod macros;
mod manifest;
mod own_items;
mod paths;
mod rule;
mod sequential;
mod solution;
mod source_path;
mod standard_library;
mod verbs;
mod world_names;
mod world_verbs;

pub(crate) use functions::is_test_only;

pub use finding::SourceFinding;
pub use implementations::parallel_version;
pub use rule::SourceRule;
pub use world_verbs::{WORLD_VERBS, WorldVerb};

use wb_text::source as text;

use crate::source_file::{ParsedFile, SourceFile};
use finding::Place;

/// What a task may use besides the workbench, and the rules of its variant.
#[derive(Clone, Debug, Default)]
pub struct RuleOptions {
    /// The assignment's crate, if the variant has one.
    pub assignment_crate: Option<String>,
    /// Rules that only this variant has; those that are always on are added.
    pub variant_rules: Vec<SourceRule>,
    /// The files that the assignment lets its tasks read.
    pub files: Vec<String>,
    /// Symbolic links in the task's folder: their targets are not among the files.
    pub links: Vec<String>,
}

/// Checks the sources and the `Cargo.toml` of one task. The findings are sorted by file and line.
pub fn check(files: &[SourceFile], options: &RuleOptions) -> Vec<SourceFinding> {
    let mut found = vec![];
    let mut parsed = vec![];
    for file in files {
        match file.path.as_str() {
            "Cargo.toml" => manifest::check(file, options, &mut found),
            _ if file.is_rust() => match ParsedFile::parse(file) {
                Ok(file) => parsed.push(file),
                Err(failure) => {
                    let place = Place { file, line: failure.line, column: failure.column };
                    found.push(place.finding(SourceRule::Readable, "", text::not_rust(failure.message)));
                }
            },
            path if is_build_setting(path) => {
                let place = Place { file, line: 1, column: 1 };
                found.push(place.finding(SourceRule::Manifest, path, text::build_setting(path)));
            }
            _ => {}
        }
    }
    for link in &options.links {
        let file = &SourceFile::new(link, "");
        let place = Place { file, line: 1, column: 1 };
        found.push(place.finding(SourceRule::IncludedFiles, link, text::path_outside(link.as_str())));
    }
    check_parsed(&parsed, options, &mut found);
    found.sort_by(|a, b| a.order().cmp(&b.order()));
    found.dedup();
    found
}

fn check_parsed(files: &[ParsedFile<'_>], options: &RuleOptions, found: &mut Vec<SourceFinding>) {
    let own_modules = paths::own_modules(files);
    let own_macros = macros::own_macros(files);
    for file in files {
        if file.source.path == "build.rs" {
            let place = Place { file: file.source, line: 1, column: 1 };
            found.push(place.finding(SourceRule::Manifest, "build.rs", text::build_script()));
        }
        paths::check(file, &own_modules, found);
        macros::check(file, &own_macros, found);
        attributes::check(file, found);
        files::check(file, &options.files, found);
        instructor::check(file, options, found);
    }
    implementations::check(files, found);
    let world = world_names::WorldNames::new(files, !options.files.is_empty());
    verbs::check_bypass(files, &world, found);
    sequential::check(files, &world, found);
    for rule in &options.variant_rules {
        match rule {
            SourceRule::SendAndReceiveOnly => verbs::check_point_to_point(files, &world, found),
            SourceRule::NoTopologyCommunicators => verbs::check_topologies(files, found),
            _ => {}
        }
    }
}

/// Files that change how cargo or the compiler builds.
fn is_build_setting(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let in_cargo_folder = path.split('/').any(|part| part == ".cargo");
    in_cargo_folder || ["rust-toolchain", "rust-toolchain.toml", "clippy.toml", "Cargo.toml"].contains(&name)
}
