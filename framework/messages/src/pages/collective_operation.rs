//! WB0034: ranks ask for different reductions.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("ranks ask for different reductions", "процессы указывают разные операции редукции"),
    what: Text::new(
        "A reduction combines the elements of all ranks by one operation. If ranks name different operations, partial results are mixed, in a way that depends on the algorithm.",
        "Редукция объединяет элементы всех процессов одной операцией. Если указаны разные операции, частичные результаты смешиваются, и как именно, зависит от алгоритма.",
    ),
    picture: Text::new(
        r#"rank 0   allreduce, sum
rank 1   allreduce, max"#,
        r#"ранг 0   allreduce, сумма
ранг 1   allreduce, максимум"#,
    ),
    wrong: r#"let root = world.rank() == 0;
let operation = if root { Operation::Sum } else { Operation::Max };
let mut all = [0];
world.allreduce(&[1], &mut all, operation)"#,
    right: r#"let mut all = [0];
world.allreduce(&[1], &mut all, Operation::Max)"#,
    hint: Text::new(
        "The operation argument on both lines; two results need two reductions.",
        "Аргумент операции в обеих строках; для двух результатов нужны две редукции.",
    ),
};
