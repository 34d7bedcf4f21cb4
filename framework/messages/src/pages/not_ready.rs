//! WB0049: a ready send whose receive is not posted.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a ready send whose receive is not posted",
        "отправка по готовности, а приём ещё не начат",
    ),
    what: Text::new(
        "rsend promises the library that the receive is posted already. If it is not, the result is undefined: the message may be lost. The sender can know it only from a message of the receiver.",
        "rsend обещает библиотеке, что приём уже начат. Если это не так, результат не определён: сообщение может пропасть. Узнать об этом отправитель может только из сообщения получателя.",
    ),
    picture: Text::new(
        r#"rank 0   rsend -->
rank 1        ? irecv     before or after: chance decides"#,
        r#"процесс 0   rsend -->
процесс 1        ? irecv     раньше или позже: решает случай"#,
    ),
    wrong: r#"if world.rank() == 0 {
    return world.rsend(&[1], 1, 0);
}
world.recv(&mut [0], 0, 0)?;
Ok(())"#,
    right: r#"if world.rank() == 0 {
    world.recv(&mut [0_u8; 0], 1, 1)?;
    return world.rsend(&[1], 1, 0);
}
let request = world.irecv::<i32>(1, 0, 0)?;
world.send(&[0_u8; 0], 0, 1)?;
request.wait()?;
Ok(())"#,
    hint: Text::new(
        "The receiver: irecv first, then a message that says so. If that message costs as much as it saves, use isend.",
        "Получатель: сначала irecv, затем сообщение об этом. Если такое сообщение не окупается, используйте isend.",
    ),
};
