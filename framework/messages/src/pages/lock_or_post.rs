//! WB0107: a part that is exposed and locked at the same time (rule 7).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a part that is exposed and locked at the same time (rule 7)",
        "часть окна одновременно открыта и заблокирована (правило 7)",
    ),
    what: Text::new(
        "An exposed part must not be locked, and a locked part must not be exposed: the two kinds of synchronisation are independent of each other.",
        "Открытую часть окна нельзя блокировать, а заблокированную нельзя открывать: эти два вида синхронизации не зависят друг от друга.",
    ),
    picture: Text::untranslated(
        r#"post ---------------- wait
        lock ?"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
let exposure = window.post(&partner)?;
let lock = window.lock(LockKind::Exclusive, world.rank())?;
lock.unlock()?;
window.start(&partner)?.complete()?;
exposure.wait()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
let exposure = window.post(&partner)?;
window.start(&partner)?.complete()?;
exposure.wait()?;
world.barrier()?;
let lock = window.lock(LockKind::Exclusive, world.rank())?;
lock.unlock()?;
window.free()"#,
    hint: Text::new(
        "Which of the two comes first, and which call ends it (wait, unlock). A barrier or a message orders the two between ranks.",
        "Что из двух происходит раньше и каким вызовом завершается (wait, unlock). Порядок между процессами задают барьер или сообщение.",
    ),
};
