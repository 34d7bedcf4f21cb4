//! WB0101: an access outside an access epoch (rule 1).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("an access outside an access epoch (rule 1)", "обращение вне эпохи доступа (правило 1)"),
    what: Text::new(
        "Put, get and accumulate are allowed inside an access epoch and only to its targets: all ranks in a fence epoch, the ranks named by start, the locked ranks.",
        "put, get и accumulate допустимы внутри эпохи доступа и только к её целевым процессам: ко всем в эпохе fence, к указанным в start, к заблокированным.",
    ),
    picture: Text::new(
        r#"window ------ put ?          no fence, start or lock before it"#,
        r#"окно -------- put ?          до него нет fence, start или lock"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
window.raw().put(&[1], 1 - world.rank(), 0)?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
    hint: Text::new(
        "The call that opens the epoch on this rank, and whether the target is among its ranks. After the last fence, after complete and after unlock there is no epoch.",
        "Какой вызов открывает эпоху на этом процессе и есть ли целевой процесс среди её процессов. После последнего fence, после complete и после unlock эпохи нет.",
    ),
};
