//! Pages of what a program leaves behind.
use wb_comm::Code;

use super::{Page, text};

/// Of this class.
pub(super) fn page(code: Code) -> Option<Page> {
    Some(match code {
        Code::UnreceivedMessage => Page {
            title: text("a message that nobody received", "сообщение, которое никто не принял"),
            what: text(
                "It was sent, the program is over, and no receive took it. The data are lost, and with a longer message or another library the sender would have waited for ever.",
                "Оно отправлено, программа закончилась, а принимающего вызова не было. Данные потеряны; при более длинном сообщении или с другой библиотекой отправитель ждал бы вечно.",
            ),
            hint: text(
                "The line of the send, and the rank it was for: what should have received it there? Often a loop sends to one rank too many (itself), or the receiver stops at the first hit.",
                "Строку отправки и того, кому она предназначена: что должно было принять её там? Часто цикл отправляет и самому себе, либо получатель останавливается на первом ответе.",
            ),
            picture: text(
                r#"rank 0   send to 1, tag 11 ---->  [ tag 11 ]  rank 1   end"#,
                r#"ранг 0   send процессу 1, тег 11 ---->  [ тег 11 ]  ранг 1   конец"#,
            ),
            wrong: r#"if world.rank() == 0 {
    world.send(&[1, 2, 3], 1, 11)?;
}
Ok(())"#,
            right: r#"if world.rank() == 0 {
    world.send(&[1, 2, 3], 1, 11)?;
} else {
    world.recv(&mut [0; 3], 0, 11)?;
}
Ok(())"#,
        },
        Code::RequestLeak => Page {
            title: text(
                "a started send or receive that nobody waited for",
                "начатая операция, которую никто не дождался",
            ),
            what: text(
                "isend and irecv only begin. Until wait has returned, nobody knows whether the data have gone or come; in C the buffer may be overwritten meanwhile. A request that is dropped can never be completed.",
                "isend и irecv только начинают. Пока не вернулся wait, неизвестно, ушли ли данные или пришли; в C буфер тем временем может быть испорчен. Брошенный запрос уже не завершить.",
            ),
            hint: text(
                "The line that started it. Keep requests of a loop in a vector and wait for all of them; look for early returns between the start and the wait.",
                "Строку, где операция начата. Запросы цикла складывайте в вектор и дождитесь всех; проверьте ранние return между началом и wait.",
            ),
            picture: text(
                r#"irecv ----------------------------- (dropped)
          message may come here, and nobody looks"#,
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
        },
        Code::WindowLeak => Page {
            title: text("a window that nobody freed", "окно, которое никто не освободил"),
            what: text(
                "To free a window is a collective call, so dropping the value cannot do it: the drop of one rank would wait for the others. The window stays open until the job ends.",
                "Освобождение окна - коллективный вызов, поэтому удаление значения его не заменяет: drop на одном процессе ждал бы остальных. Окно остаётся открытым до конца задания.",
            ),
            hint: text(
                "The line that made it. Call `window.free()` on all ranks, outside all epochs, also on the way out through a condition.",
                "Строку, где окно создано. Вызовите `window.free()` на всех процессах вне эпох, в том числе на пути через ранний return.",
            ),
            picture: text(
                r#"rank 0   window --- put --- end        (no free)
rank 1   window ----------- end        (no free)"#,
                r#"ранг 0   окно --- put --- конец        (нет free)
ранг 1   окно ----------- конец        (нет free)"#,
            ),
            wrong: r#"let window = world.window::<i64>(4)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()"#,
            right: r#"let window = world.window::<i64>(4)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
        },
        _ => return None,
    })
}
