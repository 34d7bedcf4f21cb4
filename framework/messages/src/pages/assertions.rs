//! WB0112: an assertion that is not true (rule 12).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("an assertion that is not true (rule 12)", "неверное утверждение assert (правило 12)"),
    what: Text::new(
        "An assertion allows the library to do less work: no access before (NOPRECEDE) or after (NOSUCCEED), no put to this rank (NOPUT), no local store (NOSTORE), the partner is ready (NOCHECK). A false assertion gives wrong data or a hang.",
        "Утверждение (assert) позволяет библиотеке делать меньше работы: обращений не было (NOPRECEDE) или не будет (NOSUCCEED), сюда не пишут (NOPUT), локальных записей нет (NOSTORE), партнёр готов (NOCHECK). Неверное утверждение даёт неверные данные или зависание.",
    ),
    picture: Text::new(
        r#"fence --- put --- fence(NOPRECEDE)      but there was a put"#,
        r#"fence --- put --- fence(NOPRECEDE)      но put был"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
let promise = Assertion { no_precede: true, ..Assertion::default() };
drop(window.fence_with(promise)?);
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
let promise = Assertion { no_succeed: true, ..Assertion::default() };
drop(window.fence_with(promise)?);
window.free()"#,
    hint: Text::new(
        "The earlier call in the report makes the assertion false. Remove the assertion first, then measure whether it saves time.",
        "Утверждение нарушает более ранний вызов в отчёте. Сначала уберите утверждение, затем измерьте, даёт ли оно выигрыш.",
    ),
};
