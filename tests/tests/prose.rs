//! The prose of documents and comments: phrases that the house style replaces by a standard term or a plain verb.
use std::path::{Path, PathBuf};

use wb_tests::sources::{rust_sources, texts};

/// Phrases that neither a document nor a comment contains. Every use of them has a plainer form.
const EVERYWHERE: &[&str] = &[
    "at the wall",
    "at two in the morning",
    "aviary",
    "befell",
    "between seeing and telling",
    "clockwork",
    "cluster that is not there",
    "hand a baton",
    "hand the baton",
    "is no name",
    "nobody panics",
    "the bell",
    "thereby",
];

/// Further phrases that no document contains; some comments still do.
const IN_DOCUMENTS: &[&str] = &[
    "befalls",
    "are no messages",
    "comes to",
    "can go on",
    "dealt out",
    "everybody else can",
    "farewell",
    "goes on",
    "hears",
    "in vain",
    "is no number",
    "is no page",
    "is no rank",
    "last words",
    "made again",
    "nobody",
    "so many bytes",
    "retelling",
    "speaks of",
    "that is not there",
    "the baton",
    "the hub",
    "the order of things",
    "the roll",
    "told again",
    "what is to come",
    "what was the matter",
    "whoever",
    "without a word",
];

/// Words that comments do not contain.
const IN_COMMENTS: &[&str] = &[
    "comes to",
    "everybody",
    "goes on",
    "hears",
    "in vain",
    "nobody",
    "somebody",
    "tells",
    "told",
    "whoever",
];

/// Further phrases that no text of a program contains.
const IN_TEXTS: &[&str] = &[
    "comes to",
    "in vain",
    "mend",
    "that is not there",
    "the real thing",
    "was told",
    "whoever",
    "without a word",
];

/// Beginnings of words that no Russian document and no Russian text of a program contains: transcriptions and calques of English
/// words for which the Russian literature on MPI has a term, officialese, and second terms for what the glossary has a term for.
const IN_RUSSIAN: &[&str] = &[
    "аллоцир",   // выделять
    "асинк",     // асинхронный
    "бродкаст",  // широковещательная рассылка
    "бэкенд",    // среда выполнения
    "варнинг",   // предупреждение
    "воркер",    // рабочий процесс
    "глагол",    // операция
    "дедлок",    // взаимная блокировка
    "заключени", // выводы
    "залоч",     // заблокировать
    "зерн",      // начальное значение генератора
    "имплемент", // реализовать
    "кейс",      // случай
    "маппинг",   // отображение
    "мессадж",   // сообщение
    "мьютекс",   // блокировка
    "на сегодняшний день",
    "осуществля", // само действие: отправляет, а не осуществляет отправку
    "по завершению",
    "путём осуществления",
    "ранк",           // ранг
    "ресивер",        // получатель
    "сендер",         // отправитель
    "списыва",        // заимствование
    "таблица баллов", // таблица результатов
    "таблице баллов",
    "таблицей баллов",
    "таблицу баллов",
    "таблицы баллов",
    "таймаут",   // лимит времени
    "типаж",     // трейт
    "тред",      // поток
    "фича",      // возможность
    "фреймворк", // framework
    "хендл",     // описатель
    "чекер",     // проверка
];

/// The lines of a document outside of code blocks, which quote what the programs print.
fn document_lines(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut lines = vec![];
    for (number, line) in text.lines().enumerate() {
        let is_border = line.trim_start().starts_with("```");
        is_code ^= is_border;
        if !is_code && !is_border {
            lines.push((number + 1, line));
        }
    }
    lines
}

/// The lines of a source that are comments.
fn comment_lines(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"));
    lines.map(|(number, line)| (number + 1, line)).collect()
}

/// The places where a line contains one of the phrases.
fn findings(path: &Path, lines: &[(usize, &str)], phrases: &[&str]) -> Vec<String> {
    let mut found = vec![];
    for (number, line) in lines {
        let line = line.to_lowercase();
        for phrase in phrases.iter().filter(|phrase| contains_words(&line, phrase)) {
            found.push(format!("{}:{number}: {phrase:?}", path.display()));
        }
    }
    found
}

/// Whether the phrase is in the line, and not inside of longer words or of a name in code.
fn contains_words(line: &str, phrase: &str) -> bool {
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    line.match_indices(phrase).any(|(at, _)| {
        is_border(line[..at].chars().next_back()) && is_border(line[at + phrase.len()..].chars().next())
    })
}

