//! The instructor's sequential version.
use workbench::{Invalid, Place, Result, Rooted, Task, TypedVec, World};

use crate::problem::{Scattering, Whole};

/// Cuts the vector into the fixed number of parts, or takes it as one part.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Scattering;
    type Prepared = Whole;
    type Raw = Vec<TypedVec>;

    const OUTPUT: Place = Place::Home;

    /// The root is a rank of another world of unknown size, so only a negative root is rejected.
    fn validation(&self, input: &Whole, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.root >= 0, format!("root {} is negative", input.root))?;
        let parts = input.parts.unwrap_or(1);
        Invalid::unless(parts > 0, "the number of parts is zero")?;
        let count = input.data.count();
        Invalid::unless(
            count.is_multiple_of(parts),
            format!("{count} elements do not make {parts} equal parts"),
        )
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Whole>) -> Result<Whole> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, input: &Whole) -> Result<Vec<TypedVec>> {
        let parts = input.parts.unwrap_or(1);
        let length = input.data.count() / parts;
        Ok((0..parts).map(|part| input.data.slice(part * length..(part + 1) * length)).collect())
    }

    fn postprocessing(&self, _world: &World, parts: Vec<TypedVec>) -> Result<Rooted<Vec<TypedVec>>> {
        Ok(Rooted::Here(parts))
    }
}
