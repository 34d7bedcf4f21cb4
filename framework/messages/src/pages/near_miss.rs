//! WB0003: a receive that no send matches.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a receive that no send matches", "приём, которому не соответствует ни одна отправка"),
    what: Text::new(
        "A receive takes a message only if communicator, receiver, source and tag are all equal. A rank waits, and there is an unreceived message that differs in one of them, or its sender has sent the message to other ranks and not to this one. Such a message never matches.",
        "Приём получает сообщение, только если совпадают коммуникатор, получатель, отправитель и тег. Процесс ждёт, и либо есть непринятое сообщение, которое отличается в чём-то одном, либо отправитель послал сообщение другим процессам, но не этому. Такое сообщение никогда не подойдёт.",
    ),
    picture: Text::new(
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
    hint: Text::new(
        "The two lines in the report: the receive and the send. The first detail says in what they differ. Use named constants for tags, and compute partners on both sides by one formula. A loop of sends over all ranks ends at size, not at size - 1.",
        "Две строки в отчёте: приём и отправка. В первой подробности сказано, чем они отличаются. Задавайте теги именованными константами и вычисляйте партнёра с обеих сторон по одной формуле. Цикл отправок всем процессам идёт до size, а не до size - 1.",
    ),
};
