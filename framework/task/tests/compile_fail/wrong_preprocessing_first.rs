//! Preprocessing an input that was not validated.
use wb_task::{Failure, Input, Pipeline, Progress, Task};
use wb_world::{Rooted, World};

fn misuse<T: Task>(task: &T, world: &World, input: Input<T>) -> Result<(), Failure> {
    let progress = Progress::default();
    let submitted = Pipeline::new(task, world, &progress, Rooted::Here(input), 0);
    submitted.preprocessing()?;
    Ok(())
}

fn main() {}
