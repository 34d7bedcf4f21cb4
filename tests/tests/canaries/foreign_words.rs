//! Words in Latin letters in a Russian report: everything but names of the program and of its libraries should be Russian.
use wb_comm::{
    Verb,
    text::{Lang, samples},
};

/// Names that a Russian report contains untranslated: libraries, commands, options, kinds of files, stages, what Rust and MPI call things.
const NAMES: [&str; 42] = [
    "MPI",
    "preload",
    "tracer",
    "OpenSHMEM",
    "Open",
    "MPICH",
    "cargo",
    "wb",
    "explain",
    "check",
    "world",
    "split",
    "dup",
    "of",
    "panic",
    "exit",
    "validation",
    "preprocessing",
    "run",
    "postprocessing",
    "root",
    "case",
    "Here",
    "Elsewhere",
    "Rooted",
    "Threads",
    "Err",
    "Rust",
    "git",
    "json",
    "quick",
    "task",
    "yaml",
    "reorder",
    "dims",
    "mpirun",
    "mpiexec",
    "srun",
    "Slurm",
    "core",
    "socket",
    "node",
];

/// The Latin words of `text` that are no names: not of a verb, a path, a code, a constant, a type of numbers or an identifier.
pub(crate) fn foreign_words(text: &str) -> Vec<String> {
    let words = text.split('`').step_by(2).flat_map(str::split_whitespace);
    let words =
        words.filter(|word| !word.contains(['_', '/']) && !word.contains("::") && !word.contains(".rs:"));
    let words = words.flat_map(|word| word.split(|c: char| !c.is_ascii_alphanumeric()));
    let words = words.filter(|word| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic()));
    words.filter(|word| !is_name(word)).map(str::to_owned).collect()
}

fn is_name(word: &str) -> bool {
    let number = |rest: Option<&str>| rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    let is_type = ["i", "u", "f"].iter().any(|kind| number(word.strip_prefix(kind)));
    let is_verb = Verb::ALL.iter().any(|verb| verb.name() == word);
    let is_constant = word.bytes().all(|byte| byte.is_ascii_uppercase());
    is_type || is_verb || is_constant || number(word.strip_prefix("WB")) || NAMES.contains(&word)
}

/// The blocks of ours in what a test printed: from a line that opens with a word in capitals to the next empty line.
pub(crate) fn blocks(report: &str) -> String {
    let (mut kept, mut inside) = (String::new(), false);
    for line in report.lines() {
        inside = !line.is_empty()
            && (inside || ["ОШИБКА ", "ЗАВИСАНИЕ "].iter().any(|word| line.starts_with(word)));
        if inside {
            kept += &format!("{line}\n");
        }
    }
    kept
}

/// The entries with foreign words, in Russian or by a fault in English.
fn foreign(lang: Lang) -> Vec<(String, Vec<String>)> {
    let found = samples(lang).map(|(name, text)| (name, foreign_words(&text)));
    found.filter(|(_, words)| !words.is_empty()).collect()
}

#[test]
fn every_reason_is_russian_for_a_russian_reader() {
    assert!(samples(Lang::Ru).count() > 250, "the search is broken");
    assert_eq!(foreign(Lang::Ru), []);
}

#[test]
fn canary_english_reasons_are_noticed() {
    let (english, all) = (foreign(Lang::En).len(), samples(Lang::En).count());
    assert!(english * 10 > all * 9, "{english} of {all}");
}
