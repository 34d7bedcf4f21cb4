//! The documents are compared with the code that their tables, pages and paths come from.
use std::{collections::BTreeSet, fmt::Write, fs};

use wb_algorithms::{
    barriers::{ArrivalScope, BarrierEntry, Family, GroupConfig, Guarantee, catalogue, proof::prove},
    collectives::{
        Broadcast,
        broadcast::{self, Extent},
        shared_memory::{self, SegmentLayout, SharedAlgorithm, SharedExtent},
    },
};
use wb_comm::Code;
use wb_messages::{Lang, barriers, pages as codes};
use wb_tests::{
    bug_programs::{self, BugProgram, DetectedBy, processes::detectable},
    generated_parts::{check_document, check_part, difference, with_part},
    paths,
    sources::root,
    verbs::{self, VerbInfo},
    wrong_barriers,
};

const SIZE: usize = 8;

/// The text of the reader's language.
fn either<'a>(lang: Lang, english: &'a str, russian: &'a str) -> &'a str {
    match lang {
        Lang::En => english,
        Lang::Ru => russian,
    }
}

/// The page of a language.
fn page(lang: Lang, name: &str) -> String {
    either(lang, "docs/", "docs/ru/").to_owned() + name
}

#[test]
fn the_catalogue_in_the_documents_is_the_catalogue() {
    for lang in Lang::ALL {
        let heading = either(
            lang,
            "| name | family | guarantee | messages | rounds | hops | runs on | what it does | source | § |",
            "| имя | семейство | гарантия | сообщений | раундов | шагов | на чём | что делает | источник | § |",
        );
        let mut table = format!("{heading}\n|---|---|---|--:|--:|--:|---|---|---|---|\n");
        for entry in catalogue::all() {
            writeln!(table, "{}", row(entry, lang)).expect("a string");
        }
        check_part(&page(lang, "barriers.md"), "catalogue", &table);
    }
}

/// The family in the reader's language; in English its name in the code.
fn family(entry: &BarrierEntry, lang: Lang) -> String {
    match (lang, entry.family) {
        (Lang::En, family) => family.name().to_owned(),
        (_, Family::TwoSided) => barriers::family_two_sided(lang),
        (_, Family::OneSided) => barriers::family_one_sided(lang),
        (_, Family::Ascend) => "Ascend".to_owned(),
        (_, Family::Partial) => barriers::family_partial(lang),
        (_, Family::ControlNetwork) => barriers::family_control_network(lang),
        (_, Family::Hierarchical) => barriers::family_hierarchical(lang),
        (_, Family::SharedMemory) => barriers::family_shared_memory(lang),
        (_, Family::Rma) => "RMA".to_owned(),
        (_, Family::Native) => barriers::family_native(lang),
        (_, Family::Wrong) => barriers::family_wrong(lang),
    }
}

fn row(entry: &BarrierEntry, lang: Lang) -> String {
    let [messages, rounds, hops] = costs(entry).map(|cost| cost.map_or("-".to_owned(), |n| n.to_string()));
    let substrates: Vec<_> = entry.substrates().iter().map(|substrate| substrate.name()).collect();
    format!(
        "| `{}` | {} | {} | {messages} | {rounds} | {hops} | {} | {} | {} | {} |",
        entry.name,
        family(entry, lang),
        guarantee_text(entry.guarantee, lang),
        substrates.join(", "),
        entry.summary.in_language(lang),
        entry.source.replace('|', "\\|"),
        entry.section,
    )
}

/// Messages, rounds and hops: counted from the plan where there is one, else by the formula; nothing where the barrier is
/// not defined for the size.
fn costs(entry: &BarrierEntry) -> [Option<usize>; 3] {
    let cost = match entry.plans(&GroupConfig::new(SIZE)) {
        Some(plans) => plans.ok().and_then(|plans| prove(&plans).ok()),
        None => entry.cost.map(|formula| formula(SIZE)),
    };
    cost.map_or([None; 3], |cost| [Some(cost.messages), cost.rounds, cost.hops])
}

fn guarantee_text(promise: Guarantee, lang: Lang) -> &'static str {
    match (promise.memory, promise.scope) {
        (false, ArrivalScope::Group) => either(lang, "rendezvous", "встреча"),
        (true, ArrivalScope::Group) => either(lang, "rendezvous, memory", "встреча, память"),
        (false, ArrivalScope::Neighbours) => either(lang, "neighbours", "соседи"),
        (true, ArrivalScope::Neighbours) => either(lang, "neighbours, memory", "соседи, память"),
    }
}

