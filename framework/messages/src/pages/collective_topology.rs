//! WB0035: ranks describe different topologies.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("ranks describe different topologies", "процессы описывают разные топологии"),
    what: Text::new(
        "All ranks make a communicator with a topology together. A Cartesian one needs the same dimensions, periods and reordering on every rank. In a graph, each rank that another one names as its destination must name it as a source, as many times.",
        "Коммуникатор с топологией создают все процессы вместе. Для декартовой топологии размеры, периодичность и флаг перенумерации должны быть одинаковы у всех процессов. В графе процесс, указанный получателем, должен столько же раз указать отправителя.",
    ),
    picture: Text::new(
        r#"rank 0   cart_create, dims [2, 1]
rank 1   cart_create, dims [1, 2]"#,
        r#"ранг 0   cart_create, размеры [2, 1]
ранг 1   cart_create, размеры [1, 2]"#,
    ),
    wrong: r#"let dims = if world.rank() == 0 { [2, 1] } else { [1, 2] };
world.cart_create(&dims, &[false, false], false)?;
Ok(())"#,
    right: r#"let dims = workbench::dims_create(world.size(), &[0, 0])?;
world.cart_create(&dims, &[false, false], false)?;
Ok(())"#,
    hint: Text::new(
        "The arguments on both lines: compute them from the number of ranks, not from the rank.",
        "Аргументы в обеих строках: вычисляйте их по числу процессов, а не по рангу.",
    ),
};
