//! WB0105: a fence inside another epoch (rule 5).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a fence inside another epoch (rule 5)", "fence внутри другой эпохи (правило 5)"),
    what: Text::new(
        "A fence is allowed only if this rank has no open start, post or lock on the window.",
        "fence допустим, только если у процесса на этом окне нет незавершённых start, post и lock.",
    ),
    picture: Text::untranslated(
        r#"lock ------------- unlock
        fence ?"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
let lock = window.lock(LockKind::Shared, 0)?;
let epoch = window.fence()?;
epoch.end()?;
lock.unlock()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
let lock = window.lock(LockKind::Shared, 0)?;
lock.unlock()?;
let epoch = window.fence()?;
epoch.end()?;
window.free()"#,
    hint: Text::new(
        "The earlier call: end its epoch first with complete, wait or unlock.",
        "Более ранний вызов: сначала завершите его эпоху вызовом complete, wait или unlock.",
    ),
};
