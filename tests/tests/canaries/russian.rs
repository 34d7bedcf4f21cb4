//! Reports in Russian.
use wb_tests::canary_runner::canaries;

use super::foreign_words::{blocks, foreign_words};

/// Verdicts, causes, calls that wait, what was left, errors: all in Russian, but for names.
#[test]
fn the_report_is_russian() {
    let families = [
        "no_communication::",
        "deadlock::",
        "dropped_requests::",
        "unread_messages::",
        "disagreement::every_rank",
        "wrong_results::a_call",
        "rules::a_coll",
    ];
    let output = canaries().with_language("ru").with_ranks(2).run_alone(&families);
    output.assert_contains(&[
        "ОШИБКА no_communication::every_rank_guesses",
        "обмена нет",
        "кто кого ждёт: 0 -> 1 -> 0",
        "send процессу 1, тег 3, байт: 2097152",
        "recv от процесса 1, тег 7, байт: 24",
        "получил сообщение от процесса 0 с тегом 17, а ждёт тег 18",
        "(процесс 1): корневой процесс",
        "не существует: в этом коммуникаторе процессов: 2",
        "от процесса 0 процессу 1, тег 11, байт: 3, коммуникатор world",
    ]);
    let message = blocks(&output.text);
    assert!(message.lines().count() > 50, "the search is broken: {message}");
    assert_eq!(foreign_words(&message), [""; 0], "{message}");
}

#[test]
fn canary_an_english_word_in_a_russian_report_is_noticed() {
    let message = "ОШИБКА a::b [потоки, P = 2]\n  WB0001: процессы ждут: send to 1, tag 3, `as written`  tests/a.rs:3\n\nrank 0\n";
    assert_eq!(foreign_words(&blocks(message)), ["to", "tag"]);
}
