//! WB0012: a window that was not freed.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a window that was not freed", "окно, которое не было освобождено"),
    what: Text::new(
        "Freeing a window is a collective call, so dropping the value cannot do it: the drop of one rank would wait for the others. The window stays open until the job ends.",
        "Освобождение окна — коллективный вызов, поэтому drop не может его выполнить: drop на одном процессе ждал бы остальных. Окно остаётся открытым до конца задания.",
    ),
    picture: Text::new(
        r#"rank 0   window --- put --- end        (no free)
rank 1   window ----------- end        (no free)"#,
        r#"ранг 0   окно --- put --- конец        (нет free)
ранг 1   окно ----------- конец        (нет free)"#,
    ),
    wrong: r#"let window = world.window::<i64>(4)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()"#,
    right: r#"let window = world.window::<i64>(4)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
    hint: Text::new(
        "The line that created the window. Call `window.free()` on all ranks, outside all epochs, and also before an early return.",
        "Строка, где окно создано. Вызовите `window.free()` на всех процессах вне эпох, в том числе перед ранним return.",
    ),
};
