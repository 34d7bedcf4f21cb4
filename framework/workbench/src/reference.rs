//! The output of an assignment's reference.
use wb_task::{Assignment, Failure, Pipeline, Progress, Task};
use wb_world::{Rooted, World};

/// The output of the reference of assignment `A` for `input`, on a rank that is a thread of this process.
///
/// # Errors
/// [`Failure::Invalid`] when the reference refuses the input.
pub fn reference_output<A: Assignment>(input: &A::Input) -> Result<A::Output, Failure> {
    let input = input.clone();
    let outputs = wb_local::threads::run(1, move |transport| {
        let (reference, world, progress) =
            (A::Reference::default(), World::new(transport), Progress::default());
        stages(&reference, &world, &progress, input.clone())
    });
    outputs.into_iter().next().expect("one rank has run")
}

fn stages<T: Task>(
    task: &T,
    world: &World,
    progress: &Progress,
    input: wb_task::Input<T>,
) -> Result<wb_task::Output<T>, Failure> {
    let pipeline =
        Pipeline::new(task, world, progress, Rooted::Here(input), 0).validation()?.preprocessing()?;
    let output = pipeline.postprocessing(pipeline.run()?)?;
    Ok(output.here().expect("the only rank has the output"))
}
