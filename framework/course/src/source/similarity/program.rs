//! A task as fingerprints of its two parts, and the code that every task has.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use syn::{
    Attribute, Block, ImplItemFn, ItemFn, ItemImpl, ItemMod, TraitItemFn,
    visit::{self, Visit},
};

use super::{
    fingerprints::{Fingerprints, MIN_FINGERPRINTS, PlacedCode},
    normal_form::{Normaliser, OwnFunction},
};
use crate::source::{SourceFile, SourcePart, source_file::ParsedFile};

/// A task that can be compared.
#[derive(Clone, Debug, Default)]
pub struct ComparedProgram {
    seq: PartFingerprints,
    mpi: PartFingerprints,
    unreadable: Vec<UnreadableFile>,
}

/// A file of the library that is not Rust, so it is not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadableFile {
    /// The file, below the task's folder.
    pub file: String,
    /// The line at which it stops being Rust, from 1.
    pub line: usize,
    /// Why.
    pub message: String,
}

/// One part of a task, with its statements as they are written and in the order of the normal form. A disguise changes one of them
/// more than the other.
#[derive(Clone, Debug, Default)]
pub struct PartFingerprints {
    /// Statements as they are written.
    pub written: Fingerprints,
    /// Statements that may change places in one order.
    pub ordered: Fingerprints,
}

impl PartFingerprints {
    /// Whether there are too few fingerprints for a score.
    pub fn is_too_short(&self) -> bool {
        self.len() < MIN_FINGERPRINTS
    }

    /// The number of fingerprints, in the order of statements that has more.
    pub fn len(&self) -> usize {
        self.written.len().max(self.ordered.len())
    }

    /// Whether there are no fingerprints.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn add(&mut self, sequence: &Sequence) {
        self.written.add(&sequence.written);
        self.ordered.add(&sequence.ordered);
    }

    fn subtract(&mut self, common: &Self) {
        self.written.subtract(&common.written);
        self.ordered.subtract(&common.ordered);
    }

    fn unite(&mut self, other: &Self) {
        self.written.unite(&other.written);
        self.ordered.unite(&other.ordered);
    }
}

/// The normal form of one function.
struct Sequence {
    written: Vec<PlacedCode>,
    ordered: Vec<PlacedCode>,
}

/// The fingerprints of code that is given to every student: template, assignments, examples.
#[derive(Clone, Debug, Default)]
pub struct CommonCode {
    fingerprints: PartFingerprints,
}

/// A function and where it is.
struct Found<'a> {
    name: String,
    block: &'a Block,
    file: u16,
    /// The trait of its `impl` block.
    of_trait: Option<String>,
}

impl ComparedProgram {
    /// Reads a task; files that are not Rust, tests and benches are left out.
    ///
    /// The functions of `seq.rs` and what they call belong to the sequential part, those of `mpi.rs` and what they call to the
    /// parallel part. Other functions that are not called belong to both.
    pub fn new(files: &[SourceFile], common: &CommonCode) -> Self {
        let mut program = Self { unreadable: unreadable_files(files), ..Self::default() };
        each_sequence(files, true, |file, sequence| {
            let name = files[usize::from(file)].path.rsplit('/').next().unwrap_or_default();
            if name != "mpi.rs" {
                program.seq.add(sequence);
            }
            if name != "seq.rs" {
                program.mpi.add(sequence);
            }
        });
        program.seq.subtract(&common.fingerprints);
        program.mpi.subtract(&common.fingerprints);
        program
    }

    /// The files that are not compared because they are not Rust.
    pub fn unreadable(&self) -> &[UnreadableFile] {
        &self.unreadable
    }

    /// The fingerprints of one part.
    pub fn part(&self, part: SourcePart) -> &PartFingerprints {
        match part {
            SourcePart::Seq => &self.seq,
            SourcePart::Mpi => &self.mpi,
        }
    }
}

