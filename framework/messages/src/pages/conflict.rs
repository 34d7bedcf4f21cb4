//! WB0108: conflicting accesses in one epoch (rule 8).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "conflicting accesses in one epoch (rule 8)",
        "конфликтующие обращения в одной эпохе (правило 8)",
    ),
    what: Text::new(
        "Calls inside an epoch have no order. Several accesses to one element are allowed only if all are gets, or all are accumulates of one operation. A put conflicts with every other access, a local store conflicts with a put, and the result of a get exists only after the end of the epoch or a flush.",
        "Вызовы внутри эпохи не упорядочены. Несколько обращений к одному элементу допустимы, только если все они get либо все они accumulate с одной операцией. put конфликтует с любым другим обращением, локальная запись — с put, а результат get готов лишь после конца эпохи или flush.",
    ),
    picture: Text::new(
        r#"fence -- put x = 1 -- put x = 3 -- fence      x = 1 or 3 ?"#,
        r#"fence -- put x = 1 -- put x = 3 -- fence      x = 1 или 3 ?"#,
    ),
    wrong: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
if world.rank() == 0 {
    epoch.put(&[1, 2], 1, 0)?;
    epoch.put(&[3], 1, 1)?;
}
epoch.end()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
if world.rank() == 0 {
    epoch.put(&[1], 1, 0)?;
    epoch.put(&[3], 1, 1)?;
}
epoch.end()?;
window.free()"#,
    hint: Text::new(
        "Both lines and the element. Use other elements, an accumulate, or a synchronisation between the two (fence; flush under a lock).",
        "Обе строки и элемент. Используйте другие элементы, accumulate или синхронизацию между обращениями (fence; flush под блокировкой).",
    ),
};
