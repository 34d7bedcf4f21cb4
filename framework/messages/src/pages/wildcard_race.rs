//! WB0021: the choice of a wildcard receive decides the result.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "the choice of a wildcard receive decides the result",
        "результат зависит от того, что получит приём от любого отправителя",
    ),
    what: Text::new(
        "Several messages match a receive from any source (or with any tag), and it is not defined which is received first. With one order the program is right, with another it hangs or computes something else.",
        "Приёму от любого отправителя (или с любым тегом) подходит несколько сообщений, и какое будет принято первым, не определено. При одном порядке программа верна, при другом зависает или вычисляет другой результат.",
    ),
    picture: Text::new(
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
    hint: Text::new(
        "The use of the message after the wildcard receive: read its source from the status, name the source where it matters, or give different messages different tags.",
        "Что делается с сообщением после приёма от любого отправителя: узнайте отправителя по статусу, укажите его явно там, где это важно, или дайте разным сообщениям разные теги.",
    ),
};
