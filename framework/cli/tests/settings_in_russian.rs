//! What `wb list` says of wrong settings is in the language of the reader.

use std::fs;

use crate::workspace::{TASK, wb, workspace};

/// Each kind of mistake: what of the task is replaced, by what, and words of the Russian explanation.
const MISTAKES: [(&str, &str, &str); 22] = [
    ("group: 3823B1PR1", "grup: 3823B1PR1", "неизвестный ключ `grup`, допустимы `student`,"),
    ("mpi: disabled", "omp: disabled", "`status`: неизвестный ключ `omp`, допустимо `seq` или `mpi`"),
    ("seq: enabled", "seq: true", "неизвестное значение `true`, допустимо `enabled` или `disabled`"),
    ("variant: 4\n", "", "нет обязательного ключа `variant`"),
    ("variant: 4\n", "variant: 4\nvariant: 5\n", "ключ `variant` указан повторно"),
    (
        "variant: 4",
        "variant: четыре",
        "`variant`: неверный тип: строка \"четыре\"; ожидается целое число от 1 до 99",
    ),
    ("variant: 4", "variant: 2.5", "вещественное число `2.5`"),
    ("variant: 4", "variant: true", "логическое значение `true`"),
    ("variant: 4", "variant: ", "пустое значение"),
    ("variant: 4", "variant: [4]", "неверный тип: список"),
    ("variant: 4", "variant: { x: 4 }", "неверный тип: отображение"),
    ("variant: 4", "variant: 0", "недопустимое значение: целое число `0`"),
    ("variant: 4", "variant: 24", "в задании 2 нет варианта 24"),
    ("variant: 4", "variant: !x 4", "тег YAML"),
    (
        "kind: communication",
        "kind: [communication]",
        "неверный тип: список; ожидается одно из допустимых слов",
    ),
    ("status: { seq: enabled, mpi: disabled }", "status: 1", "ожидается отображение с ключами `Versions`"),
    ("kind: communication", "kind: [communication", "нет ожидаемых ',' или ']'"),
    ("kind: communication", "kind: communication: x", "значение с ключом здесь недопустимо"),
    ("group: 3823B1PR1", "group: \"\\e[2J\"", "он не виден; ожидается от 1 до 200 видимых символов"),
    ("group: 3823B1PR1", "group: \u{7}", "управляющий символ U+0007"),
    ("ranks: [1, 2]", "ranks: [2, 1]", "1 после 2, числа процессов должны возрастать"),
    ("ranks: [1, 2]", "ranks: 4", "ожидается список"),
];

/// What the command says in Russian of a task with these settings, without the lines of the file that it shows.
fn explanation(yaml: &[u8]) -> String {
    let root = workspace("");
    fs::write(root.path().join("tasks/ivanov_i_scatter/task.yaml"), yaml).expect("written");
    let output = wb(root.path(), &["list", "--lang", "ru"]);
    assert!(!output.status.success());
    let shown = String::from_utf8(output.stderr).expect("UTF-8");
    let lines: Vec<&str> = shown.lines().collect();
    let is_excerpt = |at: usize| lines.get(at + 1).is_some_and(|below| below.trim() == "^");
    let is_source = |at: &usize| lines[*at].contains(['│', '╭', '╰', '^', '·']) || is_excerpt(*at);
    (0..lines.len()).filter(|at| !is_source(at)).map(|at| lines[at].to_owned() + "\n").collect()
}

/// The Latin words of `text` that are not in back quotes, of a path, or an abbreviation in capitals.
fn english_words(text: &str) -> Vec<&str> {
    let words = text.split('`').step_by(2).flat_map(str::split_whitespace).filter(|word| !word.contains('/'));
    let letters = words.flat_map(|word| word.split(|c: char| !c.is_ascii_alphanumeric()));
    letters.filter(|word| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_lowercase())).collect()
}

#[test]
fn canary_english_words_are_found() {
    assert_eq!(english_words("ключ `name` в a/task.yaml, YAML: missing field"), ["missing", "field"]);
}

#[test]
fn every_mistake_is_explained_without_an_english_word() {
    let large = vec![b'#'; (1 << 20) + 1];
    let files: [(&[u8], &str); 5] = [
        (b"", "файл пуст, ожидаются настройки"),
        (b"student: A\xff", "байт 0xff не из UTF-8"),
        (&large, "больше 1048576 байт"),
        (&[b'['; 1025], "слишком большая вложенность"),
        (b"a: 1\n---\nb: 1\n", "несколько документов"),
    ];
    let mistakes = MISTAKES.map(|(from, to, expected)| {
        assert_eq!(TASK.matches(from).count(), 1, "`{from}` must be unique");
        (TASK.replace(from, to).into_bytes(), expected)
    });
    let files = files.map(|(file, expected)| (file.to_vec(), expected));
    for (yaml, expected) in mistakes.into_iter().chain(files) {
        let shown = explanation(&yaml);
        let joined = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(joined.contains(expected), "`{expected}`\n{shown}");
        // The lines of the file are the user's.
        let own = shown.lines().filter(|line| !line.contains(" | ")).collect::<Vec<_>>().join(" ");
        assert_eq!(english_words(&own), [""; 0], "{shown}");
    }
}
