//! WB0106: another epoch replaced the fence epoch (rule 6).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "another epoch replaced the fence epoch (rule 6)",
        "вместо эпохи fence началась другая эпоха (правило 6)",
    ),
    what: Text::new(
        "A fence does not open an epoch by itself: the first access after it does. If a start or a lock comes first, it opens its own epoch, and until the next fence there is no fence epoch to access in. The next fence must not close an epoch around the other one either: two fences with accesses between them form an epoch (MPI 4.1, 12.5.1), and epochs do not overlap.",
        "Сам по себе fence эпоху не открывает: её открывает первое обращение после него. Если раньше вызван start или lock, он открывает свою эпоху, и до следующего fence эпохи fence нет. Следующий fence также не должен замыкать эпоху вокруг другой: два fence с обращениями между ними образуют эпоху (MPI 4.1, 12.5.1), а эпохи не пересекаются.",
    ),
    picture: Text::new(
        r#"fence --- lock --- unlock --- put ?       the candidate is gone"#,
        r#"fence --- lock --- unlock --- put ?       эпохи fence уже нет"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
window.lock(LockKind::Shared, 0)?.unlock()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
drop(window.fence()?);
window.lock(LockKind::Shared, 0)?.unlock()?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
    hint: Text::new(
        "The call between the fence and the access; add another fence after it on all ranks. A fence before other epochs passes NOSUCCEED: epoch.end().",
        "Вызов между fence и обращением; добавьте после него ещё один fence на всех процессах. Перед другими эпохами fence вызывают с NOSUCCEED: epoch.end().",
    ),
};
