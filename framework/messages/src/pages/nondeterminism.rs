//! Pages of programs that lean on an order that nobody promised.
use wb_comm::Code;

use super::{Page, text};

/// Of this class.
pub(super) fn page(code: Code) -> Option<Page> {
    Some(match code {
        Code::BufferDependence => Page {
            title: text(
                "it works only where the library buffers the message",
                "работает, только если библиотека буферизует сообщение",
            ),
            what: text(
                "A standard send may wait for its receive, and it may return at once because the library keeps a copy. Here ranks form a circle through such a send: with a short message it works, with a longer one, another library or another network it hangs.",
                "Обычный send может ждать приёма, а может вернуться сразу, если библиотека скопировала данные. Здесь круг процессов проходит через такой send: с коротким сообщением работает, а с длинным, с другой библиотекой или сетью зависает.",
            ),
            hint: text(
                "The sends in the circle. Make the exchange a sendrecv, or start the send (isend) and wait for it after the receive, or let one side receive first. Never rely on a message being short.",
                "Вызовы send в круге. Замените обмен на sendrecv, либо начните отправку (isend) и дождитесь её после приёма, либо пусть одна сторона сначала принимает. Не рассчитывайте, что сообщение короткое.",
            ),
            picture: text(
                r#"         short: kept                 long: waits
rank 0   send --> [ ]  recv          send ......
rank 1   send --> [ ]  recv          send ......"#,
                r#"         короткое: в буфере          длинное: ждёт
ранг 0   send --> [ ]  recv          send ......
ранг 1   send --> [ ]  recv          send ......"#,
            ),
            wrong: r#"let partner = 1 - world.rank();
let mut theirs = [0_usize];
world.send(&[world.rank()], partner, 0)?;
world.recv(&mut theirs, partner, 0)?;
Ok(())"#,
            right: r#"let partner = 1 - world.rank();
let mut theirs = [0_usize];
world.sendrecv(&[world.rank()], partner, 0, &mut theirs, partner, 0)?;
Ok(())"#,
        },
        Code::WildcardRace => Page {
            title: text(
                "what a wildcard receive takes decides the result",
                "от выбора приёма «от любого» зависит результат",
            ),
            what: text(
                "Several messages answer a receive from any source (or with any tag), and which comes first is not defined. With one order the program is right, with another it hangs or computes something else.",
                "Приёму от любого отправителя (или с любым тегом) подходит несколько сообщений, и какое придёт первым, не определено. При одном порядке программа верна, при другом зависает или считает другое.",
            ),
            hint: text(
                "What happens to the message after the wildcard receive: use the status to see whose it is, name the source where it matters, or give different messages different tags.",
                "Что делается с сообщением после приёма от любого: по статусу узнайте, чьё оно; где это важно, назовите отправителя; разным сообщениям давайте разные теги.",
            ),
            picture: text(
                r#"rank 1  --- a --.
                 >--  recv from any: a or b?   then recv from 1
rank 2  --- b --'"#,
                r#"ранг 1  --- a --.
                 >--  recv от любого: a или b?   затем recv от 1
ранг 2  --- b --'"#,
            ),
            wrong: r#"if world.rank() > 0 {
    return world.send(&[world.rank()], 0, 0);
}
let mut number = [0_usize];
world.recv(&mut number, ANY_SOURCE, 0)?;
world.recv(&mut number, 1, 0)?;
Ok(())"#,
            right: r#"if world.rank() > 0 {
    return world.send(&[world.rank()], 0, 0);
}
let mut number = [0_usize];
world.recv(&mut number, 1, 0)?;
world.recv(&mut number, ANY_SOURCE, 0)?;
Ok(())"#,
        },
        Code::ArrivalOrder => Page {
            title: text(
                "the order of arrival decides which of several results comes out",
                "от порядка прихода зависит, какой из результатов получится",
            ),
            what: text(
                "Each run by itself is right, but they do not come to the same: what is received from any source, seen by a look or written to a window is used in the order in which it came. The next run may print something else. Floating-point numbers that are added in that order differ in their last digits: if that is all, it is a remark and no fault.",
                "Каждый запуск сам по себе верен, но результаты разные: то, что принято от любого отправителя, замечено при проверке или записано в окно, используется в порядке прихода. Следующий запуск может выдать другое. Вещественные числа, сложенные в таком порядке, различаются в последних цифрах: если только в них, это замечание, а не ошибка.",
            ),
            hint: text(
                "What happens to a message after the receive: put it where its sender belongs (the status says whose it is), or sort, or receive from named ranks. For sums that must be the same in every run: receive by rank, then add; a reduction does that.",
                "Что делается с сообщением после приёма: кладите его на место отправителя (его называет статус), либо сортируйте, либо принимайте от названных процессов. Чтобы суммы совпадали во всех запусках, примите по номерам и потом сложите; так делает редукция.",
            ),
            picture: text(
                r#"rank 1  --- 1 --.        [1, 2]
                 >--  push          which one today?
rank 2  --- 2 --'        [2, 1]"#,
                r#"ранг 1  --- 1 --.        [1, 2]
                 >--  push          какой порядок на этот раз?
ранг 2  --- 2 --'        [2, 1]"#,
            ),
            wrong: r#"let mut all = vec![];
if world.rank() > 0 {
    world.send(&[world.rank()], 0, 0)?;
    return Ok(all);
}
let mut number = [0];
for _ in 1..world.size() {
    world.recv(&mut number, ANY_SOURCE, 0)?;
    all.push(number[0]);
}
Ok(all)"#,
            right: r#"let mut all = vec![0; world.size()];
if world.rank() > 0 {
    world.send(&[world.rank()], 0, 0)?;
    return Ok(all);
}
let mut number = [0];
for _ in 1..world.size() {
    let status = world.recv(&mut number, ANY_SOURCE, 0)?;
    all[status.source] = number[0];
}
Ok(all)"#,
        },
        Code::WindowRace => Page {
            title: text(
                "two ranks touch one element, and nothing orders them",
                "два процесса трогают один элемент без порядка",
            ),
            what: text(
                "One of the two changes the element of a window, and no message, collective, epoch or exclusive lock leads from the one call to the other. So either may come first, and a read may see anything.",
                "Один из двух меняет элемент окна, и ни сообщение, ни коллективная операция, ни эпоха, ни исключительная блокировка не ведут от одного вызова к другому. Первым может быть любой, чтение может увидеть что угодно.",
            ),
            hint: text(
                "Both lines. Put something between them that makes the second rank wait for the first: a barrier, a message, post and wait; or take an exclusive lock on both sides. A shared lock excludes nobody who also shares.",
                "Обе строки. Поставьте между ними то, из-за чего второй дождётся первого: барьер, сообщение, post и wait; либо исключительную блокировку с обеих сторон. Разделяемые блокировки друг друга не исключают.",
            ),
            picture: text(
                r#"rank 0   lock -- put x -- unlock
rank 1        read x ?                 (no arrow between them)"#,
                r#"ранг 0   lock -- put x -- unlock
ранг 1        чтение x ?               (между ними нет стрелки)"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    let lock = window.lock(LockKind::Exclusive, 1)?;
    lock.put(&[1], 0)?;
    lock.unlock()?;
} else {
    window.read_all()?;
}
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    let lock = window.lock(LockKind::Exclusive, 1)?;
    lock.put(&[1], 0)?;
    lock.unlock()?;
}
world.barrier()?;
if world.rank() == 1 {
    let lock = window.lock(LockKind::Exclusive, 1)?;
    assert_eq!(window.read_all()?, [1]);
    lock.unlock()?;
}
window.free()"#,
        },
        _ => return None,
    })
}