#[test]
fn the_broadcasts_in_the_documents_are_those_of_the_catalogue() {
    let extent = Extent { size: SIZE, count: 65_536, segment: broadcast::default_segment(1) };
    let file = "framework/algorithms/src/collectives/broadcast/catalogue/linear.rs";
    let text = fs::read_to_string(root().join(file)).expect("the file is there");
    for lang in Lang::ALL {
        let heading = either(
            lang,
            "| name | messages | rounds | what it does | source | § |",
            "| имя | сообщений | раундов | что делает | источник | § |",
        );
        let mut table = format!("{heading}\n|---|--:|--:|---|---|---|\n");
        for Broadcast { name, messages, rounds, summary, source, section, .. } in broadcast::all() {
            let rounds = rounds(extent).map_or("-".to_owned(), |rounds| rounds.to_string());
            let (messages, summary) = (messages(extent), summary.in_language(lang));
            writeln!(table, "| `{name}` | {messages} | {rounds} | {summary} | {source} | {section} |")
                .expect("a string");
        }
        let page = page(lang, "broadcasts.md");
        check_part(&page, "catalogue", &table);
        check_part(&page, &format!("file {file}"), &format!("```rust,ignore\n{text}```\n"));
    }
}

#[test]
fn the_algorithms_in_shared_memory_in_the_documents_are_those_of_the_catalogue() {
    let extent = SharedExtent { size: 4, bytes: 1024, layout: SegmentLayout::for_ranks(4) };
    let file = "framework/algorithms/src/collectives/shared_memory/catalogue/bcast_flat.rs";
    let text = fs::read_to_string(root().join(file)).expect("the file is there");
    for lang in Lang::ALL {
        let heading = either(
            lang,
            "| name | operations | written | read | what it does | source |",
            "| имя | операции | запись | чтение | что делает | источник |",
        );
        let mut table = format!("{heading}\n|---|---|--:|--:|---|---|\n");
        for SharedAlgorithm { name, verbs, source, summary, lines, .. } in shared_memory::all() {
            let verbs: Vec<_> = verbs.iter().map(|verb| format!("`{verb}`")).collect();
            let (verbs, lines, summary) = (verbs.join(", "), lines(extent), summary.in_language(lang));
            let (written, read) = (lines.written, lines.read);
            writeln!(table, "| `{name}` | {verbs} | {written} | {read} | {summary} | {source} |")
                .expect("a string");
        }
        let page = page(lang, "collectives.md");
        check_part(&page, "catalogue", &table);
        check_part(&page, &format!("file {file}"), &format!("```rust,ignore\n{text}```\n"));
    }
}

#[test]
fn the_words_of_the_example_trace_are_those_of_the_command() {
    for lang in Lang::ALL {
        let message = wb_report::trace::terminal(&wb_record::example_trace(), lang);
        let message = message.expect("the example is sound");
        check_part(&page(lang, "tracing.md"), "example", &format!("```text\n{message}```\n"));
    }
}

#[test]
fn the_screen_in_the_documents_is_that_of_a_committed_run() {
    let task = "example_p_matmul_strips";
    let file = root().join("reports").join(task).join("records.jsonl");
    let records = wb_record::read_all(&fs::read_to_string(file).expect("the records are there"));
    let records = records.expect("the records are valid");
    for lang in Lang::ALL {
        let end = format!("reports/{task}/{}", either(lang, "report.html", "report.ru.html"));
        let block = format!("```text\n{}```\n", wb_report::screen(&records, &end, lang));
        check_part(&page(lang, "student.md"), "screen", &block);
        if lang == Lang::En {
            check_part("README.md", "screen", &block);
        }
    }
}

#[test]
fn the_walk_through_shows_a_file_that_exists() {
    let file = "framework/algorithms/src/barriers/catalogue/pattern/all_to_all.rs";
    let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
    for lang in Lang::ALL {
        let block = format!("```rust,ignore\n{text}```\n");
        check_part(&page(lang, "barriers.md"), &format!("file {file}"), &block);
    }
}

/// The Russian page repeats the table that `architecture.rs` reads.
#[test]
fn the_dependency_table_is_the_same_in_both_languages() {
    let text = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the document is there");
    let (_, after) = text.split_once("<!-- dependency-table -->\n").expect("the marker is there");
    let rows: Vec<_> = after.lines().take_while(|line| line.starts_with('|')).skip(2).collect();
    assert!(rows.len() > 20, "the search is broken: {rows:?}");
    let table = format!("| крейт | может зависеть от |\n|---|---|\n{}\n", rows.join("\n"));
    check_part("docs/ru/ARCHITECTURE.md", "dependency-table", &table);
}

#[test]
fn the_page_of_wrong_barriers_shows_every_one_and_its_smallest_trace() {
    let traces = wrong_barriers::traces();
    assert!(traces.len() > 25, "the search is broken: {traces:?}");
    check_document("docs/barriers/wrong.md", &wrong_barriers::english_page(&traces));
    let russian = "docs/ru/barriers/wrong.md";
    check_part(russian, "faults", &wrong_barriers::faults(Lang::Ru));
    for (name, trace) in &traces {
        check_part(russian, &format!("trace {name}"), trace.in_language(Lang::Ru));
    }
}

