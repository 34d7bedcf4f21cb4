//! WB0109: an end of an epoch without its beginning (rule 9).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "an end of an epoch without its beginning (rule 9)",
        "конец эпохи без её начала (правило 9)",
    ),
    what: Text::new(
        "complete ends a start, wait and test end a post, unlock ends a lock of the same target, and flush needs a lock. Dropping the value of an epoch does not end the epoch.",
        "complete завершает start, wait и test завершают post, unlock - lock того же целевого процесса, а для flush нужен lock. Удаление значения эпохи (drop) её не завершает.",
    ),
    picture: Text::untranslated(r#"start <--> complete     post <--> wait     lock(t) <--> unlock(t)"#),
    wrong: r#"let window = world.window::<i64>(1)?;
window.raw().complete()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    window.start(&[1])?.complete()?;
} else {
    window.post(&[0])?.wait()?;
}
window.free()"#,
    hint: Text::new(
        "The earlier call in the report: which epoch is open here, and which call ends it? Call the method that ends the epoch instead of dropping its value.",
        "Более ранний вызов в отчёте: какая эпоха открыта и каким вызовом завершается? Вызовите завершающий метод эпохи, а не полагайтесь на drop.",
    ),
};
