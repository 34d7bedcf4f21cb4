//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
use assignment_1_20_integral::{Input, Integral};
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::trapezoids::{flops, trapezoids};

/// One rank computes all the steps.
pub struct Seq;

impl Task for Seq {
    type Problem = Integral;
    type Prepared = Input;
    type Raw = f64;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Input, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.from.is_finite() && input.to.is_finite(), "the limits must be finite numbers")?;
        Invalid::unless(input.steps > 0, "at least one step is needed")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Input>) -> Result<Input> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, input: &Input) -> Result<f64> {
        world.work(flops(input, &(0..input.steps)), 0);
        Ok(trapezoids(input, 0..input.steps))
    }

    fn postprocessing(&self, _world: &World, integral: f64) -> Result<Rooted<f64>> {
        Ok(Rooted::Here(integral))
    }
}
