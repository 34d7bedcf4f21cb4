//! WB0103: two exposure epochs at the same time (rule 3).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "two exposure epochs at the same time (rule 3)",
        "две эпохи открытия одновременно (правило 3)",
    ),
    what: Text::new(
        "A rank exposes its part of the window to one group at a time: a post is ended by wait (or by a test that returns true) before the next post.",
        "Процесс открывает свою часть окна одной группе за раз: post завершается вызовом wait (или успешным test) до следующего post.",
    ),
    picture: Text::untranslated(
        r#"post ---------- wait
       post ?"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
let first = window.post(&partner)?;
let second = window.post(&partner)?;
second.wait()?;
first.wait()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
for _ in 0..2 {
    let exposure = window.post(&partner)?;
    window.start(&partner)?.complete()?;
    exposure.wait()?;
}
window.free()"#,
    hint: Text::new(
        "The post that is still open: name all origins in one post, or wait for it first.",
        "Незавершённый post: укажите все процессы-инициаторы в одном post либо сначала вызовите wait.",
    ),
};
