//! WB0002: a rank waits for a rank that has ended.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a rank waits for a rank that has ended",
        "процесс ждёт процесс, который уже завершился",
    ),
    what: Text::new(
        "The rank that should answer has returned from the program. It sends and receives nothing any more, so the wait never ends. For a wildcard receive: every rank that could send has ended.",
        "Процесс, который должен ответить, уже завершил программу. Он больше ничего не отправит и не примет, поэтому ожидание не закончится. Для приёма от любого отправителя: завершились все процессы, которые могли бы отправить сообщение.",
    ),
    picture: Text::new(
        r#"rank 0   recv from 1 ..................... for ever
rank 1   ----- end"#,
        r#"ранг 0   recv от 1 ....................... бесконечно
ранг 1   ----- конец"#,
    ),
    wrong: r#"if world.rank() == 0 {
    let mut answer = [0.0];
    world.recv(&mut answer, 1, 0)?;
}
Ok(())"#,
    right: r#"if world.rank() == 0 {
    let mut answer = [0.0];
    world.recv(&mut answer, 1, 0)?;
    return Ok(());
}
world.send(&[2.5], 0, 0)"#,
    hint: Text::new(
        "Count the sends and the receives of the two ranks: there is one receive too many, or a send is under a condition that this rank does not meet (`if rank == 0`, the last iteration of a loop, an early return).",
        "Сосчитайте send и recv у этих двух процессов: либо есть лишний приём, либо send стоит под условием, которое на этом процессе не выполнено (`if rank == 0`, последний шаг цикла, ранний return).",
    ),
};
