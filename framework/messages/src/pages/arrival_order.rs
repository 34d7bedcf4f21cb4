//! WB0023: the result depends on the order of arrival.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "the result depends on the order of arrival",
        "результат зависит от порядка прихода сообщений",
    ),
    what: Text::new(
        "Each run is right by itself, but the results of runs differ: data received from any source, found by a probe or written to a window are used in the order of their arrival. The next run may print something else. Floating-point numbers that are added in that order differ in their last digits: if that is all, it is a remark and not a mistake.",
        "Каждый запуск сам по себе верен, но результаты запусков различаются: данные, принятые от любого отправителя, найденные при проверке (probe) или записанные в окно, используются в порядке прихода. Следующий запуск может вывести другое. Вещественные числа, сложенные в таком порядке, различаются в последних цифрах: если различие только в этом, это замечание, а не ошибка.",
    ),
    picture: Text::new(
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
    hint: Text::new(
        "The use of a message after the receive: store it at the place of its sender (the status names it), or sort, or receive from named ranks. For sums that must be the same in every run, receive in the order of ranks and then add; a reduction does that.",
        "Что делается с сообщением после приёма: сохраняйте его на место отправителя (он указан в статусе), либо сортируйте, либо принимайте от указанных процессов. Чтобы суммы совпадали во всех запусках, принимайте данные в порядке рангов и затем складывайте; так работает редукция.",
    ),
};
