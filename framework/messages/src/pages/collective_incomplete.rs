//! WB0004: a collective operation that some ranks do not call.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a collective operation that some ranks do not call",
        "коллективная операция, которую вызвали не все процессы",
    ),
    what: Text::new(
        "A collective operation needs all ranks of its communicator. Some ranks have called it. Another rank has ended without the call, is in another call and waits for one of them, or has called it on another communicator. The program need not hang: a broadcast lets its root continue, a gather lets the other ranks continue.",
        "Коллективной операции нужны все процессы коммуникатора. Часть процессов её вызвала. Другой процесс завершился без этого вызова, ждёт одного из них в другом вызове или вызвал операцию на другом коммуникаторе. Программа может и не зависнуть: bcast не задерживает корневой процесс, gather не задерживает остальные.",
    ),
    picture: Text::new(
        r#"rank 0   ----- end
rank 1   barrier .........................
rank 2   barrier ........................."#,
        r#"ранг 0   ----- конец
ранг 1   barrier .........................
ранг 2   barrier ........................."#,
    ),
    wrong: r#"if world.rank() == 0 {
    return Ok(());
}
world.barrier()"#,
    right: r#"if world.rank() == 0 {
    world.send(&[1], 1, 0)?;
}
if world.rank() == 1 {
    world.recv(&mut [0], 0, 0)?;
}
world.barrier()"#,
    hint: Text::new(
        "Collective calls under a condition on the rank, after an early return or an error of one rank, or behind a receive whose send comes after the collective. Every rank must reach the call.",
        "Коллективные вызовы под условием на ранг, после раннего return или ошибки на одном процессе, а также после приёма, чья отправка стоит после коллективной операции. До вызова должен дойти каждый процесс.",
    ),
};
