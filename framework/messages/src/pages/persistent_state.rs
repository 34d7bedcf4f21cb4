//! WB0013: a persistent request in the wrong state.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a persistent request in the wrong state", "отложенный запрос в неподходящем состоянии"),
    what: Text::new(
        "A persistent request is active from its start to its wait. Only an inactive one can be started, and only an active one can be waited for. While it is active, the operation uses the buffer.",
        "Отложенный запрос активен от start до wait. Запустить можно только неактивный запрос, а дождаться завершения — только активного. Пока он активен, операция пользуется буфером.",
    ),
    picture: Text::new(
        r#"send_init   start ------ wait   start ------ wait
            |  active  |        |  active  |
                ^ a second start here is the mistake"#,
        r#"send_init   start ------ wait   start ------ wait
            | активен  |        | активен  |
                ^ второй start здесь — ошибка"#,
    ),
    wrong: r#"if world.rank() == 1 {
    return (0..2).try_for_each(|_| world.recv(&mut [0], 0, 0).map(drop));
}
let mut send = world.send_init(vec![1], 1, 0)?;
send.start()?;
send.start()?;
send.wait()"#,
    right: r#"if world.rank() == 1 {
    return (0..2).try_for_each(|_| world.recv(&mut [0], 0, 0).map(drop));
}
let mut send = world.send_init(vec![1], 1, 0)?;
for _ in 0..2 {
    send.start()?;
    send.wait()?;
}
Ok(())"#,
    hint: Text::new(
        "The start or the wait of the report, and the line that made the request. In a loop each turn needs one start and one wait.",
        "Вызов start или wait из отчёта и строка, где запрос создан. В цикле на каждый шаг нужен один start и один wait.",
    ),
};