#[test]
fn the_codes_in_the_documents_are_the_codes() {
    for lang in Lang::ALL {
        let heading = either(lang, "| code | what it is |", "| код | что это |");
        let mut table = format!("{heading}\n|---|---|\n");
        for &code in Code::ALL {
            writeln!(table, "| {code} | {} |", codes::page(code).title.in_language(lang)).expect("a string");
        }
        check_part(&page(lang, "hygiene.md"), "codes", &table);
    }
}

/// The table of what does not compile names every misuse that is tested, and no other.
#[test]
fn the_misuses_in_the_documents_are_those_that_do_not_compile() {
    let text = fs::read_to_string(root().join("docs/hygiene.md")).expect("the document is there");
    let named =
        text.lines().filter_map(|line| line.strip_suffix("` |")?.rsplit_once("| `").map(|(_, file)| file));
    let named: BTreeSet<_> = named.map(str::to_owned).collect();
    let folder =
        fs::read_dir(root().join("framework/world/tests/compile_fail")).expect("the folder is there");
    let names = folder.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    let wrong = names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned));
    assert_eq!(named, wrong.filter(|name| name.starts_with("wrong_")).collect());
}

#[test]
fn the_verbs_in_the_documents_are_those_of_the_world_and_each_has_a_law_and_an_example() {
    let verbs = verbs::all();
    assert!(verbs.len() > 50, "the search is broken: {verbs:?}");
    let names = |without: fn(&&VerbInfo) -> bool| -> Vec<_> {
        let verbs = verbs.iter().filter(without);
        verbs.map(|verb| format!("{}::{}", verb.on, verb.name)).collect()
    };
    let without = names(|verb| verb.laws.is_empty());
    assert!(without.is_empty(), "write a law in tests/src/laws or tests/src/epochs that calls {without:?}");
    let without = names(|verb| verb.example.is_none());
    assert!(without.is_empty(), "write an example in tests/src/laws/*_examples.rs of {without:?}");
    for lang in Lang::ALL {
        let heading =
            either(lang, "| on | verb | MPI | | example |", "| у чего | операция | MPI | | пример |");
        let mut table = format!("{heading}\n|---|---|---|---|---|\n");
        for verb in &verbs {
            let (kind, signature) = (verb.kind(lang), verb.signature.replace('|', "\\|"));
            let example = verb.example.as_deref().unwrap_or_default().replace('|', "\\|");
            writeln!(table, "| `{}` | `{signature}` | `{}` | {kind} | `{example}` |", verb.on, verb.mpi)
                .expect("a string");
        }
        check_part(&page(lang, "world.md"), "verbs", &table);
    }
}

#[test]
fn the_repeated_halo_exchange_of_the_documents_is_a_law() {
    let file = "tests/src/laws/request_examples.rs";
    let text = fs::read_to_string(root().join(file)).expect("the file is there");
    let function = verbs::function(&text, "smooth").expect("the function is there");
    for lang in Lang::ALL {
        check_part(&page(lang, "world.md"), "example smooth", &format!("```rust,ignore\n{function}```\n"));
    }
}

#[test]
fn a_verb_that_one_rank_calls_by_itself_is_not_collective() {
    let verbs = verbs::all();
    let kind = |on: &str, name: &str| {
        let verb = verbs.iter().find(|verb| verb.on == on && verb.name == name).expect("the verb is there");
        verb.kind(Lang::En)
    };
    assert_eq!(kind("World", "reduce_local"), "returns immediately");
    assert_eq!(kind("PersistentCollective", "start"), "collective, returns immediately");
    assert_eq!(kind("PersistentCollective", "test"), "returns immediately");
    assert_eq!(kind("PersistentCollective", "wait"), "waits");
    assert_eq!(kind("World", "allreduce"), "collective");
}

