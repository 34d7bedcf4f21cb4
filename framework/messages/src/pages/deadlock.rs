//! WB0001: ranks wait for each other in a cycle.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("ranks wait for each other in a cycle", "процессы ждут друг друга по кругу"),
    what: Text::new(
        "Each rank of the cycle is in a call that only the next rank can complete, and the next rank is blocked too. None of them can continue, on any library and any machine.",
        "Каждый процесс цикла находится в вызове, завершить который может только следующий процесс, а тот тоже заблокирован. Ни один из них не продолжит работу ни с какой библиотекой и ни на какой машине.",
    ),
    picture: Text::new(
        r#"rank 0   recv from 1 ----.
   ^                     |   waits for
   |                     v
   '---- recv from 0   rank 1"#,
        r#"ранг 0   recv от 1 ------.
   ^                     |   ждёт
   |                     v
   '---- recv от 0     ранг 1"#,
    ),
    wrong: r#"let partner = 1 - world.rank();
let mut theirs = [0_usize];
world.recv(&mut theirs, partner, 0)?;
world.send(&[world.rank()], partner, 0)"#,
    right: r#"let partner = 1 - world.rank();
let mut theirs = [0_usize];
if world.rank() == 0 {
    world.send(&[world.rank()], partner, 0)?;
    world.recv(&mut theirs, partner, 0)?;
} else {
    world.recv(&mut theirs, partner, 0)?;
    world.send(&[world.rank()], partner, 0)?;
}
Ok(())"#,
    hint: Text::new(
        "The cycle in the report: each line is a call and the rank it waits for. Some rank of the cycle has to send before it receives. In a ring, let one rank send first or use sendrecv on all ranks; of two partners, let one send first.",
        "Цикл в отчёте: каждая строка — вызов и процесс, которого он ждёт. Какой-то процесс цикла должен отправить сообщение до приёма. В кольце пусть один процесс начинает с отправки или все вызывают sendrecv; из двух партнёров пусть один сначала отправляет.",
    ),
};
