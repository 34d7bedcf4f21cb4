//! Every public function of the crate of `World` is a verb that the rules know, or is known not to be one.
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use syn::{
    FnArg, ImplItemFn, ItemFn, ItemImpl, ItemMod, ItemTrait, Signature, TraitItemFn, Type, Visibility,
    visit::{self, Visit},
};
use wb_source::{
    SourceFile,
    rules::{self, RuleOptions, SourceRule},
};

/// The types whose methods are verbs.
const COMMUNICATORS: [&str; 4] = ["CartesianWorld", "GraphWorld", "InterWorld", "World"];

/// Methods of communicators that communicate nothing, or complete what others have started.
const SILENT: [&str; 37] = [
    "abort",
    "backend",
    "barriers",
    "broadcasts",
    "buffer_attach",
    "buffer_detach",
    "cart_coords",
    "cart_rank",
    "cart_shift",
    "chosen_barrier_name",
    "compare",
    "counts",
    "first_collective",
    "first_error",
    "grid",
    "group",
    "arrival_order",
    "has_received",
    "last_error_site",
    "name",
    "neighbours",
    "now",
    "rank",
    "reduce_local",
    "remote_group",
    "remote_size",
    "rounds",
    "set_name",
    "size",
    "start_all",
    "test_all",
    "test_any",
    "test_some",
    "wait_all",
    "wait_any",
    "wait_some",
    "work",
];

/// Methods of communicators that only the framework calls: the rule `around-world` finds them.
const OF_THE_FRAMEWORK: [&str; 6] =
    ["new", "record_stage", "stage_barrier", "traced", "traced_with", "transport"];

/// Types and traits of values that a verb makes. The verb is found, so their own methods need not be.
const MADE_BY_VERBS: [&str; 24] = [
    "AccessEpoch",
    "Accesses",
    "CollectiveOutput",
    "CollectiveRequest",
    "ExposureEpoch",
    "FenceEpoch",
    "File",
    "LockAllEpoch",
    "LockEpoch",
    "NamedBarrier",
    "PersistentCollective",
    "PersistentRecv",
    "PersistentRequest",
    "PersistentSend",
    "ProbedMessage",
    "Raw",
    "RecvLayoutRequest",
    "RecvRequest",
    "Request",
    "Requests",
    "SendRequest",
    "StartedOperation",
    "Ticket",
    "Window",
];

/// Types that do not communicate, and the empty name of functions without a type.
const LOCAL: [&str; 6] = ["", "CallLog", "CommStats", "Counts", "Group", "Rooted"];

/// Functions without a type, which do not communicate.
const LOCAL_FUNCTIONS: [&str; 2] = ["dims_create", "last_access_elsewhere"];

/// A function that is in no list would be a verb that no rule knows.
#[test]
fn every_public_function_is_a_verb_or_known_not_to_be_one() {
    let verbs: BTreeSet<_> = rules::WORLD_VERBS.iter().map(|verb| verb.name).collect();
    let (mut unknown, mut count) = (vec![], 0);
    for function in public_functions() {
        let PublicFunction { owner, name, .. } = &function;
        let (owner, name) = (owner.as_str(), name.as_str());
        let is_known = match owner {
            "" => LOCAL_FUNCTIONS.contains(&name),
            _ if COMMUNICATORS.contains(&owner) => {
                count += 1;
                let lists = [verbs.contains(name), SILENT.contains(&name), OF_THE_FRAMEWORK.contains(&name)];
                lists.into_iter().filter(|is_in| *is_in).count() == 1
            }
            _ => MADE_BY_VERBS.contains(&owner) != LOCAL.contains(&owner),
        };
        if !is_known {
            unknown.push(function);
        }
    }
    assert!(unknown.is_empty(), "in no list, or in two: {unknown:#?}");
    assert!(count > 150, "the search is broken: {count} methods");
}

