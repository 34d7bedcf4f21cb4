//! The verbs of `World`, its requests and its windows, from their descriptions and their sources: name, signature, the function of MPI that
//! the documentation names, and the laws that call them.
use std::fs;

use wb_comm::Verb;
use wb_messages::Lang;

use crate::sources::root;

/// The description of most collective verbs, which [`wb_world::collective::VERBS`] has as values.
const DESCRIPTION: &str = "collective/verbs.rs";

/// Where verbs are defined. `window/raw.rs` has the same ones without guards.
const SOURCES: &[&str] = &[
    "world/point_to_point.rs",
    "world/sends.rs",
    "world/matched_probe.rs",
    "world/layouts.rs",
    "recv_layout_request.rs",
    "world.rs",
    "world/communicators.rs",
    "file.rs",
    "group.rs",
    "intercommunicator.rs",
    "intercommunicator/creation.rs",
    "topology.rs",
    "collective.rs",
    DESCRIPTION,
    "collective/layouts.rs",
    "nonblocking.rs",
    "request/send.rs",
    "request/receive.rs",
    "request/collective.rs",
    "completion.rs",
    "persistent.rs",
    "persistent/send.rs",
    "persistent/receive.rs",
    "persistent/collective.rs",
    "window.rs",
    "window/guard.rs",
    "window/access.rs",
];

/// Where laws call them, on every backend.
const LAWS: &[&str] = &["tests/src/laws", "tests/src/epochs"];

/// One call of every verb, each below a comment that names it.
const EXAMPLES: &[&str] = &[
    "tests/src/laws/verb_examples.rs",
    "tests/src/laws/topology_examples.rs",
    "tests/src/laws/request_examples.rs",
    "tests/src/laws/group_examples.rs",
    "tests/src/laws/data_examples.rs",
    "tests/src/laws/file_examples.rs",
];

/// The verbs that return before what they start is complete.
const IMMEDIATE: &[&str] = &[
    "compare",
    "set_name",
    "name",
    "group",
    "remote_size",
    "remote_group",
    "size",
    "rank",
    "incl",
    "excl",
    "range_incl",
    "range_excl",
    "union",
    "intersection",
    "difference",
    "translate_ranks",
    "isend",
    "issend",
    "ibsend",
    "irsend",
    "bsend",
    "buffer_attach",
    "irecv",
    "isend_layout",
    "irecv_layout",
    "iprobe",
    "improbe",
    "send_init",
    "ssend_init",
    "bsend_init",
    "rsend_init",
    "recv_init",
    "start",
    "start_all",
    "neighbours",
    "grid",
    "cart_coords",
    "cart_rank",
    "cart_shift",
    "cancel",
    "test",
    "test_all",
    "test_any",
    "test_some",
    "post",
    "put",
    "get",
    "accumulate",
    "get_accumulate",
    "fetch_and_op",
    "compare_and_swap",
    "reduce_local",
];

/// Verbs of the sources of collectives that a rank calls by itself: the other ranks need not call them, or may call them in another order.
const OF_ONE_RANK: &[(&str, &str)] =
    &[("World", "reduce_local"), ("PersistentCollective", "test"), ("PersistentCollective", "wait")];

/// The class of a verb that starts a collective operation, in English and in Russian.
const STARTS_COLLECTIVE: [&str; 2] = ["collective, returns immediately", "коллективная, возвращается сразу"];

/// One verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerbInfo {
    /// The type that has it: `World`, `SendRequest`, `Window`, ...
    pub on: String,
    /// The name of the verb.
    pub name: String,
    /// The text between `pub fn` and the body, in one line.
    pub signature: String,
    /// The function of MPI.
    pub mpi: String,
    /// Must every rank call it?
    pub collective: bool,
    /// The files of laws that call it.
    pub laws: Vec<String>,
    /// A statement that calls it; `None` where the examples have none.
    pub example: Option<String>,
}

impl VerbInfo {
    /// "collective", "returns immediately", both, or "waits", in the reader's language.
    pub fn kind(&self, lang: Lang) -> &'static str {
        // The form with displacements has the name of the other one and `_at`.
        let name = self.name.trim_end_matches("_at");
        let starts = Verb::ALL.iter().any(|verb| verb.name() == name && verb.starts_collective());
        let [english, russian] = match (self.collective, IMMEDIATE.contains(&self.name.as_str())) {
            _ if self.signature.ends_with("-> !") => ["ends the job", "завершает задание"],
            _ if starts => STARTS_COLLECTIVE,
            (true, true) => STARTS_COLLECTIVE,
            (true, false) => ["collective", "коллективная"],
            (false, true) => ["returns immediately", "возвращается сразу"],
            (false, false) => ["waits", "ждёт"],
        };
        match lang {
            Lang::En => english,
            Lang::Ru => russian,
        }
    }
}

