//! WB0048: a buffered send that does not fit the attached buffer.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "a buffered send that does not fit the attached buffer",
        "буферизованная отправка не помещается в подключённый буфер",
    ),
    what: Text::new(
        "bsend copies the message to memory that the program has attached, and never waits. Each message needs its size and BSEND_OVERHEAD bytes there until it is received. Without that room the send fails: it cannot wait.",
        "bsend копирует сообщение в память, которую подключила программа, и никогда не ждёт. Каждое сообщение занимает там свой размер и ещё BSEND_OVERHEAD байт, пока его не примут. Если места нет, отправка завершается ошибкой: ждать она не может.",
    ),
    picture: Text::new(
        r#"buffer_attach(136)   [ message 1 ]            full until it is received
bsend, bsend                        [ message 2 ] no room"#,
        r#"buffer_attach(136)   [сообщение 1]            занято, пока не примут
bsend, bsend                        [сообщение 2] нет места"#,
    ),
    wrong: r#"if world.rank() == 0 {
    world.buffer_attach(8 + World::BSEND_OVERHEAD)?;
    world.bsend(&[1_i64], 1, 0)?;
    world.bsend(&[2_i64], 1, 1)?;
    world.send(&[0_u8], 1, 2)?;
    world.buffer_detach()?;
} else {
    world.recv(&mut [0_u8], 0, 2)?;
    world.recv(&mut [0_i64], 0, 0)?;
    world.recv(&mut [0_i64], 0, 1)?;
}
Ok(())"#,
    right: r#"if world.rank() == 0 {
    world.buffer_attach(2 * (8 + World::BSEND_OVERHEAD))?;
    world.bsend(&[1_i64], 1, 0)?;
    world.bsend(&[2_i64], 1, 1)?;
    world.send(&[0_u8], 1, 2)?;
    world.buffer_detach()?;
} else {
    world.recv(&mut [0_u8], 0, 2)?;
    world.recv(&mut [0_i64], 0, 0)?;
    world.recv(&mut [0_i64], 0, 1)?;
}
Ok(())"#,
    hint: Text::new(
        "buffer_attach: add size and BSEND_OVERHEAD of every message that can be in the buffer at one time. Usually isend is simpler.",
        "buffer_attach: сложите размеры всех сообщений, которые могут быть в буфере одновременно, и по BSEND_OVERHEAD на каждое. Обычно проще isend.",
    ),
};
