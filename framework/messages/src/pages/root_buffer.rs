//! WB0046: the root gives no buffer.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("the root gives no buffer", "корневой процесс не передал буфер"),
    what: Text::new(
        "In scatter, gather and reduce the root gives or gets the data of all ranks, so its argument must be `Some`. On the other ranks the argument is ignored, as in MPI.",
        "В scatter, gather и reduce корневой процесс отдаёт или получает данные всех процессов, поэтому его аргумент обязан быть `Some`. На остальных процессах аргумент не используется, как и в MPI.",
    ),
    picture: Text::new(r#"rank 1  [b] ------->  root 0:  None"#, r#"ранг 1  [b] ------->  корень 0:  None"#),
    wrong: r#"world.gather(&[world.rank()], None, 0)"#,
    right: r#"let mut all = vec![0; world.size()];
world.gather(&[world.rank()], Some(&mut all), 0)"#,
    hint: Text::new(
        "Whether the condition that creates the buffer names the same rank as the root argument.",
        "Тот ли ранг указан в условии, при котором создаётся буфер, что и в аргументе root.",
    ),
};
