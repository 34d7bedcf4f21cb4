//! WB0032: ranks give different numbers of elements.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("ranks give different numbers of elements", "процессы передают разное число элементов"),
    what: Text::new(
        "The counts of a collective operation must match: they are equal on all ranks, or, in the v variants, one side sends as many elements as the other expects. Otherwise MPI reads beyond a buffer or drops data without an error.",
        "Число элементов в коллективной операции должно согласовываться: оно одинаково на всех процессах, а в вариантах с v одна сторона отправляет столько элементов, сколько ожидает другая. Иначе MPI без сообщения об ошибке читает за границей буфера или теряет данные.",
    ),
    picture: Text::new(
        r#"rank 0   bcast [ a ]
rank 1   bcast [ _ | _ ]"#,
        r#"ранг 0   bcast [ a ]
ранг 1   bcast [ _ | _ ]"#,
    ),
    wrong: r#"let mut data = vec![0; 1 + world.rank()];
world.bcast(&mut data, 0)"#,
    right: r#"let mut data = vec![0; 2];
world.bcast(&mut data, 0)"#,
    hint: Text::new(
        "How each of the two ranks computes its count. If only some ranks get a part of a remainder, use scatterv, gatherv or allgatherv with the same table of counts.",
        "Как каждый из двух процессов вычисляет число элементов. Если остаток достаётся не всем процессам, нужны scatterv, gatherv или allgatherv с одной и той же таблицей длин.",
    ),
};