/// The places of Russian documents and of programs with a word that begins like one of the list, or with a hyphen in place of a
/// dash.
fn in_russian(files: &[(PathBuf, String)]) -> Vec<String> {
    let russian = files.iter().filter(|(path, _)| is_russian_document(path) || is_program(path));
    let lines = russian.flat_map(|(path, text)| {
        let lines = if is_program(path) { numbered(text) } else { document_lines(text) };
        lines.into_iter().map(move |(number, line)| (path, number, line.to_lowercase()))
    });
    lines
        .flat_map(|(path, number, line)| {
            let words = IN_RUSSIAN.iter().filter(|word| begins_a_word(&line, word)).copied();
            let hyphen = has_hyphen_for_dash(&line).then_some(" - ");
            words
                .chain(hyphen)
                .map(|word| format!("{}:{number}: {word:?}", path.display()))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// A page of the book, or the statement of an assignment.
fn is_russian_document(path: &Path) -> bool {
    path.starts_with("docs/ru") || path.file_name().is_some_and(|name| name == "statement.ru.md")
}

/// A source with texts of the program in both languages, or a template of a student's file.
fn is_program(path: &Path) -> bool {
    path.starts_with("framework") && path.extension().is_some_and(|of| of == "rs" || of == "template")
}

fn numbered(text: &str) -> Vec<(usize, &str)> {
    (1..).zip(text.lines()).collect()
}

fn begins_a_word(line: &str, beginning: &str) -> bool {
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    line.match_indices(beginning).any(|(at, _)| is_border(line[..at].chars().next_back()))
}

/// A hyphen after a Russian word and a space: a dash is meant.
fn has_hyphen_for_dash(line: &str) -> bool {
    let is_russian = |c: Option<char>| c.is_some_and(|c| matches!(c, 'а'..='я' | 'ё'));
    line.match_indices(" - ").any(|(at, _)| is_russian(line[..at].chars().next_back()))
}

/// Documents of the project: reports are made by the programs, reports of tasks by students.
fn is_document(path: &Path) -> bool {
    !path.starts_with("reports") && !path.starts_with("tasks")
}

/// All phrases in documents.
fn in_documents(documents: &[(PathBuf, String)]) -> Vec<String> {
    let documents = documents.iter().filter(|(path, _)| is_document(path));
    let phrases = [EVERYWHERE, IN_DOCUMENTS].concat();
    documents.flat_map(|(path, text)| findings(path, &document_lines(text), &phrases)).collect()
}

/// The phrases that a comment may not contain.
fn in_comments(sources: &[(PathBuf, String)]) -> Vec<String> {
    let phrases = [EVERYWHERE, IN_COMMENTS].concat();
    sources.iter().flat_map(|(path, text)| findings(path, &comment_lines(text), &phrases)).collect()
}

#[test]
fn no_document_contains_a_replaced_phrase() {
    let documents = texts(&[".md"]);
    assert!(documents.len() > 20, "the search is broken: {} documents", documents.len());
    let found = in_documents(&documents);
    assert!(found.is_empty(), "write it plainly:\n  {}", found.join("\n  "));
}

#[test]
fn no_text_of_a_program_contains_a_replaced_phrase() {
    let mut sources = texts(&[".rs"]);
    sources.retain(|(path, _)| path.starts_with("framework/messages") || path.starts_with("framework/text"));
    assert!(sources.len() > 100, "the search is broken: {} sources", sources.len());
    let phrases = [EVERYWHERE, IN_TEXTS].concat();
    let found: Vec<_> =
        sources.iter().flat_map(|(path, text)| findings(path, &numbered(text), &phrases)).collect();
    assert!(found.is_empty(), "write it plainly:\n  {}", found.join("\n  "));
}

#[test]
fn no_russian_text_contains_a_calque_or_a_second_term() {
    let files = texts(&[".md", ".rs", ".template"]);
    let count = |holds: fn(&Path) -> bool| files.iter().filter(|(path, _)| holds(path)).count();
    let (documents, programs) = (count(is_russian_document), count(is_program));
    assert!(
        documents > 30 && programs > 300,
        "the search is broken: {documents} documents, {programs} programs"
    );
    let found = in_russian(&files);
    assert!(found.is_empty(), "docs/ru/glossary.md has the terms:\n  {}", found.join("\n  "));
}

#[test]
fn canary_a_calque_and_a_hyphen_for_a_dash_are_found() {
    let file = |path: &str, text: &str| [(PathBuf::from(path), text.to_owned())];
    for word in IN_RUSSIAN {
        let text = format!("```text\n{word}\n```\nЗдесь {}ы.\n", word.to_uppercase());
        assert_eq!(in_russian(&file("docs/ru/a.md", &text)), [format!("docs/ru/a.md:4: {word:?}")]);
        assert_eq!(in_russian(&file("docs/a.md", &text)), [""; 0]);
        let entry = format!("    about() {{ \"x\", \"{word}\" }}\n");
        let place = format!("framework/messages/src/a.rs:1: {word:?}");
        assert_eq!(in_russian(&file("framework/messages/src/a.rs", &entry)), [place]);
    }
    for path in ["docs/ru/a.md", "framework/messages/src/a.rs"] {
        for line in ["Барьер - это\n", "| `X` | барьер - это |\n"] {
            assert_eq!(in_russian(&file(path, line)), [format!("{path}:1: \" - \"")]);
        }
    }
    let fine = "Барьер — это r - q, `--lang`, встреча, сопредседатель, эскейс, WB0001 - x\n";
    assert_eq!(in_russian(&file("docs/ru/a.md", fine)), [""; 0]);
}

#[test]
fn no_comment_contains_a_replaced_phrase() {
    let sources = rust_sources();
    assert!(sources.len() > 300, "the search is broken: {} sources", sources.len());
    let found = in_comments(&sources);
    assert!(found.is_empty(), "write it plainly:\n  {}", found.join("\n  "));
}

#[test]
fn canary_a_replaced_phrase_is_found() {
    let file = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
    let quoted = "fine\n```text\nWhoever\n```\n";
    for phrase in EVERYWHERE.iter().chain(IN_DOCUMENTS) {
        let text = format!("{quoted}It {} here.\n", phrase.to_uppercase());
        assert!(in_documents(&[file("docs/a.md", &text)])[0].starts_with("docs/a.md:5: "), "{phrase}");
        assert_eq!(in_documents(&[file("reports/a/report.md", &text)]), [""; 0], "{phrase}");
    }
    for phrase in EVERYWHERE.iter().chain(IN_COMMENTS) {
        let text = format!("let a = \"{phrase}\";\n    /// It {phrase}.\n");
        let source = file("framework/a/src/lib.rs", &text);
        assert!(in_comments(&[source]).contains(&format!("framework/a/src/lib.rs:2: {phrase:?}")));
    }
    let longer = file("a.rs", "// foretold, whosoever, nobody_waits, is not\n");
    assert_eq!(in_comments(&[longer]), [""; 0]);
}
