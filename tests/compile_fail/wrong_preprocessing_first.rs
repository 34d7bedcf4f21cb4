//! Preprocessing an input that nobody validated.
use workbench::{Failure, Input, Pipeline, Progress, Rooted, Task, World};

fn misuse<T: Task>(task: &T, world: &World, input: Input<T>) -> Result<(), Failure> {
    let progress = Progress::default();
    let submitted = Pipeline::new(task, world, &progress, Rooted::Here(input), 0);
    submitted.preprocessing()?;
    Ok(())
}

fn main() {}
