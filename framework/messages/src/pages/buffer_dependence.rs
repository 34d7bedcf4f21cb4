//! WB0020: the program works only if the library buffers the message.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "the program works only if the library buffers the message",
        "программа работает, только если библиотека буферизует сообщение",
    ),
    what: Text::new(
        "A standard send may wait for its receive, or return immediately because the library keeps a copy. Here a cycle of waits contains such a send: the program works with a short message, and hangs with a longer one, another library or another network.",
        "Стандартная отправка может ждать приёма, а может вернуться сразу, если библиотека скопировала данные. Здесь цикл ожидания проходит через такую отправку: с коротким сообщением программа работает, а с длинным, с другой библиотекой или сетью зависает.",
    ),
    picture: Text::new(
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
    hint: Text::new(
        "The sends of the cycle. Replace the exchange by a sendrecv, or start the send (isend) and wait for it after the receive, or let one side receive first. Do not rely on a message being short.",
        "Вызовы send в цикле. Замените обмен на sendrecv, либо начните отправку (isend) и дождитесь её после приёма, либо пусть одна сторона сначала принимает. Не рассчитывайте на то, что сообщение короткое.",
    ),
};