#[test]
fn canary_a_verb_without_a_law_is_noticed() {
    let source = "impl<'w, T: Wire> Access<'w, T> {\n    /// Collective: it is new (`MPI_New`).\n    #[track_caller]\n    \
                  pub fn novel<T>(\n        &self,\n    ) -> Result<()> {\n";
    let laws = [("tests/src/laws/a.rs".to_owned(), "world.known(1)".to_owned())];
    let [verb] = &verbs::verbs(source, false, &laws)[..] else { panic!("one verb") };
    assert_eq!((verb.on.as_str(), verb.name.as_str(), verb.mpi.as_str()), ("Access", "novel", "MPI_New"));
    assert_eq!(
        (verb.signature.as_str(), verb.kind(Lang::En)),
        ("novel<T>(&self) -> Result<()>", "collective")
    );
    assert!(verb.laws.is_empty());
    assert_eq!(verbs::verbs(&source.replace("novel", "known"), false, &laws)[0].laws.len(), 1);
    let examples = "    // A::b\n    let x = a\n        .b()?;\n    // A::c\n    a.c()\n}\n    // A::e\n    while a.e() {}\n    \
                    // A::f\n    if a.f() {\n        g()\n    }\n    h();\n";
    let [b, c, d, e, f] = ["b", "c", "d", "e", "f"].map(|name| verbs::example(examples, "A", name));
    assert_eq!(b.as_deref(), Some("let x = a.b()?;"));
    assert_eq!((c.as_deref(), d), (Some("a.c()"), None));
    assert_eq!((e.as_deref(), f.as_deref()), (Some("while a.e() {}"), Some("if a.f() { g() }")));
}

#[test]
fn every_path_that_a_document_names_exists() {
    let missing = paths::missing();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn canary_a_path_that_does_not_exist_is_noticed() {
    let text = "See `framework/comm/src/nowhere.rs` and `docs/*.md`, [this](nowhere.md#a), [that](student.md).\n\
                ```text\n`tests/nothing`\n```\n`tests/tests/barriers.rs` is a folder, `tasks/TASK/report.md` any task's.";
    let found = paths::missing_in(text, std::path::Path::new("docs"));
    assert_eq!(found, ["nowhere.md", "framework/comm/src/nowhere.rs", "tests/tests/barriers.rs"]);
}

#[test]
fn canary_a_part_that_is_missing_or_different_is_noticed() {
    let text = "before\n<!-- part -->\nold\n<!-- /part -->\nafter\n";
    assert_eq!(
        with_part(text, "part", "new\n").as_deref(),
        Some("before\n<!-- part -->\nnew\n<!-- /part -->\nafter\n")
    );
    assert_eq!(with_part(text, "part", "old\n").as_deref(), Some(text));
    assert_eq!(with_part(text, "another", ""), None);
}

#[test]
fn the_rows_that_differ_are_named() {
    let rows = |names: &[&str]| names.iter().map(|name| format!("| `{name}` |\n")).collect::<String>();
    let shown = difference(&rows(&["old", "same"]), &rows(&["same", "new"]));
    assert_eq!(shown, "  - | `old` |\n  + | `new` |");
    assert!(difference("a\nb\n", "b\na\n").contains("in another order"));
    let many: String = (0..25).map(|row| format!("{row}\n")).collect();
    assert!(difference("", &many).ends_with("\n  + 19\n  and 5 lines more"));
}

#[test]
fn what_finds_what_is_what_the_zoo_declares() {
    for lang in Lang::ALL {
        let heading = either(
            lang,
            "| code | programs | threads, virtual time | real MPI | all orders |",
            "| код | программ | потоки, виртуальное время | настоящий MPI | все порядки |",
        );
        let mut table = format!("{heading}\n|---|--:|---|---|---|\n");
        for &code in Code::ALL {
            let with: Vec<_> = bug_programs::all()
                .iter()
                .filter(|program| program.expected.iter().any(|mark| mark.code == code))
                .collect();
            if !with.is_empty() {
                let (threads, real) = finders(code, &with, lang);
                let (count, yes) = (with.len(), either(lang, "yes", "да"));
                writeln!(table, "| {code} | {count} | {threads} | {real} | {yes} |").expect("a string");
            }
        }
        check_part(&page(lang, "hygiene.md"), "found", &table);
    }
}

/// How many of the programs with a code are found on threads, and how many on real ranks.
fn finders(code: Code, with: &[&BugProgram], lang: Lang) -> (String, String) {
    if code == Code::BufferDependence {
        let threads = either(lang, "without buffers", "без буферов");
        return (
            threads.to_owned(),
            either(lang, "a hang, or replayed", "зависание или по воспроизведению").to_owned(),
        );
    }
    let by = |detected: &dyn Fn(&BugProgram) -> bool| {
        found(with.iter().filter(|program| detected(program)).count(), with.len(), lang)
    };
    let a_run_shows = |program: &BugProgram| program.detected_by == DetectedBy::Run;
    (by(&a_run_shows), by(&|program| a_run_shows(program) && detectable(program).is_wrong()))
}

fn found(detected: usize, all: usize, lang: Lang) -> String {
    match detected {
        0 => either(lang, "no", "нет").to_owned(),
        _ if detected == all => either(lang, "yes", "да").to_owned(),
        _ => format!("{detected} {} {all}", either(lang, "of", "из")),
    }
}

#[test]
fn every_test_that_a_weakness_names_exists() {
    let heading = "Weaknesses of course frameworks";
    assert_eq!(crate::named_tests::problems("docs/contributor.md", heading), [""; 0]);
}
