//! WB0099: arguments that make no communicator.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("arguments that make no communicator", "по этим аргументам коммуникатор не создать"),
    what: Text::new(
        "A color of split is a number from 0 to 2147483647, or None for a rank that joins no part. A grid of cart_create has dimensions of at least 1 and no more places than there are ranks. A group of comm_create has ranks of this communicator only. Incl, excl and their ranges name ranks of the group, each once. Cart_shift and cart_rank name dimensions and coordinates of the grid, and dims_create divides the ranks without a rest. The two groups of intercomm_create have no rank in common. Each edge of graph_create is named at both ends. A negative number that is cast to an unsigned type is a very large one. A rank holds at most 500 communicators at a time: make one before the loop, not in each step, or drop it.",
        "Цвет в split — число от 0 до 2147483647 или None, если процесс не входит ни в одну часть. Каждый размер решётки в cart_create не меньше 1, а мест в ней не больше, чем процессов. В группе для comm_create есть только процессы этого коммуникатора. В incl, excl и их диапазонах названы ранги этой группы, каждый один раз. В cart_shift и cart_rank названы измерения и координаты решётки, а dims_create делит процессы без остатка. У двух групп для intercomm_create нет общих процессов. Каждое ребро для graph_create названо с обоих концов. Отрицательное число, приведённое к беззнаковому типу, становится очень большим. Процесс держит не больше 500 коммуникаторов одновременно: создавайте коммуникатор до цикла, а не на каждом шаге, или освобождайте его.",
    ),
    picture: Text::new(
        r#"rank 0   split, color Some(4294967295)        0 - 1 as u32
rank 1   split, color Some(0)"#,
        r#"ранг 0   split, цвет Some(4294967295)         0 - 1 без знака
ранг 1   split, цвет Some(0)"#,
    ),
    wrong: r#"let world_rank = world.rank() as i32;
world.split(Some((world_rank - 1) as u32), 0)?;
Ok(())"#,
    right: r#"let part = world.rank().checked_sub(1);
world.split(part.map(|part| part as u32), 0)?;
Ok(())"#,
    hint: Text::new(
        "The argument in the message, and what is allowed there: most often a difference of ranks is below 0, or dimensions were not computed by dims_create.",
        "Аргумент из сообщения и разрешённые для него значения: чаще всего разность рангов меньше 0 или размеры решётки вычислены не через dims_create.",
    ),
};
