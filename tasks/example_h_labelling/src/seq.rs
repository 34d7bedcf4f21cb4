//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
use std::collections::HashMap;

use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    problem::{BinaryImage, Labelling},
    strip::{Components, cost},
};

/// Labels the whole image on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Labelling;
    type Prepared = BinaryImage;
    type Raw = Vec<u64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, image: &BinaryImage, _ranks: usize) -> std::result::Result<(), Invalid> {
        let BinaryImage { rows, columns, pixels } = image;
        let is_complete = rows.checked_mul(*columns) == Some(pixels.len());
        Invalid::unless(is_complete, format!("{} pixels are not {rows} x {columns}", pixels.len()))?;
        let other = pixels.iter().position(|pixel| *pixel > 1);
        other.map_or(Ok(()), |at| Err(Invalid::because(format!("pixel {at} is {}, not 0 or 1", pixels[at]))))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<BinaryImage>) -> Result<BinaryImage> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, image: &BinaryImage) -> Result<Vec<u64>> {
        let (flops, bytes) = cost(image.pixels.len());
        world.work(flops, bytes);
        Ok(Components::of(&image.pixels, image.columns, 0).labels(&HashMap::new()))
    }

    fn postprocessing(&self, _world: &World, labels: Vec<u64>) -> Result<Rooted<Vec<u64>>> {
        Ok(Rooted::Here(labels))
    }
}
