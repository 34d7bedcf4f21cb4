//! WB0042: a partner or a root that does not exist.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a partner or a root that does not exist", "партнёр или корневой процесс не существует"),
    what: Text::new(
        "Ranks are numbered from 0 to P - 1 in each communicator separately (MPI_ERR_RANK, MPI_ERR_ROOT).",
        "Ранги нумеруются от 0 до P - 1, в каждом коммуникаторе отдельно (MPI_ERR_RANK, MPI_ERR_ROOT).",
    ),
    picture: Text::new(
        r#"0 ---> 1 ---> 2 ---> 3 ?      P = 3: ranks 0, 1, 2"#,
        r#"0 ---> 1 ---> 2 ---> 3 ?      P = 3: ранги 0, 1, 2"#,
    ),
    wrong: r#"let (rank, mut left) = (world.rank(), [0_usize]);
world.send(&[rank], rank + 1, 0)?;
if rank > 0 {
    world.recv(&mut left, rank - 1, 0)?;
}
Ok(())"#,
    right: r#"let (rank, size, mut left) = (world.rank(), world.size(), [0_usize]);
let request = world.isend(vec![rank], (rank + 1) % size, 0)?;
world.recv(&mut left, (rank + size - 1) % size, 0)?;
request.wait()?;
Ok(())"#,
    hint: Text::new(
        "How the partner is computed at the ends: rank 0 has no left neighbour and rank P - 1 has no right one, unless the ring is closed with `% size`. After a split, use the rank and the size of the new communicator.",
        "Как вычисляется партнёр на краях: у процесса 0 нет левого соседа, у процесса P - 1 нет правого, если кольцо не замкнуто через `% size`. После split используйте ранг и размер нового коммуникатора.",
    ),
};
