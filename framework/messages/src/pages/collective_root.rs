//! WB0031: ranks name different roots.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("ranks name different roots", "процессы указывают разные корневые процессы"),
    what: Text::new(
        "A collective operation has one root, and every rank must name the same. Otherwise several ranks act as the root, or none.",
        "У коллективной операции один корневой процесс, и все процессы должны указать один и тот же ранг. Иначе корневыми считают себя несколько процессов или ни одного.",
    ),
    picture: Text::new(
        r#"rank 0   bcast, root 0
rank 1   bcast, root 1"#,
        r#"ранг 0   bcast, корень 0
ранг 1   bcast, корень 1"#,
    ),
    wrong: r#"let mut data = [world.rank()];
world.bcast(&mut data, world.rank())"#,
    right: r#"let mut data = [world.rank()];
world.bcast(&mut data, 0)"#,
    hint: Text::new(
        "The root argument: it must not depend on the rank itself. If the root is computed, compute it from data that all ranks have.",
        "Аргумент root: он не должен зависеть от собственного ранга. Если корневой процесс вычисляется, вычисляйте его по данным, которые есть на всех процессах.",
    ),
};
