//! The canary: the right order compiles, with any number of runs.
use wb_task::{Failure, Input, Pipeline, Progress, Task};
use wb_world::{Rooted, World};

fn order<T: Task>(task: &T, world: &World, input: Input<T>) -> Result<(), Failure> {
    let progress = Progress::default();
    let submitted = Pipeline::new(task, world, &progress, Rooted::Here(input), 0);
    let prepared = submitted.validation()?.preprocessing()?;
    prepared.run()?;
    let raw = prepared.run()?;
    prepared.postprocessing(raw)?;
    Ok(())
}

fn main() {}
