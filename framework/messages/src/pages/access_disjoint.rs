//! WB0102: two access epochs at the same time (rule 2).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "two access epochs at the same time (rule 2)",
        "две эпохи доступа одновременно (правило 2)",
    ),
    what: Text::new(
        "The access epochs of one rank on one window must not overlap. Only locks of different targets may be held at the same time.",
        "Эпохи доступа одного процесса на одном окне не должны пересекаться. Одновременно можно держать только блокировки разных целевых процессов.",
    ),
    picture: Text::untranslated(
        r#"fence ---- put ---------------- fence
                 lock ?"#,
    ),
    wrong: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
epoch.put(&[1], 0, world.rank())?;
let lock = window.lock(LockKind::Shared, 0)?;
lock.unlock()?;
epoch.end()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
epoch.put(&[1], 0, world.rank())?;
epoch.end()?;
let lock = window.lock(LockKind::Shared, 0)?;
lock.unlock()?;
window.free()"#,
    hint: Text::new(
        "The earlier call in the report: end its epoch first (fence, complete, unlock).",
        "Более ранний вызов в отчёте: сначала завершите его эпоху (fence, complete, unlock).",
    ),
};