/// A name that no function has would be a misspelt verb.
#[test]
fn every_name_of_the_lists_is_a_function_with_these_arguments() {
    let functions = public_functions();
    let of_communicators = || functions.iter().filter(|known| COMMUNICATORS.contains(&known.owner.as_str()));
    for verb in rules::WORLD_VERBS {
        let known: BTreeSet<_> =
            of_communicators().filter(|known| known.name == verb.name).map(|known| known.arguments).collect();
        assert_eq!(known, BTreeSet::from([verb.arguments]), "{}", verb.name);
    }
    for name in SILENT.iter().chain(&OF_THE_FRAMEWORK) {
        assert!(of_communicators().any(|known| known.name == *name), "{name}");
    }
    for owner in MADE_BY_VERBS.iter().chain(&LOCAL) {
        assert!(functions.iter().any(|known| known.owner == *owner), "{owner}");
    }
}

/// The search reads items. A method that a macro makes would not be among them.
#[test]
fn no_macro_makes_a_public_function() {
    let found: BTreeSet<_> = public_functions().into_iter().map(|known| (known.file, known.name)).collect();
    for (file, text) in sources() {
        for line in text.lines().map(str::trim_start) {
            let Some(rest) = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const fn "))
            else {
                continue;
            };
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').expect("a name ends");
            assert!(found.contains(&(file.clone(), rest[..end].to_owned())), "{}: {line}", file.display());
        }
    }
}

/// The rule finds every verb in the list that is neither a send nor a receive, and no other.
#[test]
fn every_collective_verb_is_found() {
    let options =
        RuleOptions { variant_rules: vec![SourceRule::SendAndReceiveOnly], ..RuleOptions::default() };
    for verb in rules::WORLD_VERBS {
        let arguments = vec!["1"; verb.arguments].join(", ");
        for call in [
            format!("fn f(world: &World) {{ world.{}({arguments}); }}", verb.name),
            format!("fn {0}() {{}} fn f(world: &World) {{ (world).{0}({arguments}); }}", verb.name),
            format!("const CALL: fn() = World::{};", verb.name),
        ] {
            let found = rules::check(&[SourceFile::new("src/mpi.rs", &*call)], &options);
            let count = found.iter().filter(|finding| finding.rule == SourceRule::SendAndReceiveOnly).count();
            assert_eq!(count, usize::from(verb.verb.is_collective()), "{call}");
        }
    }
}

/// A public function of the crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PublicFunction {
    /// The type or the trait that has it; empty for a function of a module.
    owner: String,
    name: String,
    /// The number of its parameters without `self`.
    arguments: usize,
    file: PathBuf,
}

/// The files below `framework/world/src` with their texts.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../world/src");
    let mut found = vec![];
    let mut open = vec![root.clone()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            found.push((path.strip_prefix(&root).expect("below the root").to_owned(), text));
        }
    }
    found
}

/// The public functions in all files below `framework/world/src`.
fn public_functions() -> Vec<PublicFunction> {
    let mut found = vec![];
    for (file, text) in sources() {
        let syntax = syn::parse_file(&text).expect("Rust");
        Finder { file, owner: String::new(), is_public: false, found: &mut found }.visit_file(&syntax);
    }
    found.sort();
    found
}

struct Finder<'a> {
    file: PathBuf,
    owner: String,
    /// Whether the functions of the block are public without `pub`.
    is_public: bool,
    found: &'a mut Vec<PublicFunction>,
}

impl Finder<'_> {
    fn add(&mut self, visibility: Option<&Visibility>, signature: &Signature) {
        if matches!(visibility, Some(Visibility::Public(_))) || self.is_public {
            let (owner, name) = (self.owner.clone(), signature.ident.to_string());
            let is_typed = |argument: &&FnArg| matches!(argument, FnArg::Typed(_));
            let arguments = signature.inputs.iter().filter(is_typed).count();
            self.found.push(PublicFunction { owner, name, arguments, file: self.file.clone() });
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.add(Some(&item.vis), &item.sig);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.add(Some(&item.vis), &item.sig);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.add(None, &item.sig);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        self.owner = type_name(&item.self_ty);
        visit::visit_item_impl(self, item);
        self.owner.clear();
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.owner = item.ident.to_string();
        self.is_public = matches!(item.vis, Visibility::Public(_));
        visit::visit_item_trait(self, item);
        (self.owner, self.is_public) = (String::new(), false);
    }
}

/// The last name of a type.
fn type_name(of: &Type) -> String {
    match of {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        Type::Reference(reference) => type_name(&reference.elem),
        _ => String::new(),
    }
}
