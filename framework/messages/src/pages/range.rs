//! WB0047: elements of a window that its owner has not exposed.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "elements of a window that its owner has not exposed",
        "элементы окна вне памяти, открытой владельцем",
    ),
    what: Text::new(
        "Each rank exposes as many elements as it named when it created the window; ranks may name different numbers. The displacement is counted in elements, from 0 (MPI_ERR_RMA_RANGE).",
        "Каждый процесс открывает столько элементов, сколько указал при создании окна; у разных процессов это число может быть разным. Смещение считается в элементах, с 0 (MPI_ERR_RMA_RANGE).",
    ),
    picture: Text::new(
        r#"rank 1:  [ 0 | 1 | 2 | 3 ]
                           ^ put at 4"#,
        r#"ранг 1:  [ 0 | 1 | 2 | 3 ]
                           ^ put по смещению 4"#,
    ),
    wrong: r#"let window = world.window::<i64>(4)?;
let epoch = window.fence()?;
if world.rank() == 0 {
    epoch.put(&[1], 1, 4)?;
}
epoch.end()?;
window.free()"#,
    right: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
    hint: Text::new(
        "`window.count(rank)` of the target, not of the origin; displacement plus length must not exceed it.",
        "`window.count(rank)` целевого процесса, а не своего; смещение плюс длина не больше этого числа.",
    ),
};
