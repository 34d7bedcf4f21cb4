//! WB0011: a started send or receive that was never completed.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a started send or receive that was never completed",
        "неблокирующая операция начата, но не завершена",
    ),
    what: Text::new(
        "isend and irecv only start an operation. Until wait has returned, it is unknown whether the data have been sent or received; in C the buffer may be overwritten meanwhile. A request that is dropped can never be completed.",
        "isend и irecv только начинают операцию. Пока wait не вернул управление, неизвестно, отправлены или получены ли данные; в C буфер за это время может быть перезаписан. Операцию, запрос которой отброшен, завершить уже нельзя.",
    ),
    picture: Text::new(
        r#"irecv ----------------------------- (dropped)
          a message may arrive here and is never read"#,
        r#"irecv ----------------------------- (забыт)
          сообщение может прийти сюда, но его никто не прочтёт"#,
    ),
    wrong: r#"if world.rank() == 0 {
    return (0..3).try_for_each(|tag| world.send(&[tag], 1, tag));
}
let mut last = None;
for tag in 0..3 {
    last = Some(world.irecv::<i32>(1, 0, tag)?);
}
last.map_or(Ok(()), |request| request.wait().map(drop))"#,
    right: r#"if world.rank() == 0 {
    return (0..3).try_for_each(|tag| world.send(&[tag], 1, tag));
}
let start = |tag| world.irecv::<i32>(1, 0, tag);
let requests = (0..3).map(start).collect::<Result<Vec<_>>>()?;
requests.into_iter().try_for_each(|request| request.wait().map(drop))"#,
    hint: Text::new(
        "The line that started the operation. Keep the requests of a loop in a vector and wait for all of them; look for an early return between the start and the wait.",
        "Строка, где операция начата. Запросы цикла храните в векторе и дождитесь каждого из них; проверьте, нет ли раннего return между началом операции и wait.",
    ),
};
