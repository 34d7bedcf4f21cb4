//! WB0040: a message is longer than the receive buffer.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a message is longer than the receive buffer", "сообщение длиннее буфера приёма"),
    what: Text::new(
        "The receive buffer is shorter than the message (MPI_ERR_TRUNCATE). A message may be shorter than the buffer, but not longer.",
        "Буфер приёма короче сообщения (MPI_ERR_TRUNCATE). Сообщение может быть короче буфера, но не длиннее.",
    ),
    picture: Text::untranslated(r#"send [ 1 | 2 | 3 | 4 ]  ---->  [ _ | _ ] recv"#),
    wrong: r#"if world.rank() == 0 {
    return world.send(&[1, 2, 3, 4], 1, 0);
}
let mut room = [0; 2];
world.recv(&mut room, 0, 0)?;
Ok(())"#,
    right: r#"if world.rank() == 0 {
    return world.send(&[1, 2, 3, 4], 1, 0);
}
let (all, _) = world.recv_vec::<i32>(0, 0)?;
assert_eq!(all, [1, 2, 3, 4]);
Ok(())"#,
    hint: Text::new(
        "Both lengths: is it the message you meant (order, tag)? If the length is not known, use recv_vec, or probe and then receive.",
        "Обе длины: то ли это сообщение (порядок, тег)? Если длина неизвестна, вызовите recv_vec, либо сначала probe, а затем приём.",
    ),
};
