//! Ranks that wait for what no rank sends or receives.
use crate::number_task::{distribute, test};

#[test]
fn a_receive_is_never_answered() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let mut nothing = [0.0; 3];
        world.recv(&mut nothing, (world.rank() + 1) % world.size(), 7)?;
        Ok(number)
    });
}

/// Two long messages sent simultaneously: works as long as the library buffers them.
#[test]
fn both_send_first() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let (long, mut received) = (vec![number; 1 << 18], vec![0; 1 << 18]);
        let partner = world.rank() ^ 1;
        world.send(&long, partner, 3)?;
        world.recv(&mut received, partner, 3)?;
        Ok(received[0])
    });
}

#[test]
fn another_tag_is_awaited() {
    test(|world, number| {
        let number = distribute(world, number)?;
        match world.rank() {
            0 => world.send(&[number], 1, 17)?,
            1 => world.recv(&mut [0_u64], 0, 18).map(drop)?,
            _ => {}
        }
        Ok(number)
    });
}