/// All verbs, in the order of the sources.
///
/// # Panics
/// When a source cannot be read.
pub fn all() -> Vec<VerbInfo> {
    let laws = laws();
    let read = |file: &&str| fs::read_to_string(root().join(file)).expect("the examples are there");
    let examples: String = EXAMPLES.iter().map(read).collect();
    let of_file = |file: &&str| {
        if *file == DESCRIPTION {
            let described = wb_world::collective::VERBS.iter();
            return described.filter_map(|it| verb(it.on, it.signature, it.doc, true, &laws)).collect();
        }
        let path = root().join("framework/world/src").join(file);
        let text = fs::read_to_string(path).expect("the sources of the verbs are there");
        verbs(
            &text,
            file.starts_with("collective") || ["nonblocking.rs", "persistent/collective.rs"].contains(file),
            &laws,
        )
    };
    let mut verbs: Vec<_> = SOURCES.iter().flat_map(of_file).collect();
    for verb in &mut verbs {
        verb.example = example(&examples, &verb.on, &verb.name);
    }
    verbs
}

/// The whole statement below the comment that names the verb, in one line.
pub fn example(examples: &str, on: &str, name: &str) -> Option<String> {
    let mark = format!("// {on}::{name}");
    let mut lines = examples.lines().skip_while(|line| line.trim() != mark).skip(1);
    let mut statement = lines.next()?.trim().to_owned();
    loop {
        let is_closed = open_brackets(&statement) == 0;
        if is_closed && statement.ends_with([';', '}']) {
            return Some(statement);
        }
        let line = lines.next()?.trim();
        // The end of the function: the statement is its result.
        if is_closed && line == "}" {
            return Some(statement);
        }
        if statement.ends_with('{') || line.starts_with('}') {
            statement.push(' ');
        }
        statement += line;
    }
}

/// How many brackets are opened and not closed.
fn open_brackets(statement: &str) -> usize {
    let count = |brackets: [char; 3]| statement.matches(brackets).count();
    count(['(', '[', '{']).saturating_sub(count([')', ']', '}']))
}

/// The function with this name and the comments above it, as the source has it.
pub fn function(source: &str, name: &str) -> Option<String> {
    let head = format!("fn {name}(");
    let lines: Vec<_> = source.lines().collect();
    let start = lines.iter().position(|line| line.starts_with(&head))?;
    let comments = lines[..start].iter().rev().take_while(|line| line.starts_with("///")).count();
    let end = start + lines[start..].iter().position(|&line| line == "}")?;
    Some(lines[start - comments..=end].join("\n") + "\n")
}

/// Every file of laws with its text.
fn laws() -> Vec<(String, String)> {
    let folders = LAWS.iter().map(|folder| root().join(folder));
    let files = folders.flat_map(|folder| fs::read_dir(folder).expect("the laws are there"));
    let mut laws: Vec<_> = files
        .map(|file| {
            let path = file.expect("the laws can be read").path();
            let name = path.strip_prefix(root()).expect("below the root").display().to_string();
            (name, fs::read_to_string(&path).expect("the laws can be read"))
        })
        // An example is not a law: it shows a call and promises little.
        .filter(|(name, _)| !EXAMPLES.contains(&name.as_str()))
        .collect();
    laws.sort();
    laws
}

/// The verbs of one source: public methods whose documentation names a function of MPI.
pub fn verbs(source: &str, collective: bool, laws: &[(String, String)]) -> Vec<VerbInfo> {
    let (mut found, mut on, mut doc) = (vec![], String::new(), String::new());
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix("impl").and_then(|head| head.strip_suffix(" {")) {
            on = type_of(head);
        } else if let Some(text) = line.trim_start().strip_prefix("///") {
            doc += text;
        } else if let Some(head) = line.strip_prefix("    pub fn ") {
            let mut head = head.to_owned();
            while !head.contains('{') {
                head += &format!(" {}", lines.next().unwrap_or("{").trim());
            }
            found.extend(verb(&on, &head, &doc, collective, laws));
            doc.clear();
        } else if !line.trim_start().starts_with("#[") {
            doc.clear();
        }
    }
    found
}

/// `<'w, T: Wire> Access<'w, T>` is `Access`; of a trait for a type, the type.
fn type_of(head: &str) -> String {
    let head = head.rsplit(" for ").next().unwrap_or(head);
    let words = head.split("> ").last().unwrap_or(head);
    words.trim().split('<').next().unwrap_or_default().to_owned()
}

fn verb(on: &str, head: &str, doc: &str, collective: bool, laws: &[(String, String)]) -> Option<VerbInfo> {
    let after = &doc[doc.find("`MPI_")? + 1..];
    let mpi = after.split('`').next()?.to_owned();
    let name: String = head.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let signature = head.split('{').next()?.trim().replace("( ", "(").replace(", )", ")");
    let calls = [format!(".{name}("), format!(".{name}::<")];
    let calling = laws.iter().filter(|(_, text)| calls.iter().any(|call| text.contains(call)));
    let laws = calling.map(|(file, _)| file.clone()).collect();
    let collective = (collective || doc.trim_start().starts_with("Collective"))
        && !OF_ONE_RANK.contains(&(on, name.as_str()));
    Some(VerbInfo { on: on.to_owned(), name, signature, mpi, collective, laws, example: None })
}
