//! WB0110: a window is freed inside an epoch (rule 10).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a window is freed inside an epoch (rule 10)",
        "окно освобождают внутри эпохи (правило 10)",
    ),
    what: Text::new(
        "All ranks free a window together, when no rank has an open epoch on it. If one rank may not free it, no rank does, and every rank gets the error.",
        "Окно освобождают все процессы вместе, когда ни на одном из них нет незавершённой эпохи. Если одному процессу освобождать нельзя, не освобождает никто, и ошибку получает каждый процесс.",
    ),
    picture: Text::untranslated(
        r#"lock ------------- unlock
        free ?"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
window.raw().lock(LockKind::Shared, 0, Assertion::default())?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
window.lock(LockKind::Shared, 0)?.unlock()?;
window.free()"#,
    hint: Text::new(
        "The epoch that is still open, on the rank that the report names.",
        "Незавершённая эпоха на процессе, указанном в отчёте.",
    ),
};
