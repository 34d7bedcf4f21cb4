//! The instructor's sequential version.
use workbench::{Invalid, Place, Result, Rooted, Task, TypedVec, World};

use crate::problem::{Scattering, Whole};

/// Cuts the vector into the parts of all ranks.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Scattering;
    type Prepared = Whole;
    type Raw = Vec<TypedVec>;

    const OUTPUT: Place = Place::Home;

    /// The parts are those of the ranks, unless one rank makes the parts of all.
    fn validation(&self, input: &Whole, ranks: usize) -> std::result::Result<(), Invalid> {
        let (count, parts) = (input.data.count(), input.parts);
        Invalid::unless(parts > 0, "the number of parts is zero")?;
        Invalid::unless(ranks == 1 || parts == ranks, format!("{parts} part(s) for {ranks} ranks"))?;
        let is_rank = usize::try_from(input.root).is_ok_and(|root| root < parts);
        Invalid::unless(is_rank, format!("root {} of {parts} rank(s)", input.root))?;
        let is_even = count.is_multiple_of(parts);
        Invalid::unless(is_even, format!("{count} elements do not make {parts} equal parts"))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Whole>) -> Result<Whole> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, input: &Whole) -> Result<Vec<TypedVec>> {
        let length = input.data.count() / input.parts;
        Ok((0..input.parts).map(|part| input.data.slice(part * length..(part + 1) * length)).collect())
    }

    fn postprocessing(&self, _world: &World, parts: Vec<TypedVec>) -> Result<Rooted<Vec<TypedVec>>> {
        Ok(Rooted::Here(parts))
    }
}
