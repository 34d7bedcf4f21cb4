//! A flag that is set and read atomically, with flushes around it, orders the put and the get.
//!
//! ranks: 2
use workbench::{Accumulation, Result, World};

pub fn program(world: &World) -> Result<()> {
    let window = world.window::<i64>(2)?;
    let all = window.lock_all()?;
    if world.rank() == 0 {
        all.put(&[42], 1, 0)?;
        all.flush(1)?;
        all.accumulate(&[1], 1, 1, Accumulation::Replace)?;
        all.flush(1)?;
    } else {
        loop {
            let flag = all.fetch_and_op(0, 1, 1, Accumulation::Keep)?;
            all.flush(1)?;
            if flag.value()? == 1 {
                break;
            }
        }
        let put = all.get(1, 1, 0)?;
        all.flush(1)?;
        assert_eq!(put.take()?, [42]);
    }
    all.unlock_all()?;
    window.free()
}
