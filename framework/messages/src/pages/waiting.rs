//! Pages of ranks that wait in vain.
use wb_comm::Code;

use super::{Page, text};

/// Of this class.
pub(super) fn page(code: Code) -> Option<Page> {
    Some(match code {
        Code::Deadlock => Page {
            title: text("ranks wait for each other in a circle", "процессы ждут друг друга по кругу"),
            what: text(
                "Each rank of the circle stands in a call that only the next one can end, and the next one stands too. Nobody will ever go on, whatever the library and the machine are.",
                "Каждый процесс круга стоит в вызове, завершить который может только следующий, а следующий тоже стоит. Никто никогда не продвинется, какой бы ни была библиотека и машина.",
            ),
            hint: text(
                "The circle in the report: each line is a call and whom it waits for. Somewhere in the circle one rank has to send before it receives. In a ring one rank must begin, or use sendrecv; of two partners let one send first.",
                "Круг в отчёте: каждая строка - вызов и тот, кого он ждёт. Где-то в круге один процесс должен отправить до того, как принимать. В кольце кто-то один начинает, либо все вызывают sendrecv; из двух партнёров один отправляет первым.",
            ),
            picture: text(
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
        },
        Code::PartnerEnded => Page {
            title: text("a rank waits for one that has ended", "процесс ждёт того, кто уже завершился"),
            what: text(
                "The rank that should answer has returned from the program. It will send and receive nothing any more, so the wait is in vain. With a wildcard: everybody who could send has ended.",
                "Процесс, который должен ответить, уже вышел из программы. Он больше ничего не отправит и не примет, ждать его бесполезно. При приёме от любого: завершились все, кто мог бы отправить.",
            ),
            hint: text(
                "Count the sends and receives of the two ranks: one receive is too many, or a send stands behind a condition that this rank does not meet (`if rank == 0`, the last turn of a loop, an early return).",
                "Сосчитайте send и recv у этих двух процессов: один приём лишний, либо send стоит под условием, которое у этого процесса не выполнено (`if rank == 0`, последний шаг цикла, ранний return).",
            ),
            picture: text(
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
        },
        Code::NearMiss => Page {
            title: text(
                "a receive that no send matches",
                "приём, которому не соответствует ни одна отправка",
            ),
            what: text(
                "A receive takes a message only if communicator, receiver, source and tag all agree. A rank waits, and there is an unreceived message that differs in one of them, or its sender has sent the message to other ranks and not to this one. They will never match.",
                "recv берёт сообщение, только если совпадают коммуникатор, получатель, отправитель и тег. Процесс ждёт, и есть непринятое сообщение, которое отличается в чём-то одном, либо отправитель послал сообщение другим процессам, а этому нет. Они никогда не сойдутся.",
            ),
            hint: text(
                "The two lines in the report: the receive and the send. The first detail says in what they differ. Take tags from named constants, and compute partners on both sides by one formula. A loop of sends over all ranks ends at size, not at size - 1.",
                "Две строки в отчёте: приём и отправка. Первая подробность говорит, чем они отличаются. Теги берите из именованных констант, а партнёра с обеих сторон вычисляйте по одной формуле. Цикл отправок всем процессам кончается на size, а не на size - 1.",
            ),
            picture: text(
                r#"rank 0   send to 1, tag 7  ---->  [ tag 7 ]   rank 1
                                      x
                                  recv from 0, tag 8"#,
                r#"ранг 0   send процессу 1, тег 7  ---->  [ тег 7 ]   ранг 1
                                            x
                                        recv от 0, тег 8"#,
            ),
            wrong: r#"if world.rank() == 0 {
    return world.send(&[1], 1, 7);
}
world.recv(&mut [0], 0, 8)?;
Ok(())"#,
            right: r#"if world.rank() == 0 {
    return world.send(&[1], 1, 7);
}
world.recv(&mut [0], 0, 7)?;
Ok(())"#,
        },
        Code::CollectiveIncomplete => Page {
            title: text(
                "a collective that not everybody calls",
                "коллективная операция, которую вызвали не все",
            ),
            what: text(
                "A collective needs all ranks of its communicator. Some ranks have called it; another rank has ended without the call, waits in another call for a rank that is inside, or has called it on another communicator. It need not hang: a broadcast lets its root go on, a gather lets the other ranks go on.",
                "Коллективной операции нужны все процессы коммуникатора. Одни её вызвали; другой завершился без этого вызова, стоит в другом вызове и ждёт кого-то из них или вызвал её на другом коммуникаторе. Зависания может и не быть: bcast не задерживает корневой процесс, gather не задерживает остальные.",
            ),
            hint: text(
                "Collectives under a condition on the rank, after an early return or an error of one rank, or behind a receive whose send comes after the collective. Every rank must reach the call.",
                "Коллективные операции под условием на номер процесса, после раннего return или ошибки на одном процессе, или за recv, чей send стоит после операции. До вызова должен дойти каждый.",
            ),
            picture: text(
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
        },
        _ => return None,
    })
}
