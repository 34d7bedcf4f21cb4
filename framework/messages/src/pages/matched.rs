//! WB0111: a start without its post, or a post without its start (rule 11).
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a start without its post, or a post without its start (rule 11)",
        "start без post или post без start (правило 11)",
    ),
    what: Text::new(
        "Every start to a target needs a post of that target, in pairs: the k-th start and the k-th post. Without its partner, start (or the wait of the post) never returns.",
        "Каждому start к целевому процессу нужен post этого процесса, попарно: k-му start - k-й post. Без партнёра start (или wait для post) никогда не вернёт управление.",
    ),
    picture: Text::new(
        r#"rank 0   start [1] ...............      waits for a post
rank 1   (no post)   end"#,
        r#"ранг 0   start [1] ...............      ждёт post
ранг 1   (нет post)   конец"#,
    ),
    wrong: r#"let window = world.window::<i64>(1)?;
if world.rank() == 1 {
    return window.free();
}
window.start(&[1])?.complete()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    window.start(&[1])?.complete()?;
} else {
    window.post(&[0])?.wait()?;
}
window.free()"#,
    hint: Text::new(
        "The groups on both sides: rank t is in the start of rank o exactly if o is in the post of t.",
        "Группы с обеих сторон: процесс t есть в start процесса o тогда и только тогда, когда o есть в post процесса t.",
    ),
};