fn unreadable_files(files: &[SourceFile]) -> Vec<UnreadableFile> {
    let failure = |file: &SourceFile| {
        let failure = ParsedFile::parse(file).err()?;
        Some(UnreadableFile {
            file: file.path.clone(),
            line: failure.line,
            message: failure.message.en.into_owned(),
        })
    };
    files.iter().filter(|file| file.is_library()).filter_map(failure).collect()
}

impl CommonCode {
    /// Adds the code of a crate that every student has.
    pub fn add(&mut self, files: &[SourceFile]) {
        let mut found = PartFingerprints::default();
        each_sequence(files, true, |_, sequence| found.add(sequence));
        each_sequence(files, false, |_, sequence| found.add(sequence));
        self.fingerprints.unite(&found);
    }
}

/// Calls `with` for the normal form of each function that no other one calls; with `is_whole` false for every function.
fn each_sequence(files: &[SourceFile], is_whole: bool, mut with: impl FnMut(u16, &Sequence)) {
    let library = files.iter().enumerate().filter(|(_, file)| file.is_library());
    let parsed: Vec<_> = library.filter_map(|(at, file)| Some((at, ParsedFile::parse(file).ok()?))).collect();
    let mut found = vec![];
    for (at, file) in &parsed {
        let Ok(file_index) = u16::try_from(*at) else { continue };
        let mut collector = Collector { file: file_index, of_trait: None, found: &mut found };
        collector.visit_file(&file.syntax);
    }
    let own: BTreeMap<String, OwnFunction<'_>> = match is_whole {
        false => BTreeMap::new(),
        true => {
            let inherent = found.iter().filter(|function| function.of_trait.is_none());
            inherent.map(|function| (function.name.clone(), function.own())).collect()
        }
    };
    let mut sequences = vec![];
    let mut called = BTreeSet::new();
    for function in &found {
        let written = Normaliser::new(&own, false).codes(function.own(), &function.name);
        let mut normaliser = Normaliser::new(&own, true);
        let ordered = normaliser.codes(function.own(), &function.name);
        called.extend(normaliser.called.into_iter().filter(|name| *name != function.name));
        sequences.push(Sequence { written, ordered });
    }
    for (function, codes) in found.iter().zip(&sequences) {
        let is_root = function.of_trait.as_deref() == Some("Task");
        if !is_whole || is_root || function.of_trait.is_none() && !called.contains(&function.name) {
            with(function.file, codes);
        }
    }
}

impl Found<'_> {
    fn own(&self) -> OwnFunction<'_> {
        OwnFunction { block: self.block, file: self.file }
    }
}

struct Collector<'a, 'b> {
    file: u16,
    of_trait: Option<String>,
    found: &'b mut Vec<Found<'a>>,
}

impl<'a> Collector<'a, '_> {
    fn add(&mut self, name: &syn::Ident, block: &'a Block) {
        let (file, of_trait) = (self.file, self.of_trait.clone());
        self.found.push(Found { name: name.to_string(), block, file, of_trait });
    }
}

impl<'a> Visit<'a> for Collector<'a, '_> {
    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        if !is_test_only(&item.attrs) {
            let outer = self.of_trait.take();
            self.add(&item.sig.ident, &item.block);
            visit::visit_item_fn(self, item);
            self.of_trait = outer;
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        self.add(&item.sig.ident, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'a TraitItemFn) {
        if let Some(block) = &item.default {
            self.add(&item.sig.ident, block);
        }
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        let path = item.trait_.as_ref().map(|(_, path, _)| path);
        let last = path.and_then(|path| path.segments.last()).map(|segment| segment.ident.to_string());
        let outer = std::mem::replace(&mut self.of_trait, last);
        visit::visit_item_impl(self, item);
        self.of_trait = outer;
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_test_only(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

/// Whether the item is compiled for tests only.
fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |list: &syn::MetaList| list.path.is_ident("cfg") && list.tokens.to_string() == "test";
        attribute.path().is_ident("test") || attribute.meta.require_list().is_ok_and(is_test)
    })
}
