//! Pages of collectives that differ from rank to rank.
use wb_comm::Code;

use super::{Page, text};

/// Of this class.
pub(super) fn page(code: Code) -> Option<Page> {
    Some(match code {
        Code::CollectiveOrder => Page {
            title: text("ranks call different collectives", "процессы вызывают разные коллективные операции"),
            what: text(
                "The k-th collective of a communicator must be the same call on every rank. Two ranks are in different ones. To make a communicator or a window, to fence and to free are collectives too.",
                "k-я коллективная операция коммуникатора должна быть одной и той же у всех. Два процесса находятся в разных. Создание коммуникатора или окна, fence и free - тоже коллективные операции.",
            ),
            hint: text(
                "Both lines: from which condition on do the ranks take different ways? Collectives belong outside of `if rank == ...`.",
                "Обе строки: с какого условия пути процессов расходятся? Коллективные операции выносите из-под `if rank == ...`.",
            ),
            picture: text(
                r#"rank 0   1. bcast    2. barrier
            x
rank 1   1. barrier  2. bcast"#,
                r#"ранг 0   1. bcast    2. barrier
            x
ранг 1   1. barrier  2. bcast"#,
            ),
            wrong: r#"let mut data = [world.rank()];
if world.rank() == 0 {
    world.bcast(&mut data, 0)?;
    return world.barrier();
}
world.barrier()?;
world.bcast(&mut data, 0)"#,
            right: r#"let mut data = [world.rank()];
world.bcast(&mut data, 0)?;
world.barrier()"#,
        },
        Code::CollectiveRoot => Page {
            title: text("ranks name different roots", "процессы называют разные корни"),
            what: text(
                "The root of a collective is one rank, and all must name the same. Otherwise several think they are it, or none.",
                "Корень коллективной операции один, и все должны назвать его одинаково. Иначе корнем считают себя несколько процессов или никто.",
            ),
            hint: text(
                "The root argument: it must not depend on the own rank. Where the root is computed, compute it from data that all ranks have.",
                "Аргумент root: он не должен зависеть от своего номера. Если корень вычисляется, то из данных, которые есть у всех.",
            ),
            picture: text(
                r#"rank 0   bcast, root 0
rank 1   bcast, root 1"#,
                r#"ранг 0   bcast, корень 0
ранг 1   bcast, корень 1"#,
            ),
            wrong: r#"let mut data = [world.rank()];
world.bcast(&mut data, world.rank())"#,
            right: r#"let mut data = [world.rank()];
world.bcast(&mut data, 0)"#,
        },
        Code::CollectiveCount => Page {
            title: text("ranks bring different numbers of elements", "процессы дают разное число элементов"),
            what: text(
                "The lengths of a collective must fit: the same everywhere, or, in the verbs with v, what one side deals out and the other has room for. MPI reads behind a buffer or cuts off in silence where they do not.",
                "Длины в коллективной операции должны сходиться: одинаковы у всех, а в вариантах с v - сколько одна сторона раздаёт, столько другая готова принять. Иначе MPI молча читает за буфером или отбрасывает.",
            ),
            hint: text(
                "How each of the two ranks computes its length. A remainder that only some ranks get needs scatterv, gatherv or allgatherv and the same table of counts.",
                "Как каждый из двух процессов вычисляет длину. Если остаток достаётся не всем, нужны scatterv, gatherv или allgatherv и общая таблица длин.",
            ),
            picture: text(
                r#"rank 0   bcast [ a ]
rank 1   bcast [ _ | _ ]"#,
                r#"ранг 0   bcast [ a ]
ранг 1   bcast [ _ | _ ]"#,
            ),
            wrong: r#"let mut data = vec![0; 1 + world.rank()];
world.bcast(&mut data, 0)"#,
            right: r#"let mut data = vec![0; 2];
world.bcast(&mut data, 0)"#,
        },
        Code::CollectiveType => Page {
            title: text("ranks bring elements of different types", "процессы дают элементы разных типов"),
            what: text(
                "All ranks of a collective must have the same element type. MPI moves bytes and compares nothing: an integer is read as a floating-point number, and the result is nonsense.",
                "Тип элементов в коллективной операции у всех один. MPI передаёт байты и ничего не сверяет: целое читается как вещественное, и результат бессмыслен.",
            ),
            hint: text(
                "The types of both buffers; a literal without a suffix is `i32` or `f64` unless something else says so.",
                "Типы обоих буферов; литерал без суффикса - это `i32` или `f64`, если не сказано иное.",
            ),
            picture: text(
                r#"rank 0   bcast [ 7 : i64 ]
rank 1   bcast [ ? : f64 ]"#,
                r#"ранг 0   bcast [ 7 : i64 ]
ранг 1   bcast [ ? : f64 ]"#,
            ),
            wrong: r#"if world.rank() == 0 {
    return world.bcast(&mut [7_i64], 0);
}
world.bcast(&mut [0.0_f64], 0)"#,
            right: r#"let mut number = [world.rank() as f64];
world.bcast(&mut number, 0)"#,
        },
        Code::CollectiveOperation => Page {
            title: text("ranks ask for different reductions", "процессы просят разные операции редукции"),
            what: text(
                "A reduction combines everybody's elements by one operation. If ranks name different ones, partial results are mixed, and which ones depends on the algorithm.",
                "Редукция соединяет элементы всех одной операцией. Если названы разные, частичные результаты смешиваются, и как именно, зависит от алгоритма.",
            ),
            hint: text(
                "The operation argument on both lines; two results need two reductions.",
                "Аргумент-операцию в обеих строках; для двух результатов нужны две редукции.",
            ),
            picture: text(
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
        },
        _ => return None,
    })
}
