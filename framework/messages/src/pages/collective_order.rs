//! WB0030: ranks call different collective operations.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "ranks call different collective operations",
        "процессы вызывают разные коллективные операции",
    ),
    what: Text::new(
        "The k-th collective call of a communicator must be the same on every rank. Two ranks are in different ones. A nonblocking call does not match a blocking one: ibcast and bcast are different calls. Creating a communicator or a window, fence and free are collective calls too.",
        "k-й коллективный вызов коммуникатора должен быть одним и тем же на каждом процессе. Здесь два процесса находятся в разных вызовах. Неблокирующий вызов не соответствует блокирующему: ibcast и bcast — разные вызовы. Создание коммуникатора или окна, fence и free - тоже коллективные вызовы.",
    ),
    picture: Text::new(
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
    hint: Text::new(
        "Both lines: at which condition do the ranks take different branches? Collective calls belong outside `if rank == ...`.",
        "Обе строки: на каком условии процессы расходятся по разным ветвям? Коллективные вызовы должны стоять вне `if rank == ...`.",
    ),
};
