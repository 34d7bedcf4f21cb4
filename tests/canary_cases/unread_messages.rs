//! Messages that no rank reads.
use crate::number_task::{distribute, test};

/// Three of them: two in the world, one on a half of it.
#[test]
fn messages_stay_unread() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let half = world.split(Some((world.rank() / 2) as u32), 0)?.expect("every rank has a colour");
        if world.rank() == 0 {
            world.send(&[1_u8, 2, 3], 1, 11)?;
            world.send(&[1.5], 1, 12)?;
            half.send(&[7_i32; 5], 1, 13)?;
        }
        Ok(number)
    });
}
