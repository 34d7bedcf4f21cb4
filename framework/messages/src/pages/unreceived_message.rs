//! WB0010: a message that no receive took.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a message that no receive took", "сообщение, которое не было принято"),
    what: Text::new(
        "The message was sent, the program has ended, and no receive took it. The data are lost. With a longer message or another library the sender would have waited for ever.",
        "Сообщение отправлено, программа завершилась, а принимающего вызова не было. Данные потеряны. При более длинном сообщении или с другой библиотекой отправитель ждал бы бесконечно.",
    ),
    picture: Text::new(
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
    hint: Text::new(
        "The line of the send and the destination rank: which call should have received the message there? Often a loop sends to one rank too many (the sender itself), or the receiver stops at the first result.",
        "Строка отправки и ранг получателя: какой вызов должен был принять сообщение? Часто цикл отправляет сообщение и самому отправителю либо получатель останавливается на первом найденном результате.",
    ),
};
