//! The end of an epoch consumes it.
use wb_world::{Result, Window};

fn program(window: &Window<i64>) -> Result<()> {
    let access = window.start(&[1])?;
    access.complete()?;
    access.complete()
}

fn main() {}
