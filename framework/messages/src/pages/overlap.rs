//! WB0104: access and exposure may overlap (rule 4).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "access and exposure may overlap (rule 4)",
        "доступ и открытие могут пересекаться (правило 4)",
    ),
    what: Text::new(
        "This rule forbids nothing, so its code is never reported: while a rank exposes its part (post), it may access other ranks (start). The pages of rules 2 and 3 say what must not overlap.",
        "Это правило ничего не запрещает, и его кода в отчётах не бывает: пока часть окна процесса открыта (post), он может обращаться к другим процессам (start). Что пересекаться не должно, описано на страницах правил 2 и 3.",
    ),
    picture: Text::new(
        r#"post ---------------------- wait        exposure
     start ---- complete                access: at the same time, legal"#,
        r#"post ---------------------- wait        открытие
     start ---- complete                доступ: одновременно, разрешено"#,
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
    hint: Text::new("WB0102 and WB0103.", "WB0102 и WB0103."),
};
