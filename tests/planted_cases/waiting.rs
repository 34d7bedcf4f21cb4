//! Ranks that wait for what does not come, and what is left behind.
use std::hint;

use workbench::{Operation, Rooted, World};

use crate::problems::{
    Doubled, LONG, ROOT, SHORT, Smoothed, Summed, blocks, collect, counts, double, length, share, test,
    test_on,
};

/// The neighbours of a rank in a ring.
fn ring(world: &World) -> (usize, usize) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + size - 1) % size, (rank + 1) % size)
}

#[test]
fn every_rank_receives_first() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let ((left, right), mut sum) = (ring(world), [0]);
        world.recv(&mut sum, left, 0)?; //~ WB0001 0
        world.send(&[sum[0] + mine.iter().sum::<i64>()], right, 0)?;
        Ok(Rooted::on(world.rank() == ROOT, || sum.to_vec()))
    });
}

#[test]
fn every_rank_sends_first() {
    test::<Smoothed>(LONG, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        let (left, right) = ring(world);
        let own = mine.clone();
        world.send(&own, right, 0)?; //~ WB0020 0
        world.recv(&mut mine, left, 0)?;
        collect(world, &mine, &counts)
    });
}

/// The wait for the own send comes before the receive.
#[test]
fn wait_right_after_isend() {
    test::<Smoothed>(LONG, |world, data| {
        let (mine, counts) = share(world, &data)?;
        let (left, right) = ring(world);
        let border = world.isend(mine.clone(), right, 0)?;
        border.wait()?; //~ WB0020 0
        let mut came = vec![0; mine.len()];
        world.recv(&mut came, left, 0)?;
        collect(world, &mine, &counts)
    });
}

#[test]
fn received_twice() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let (own, mut sum) = ([mine.iter().sum::<i64>()], 0);
        if world.rank() != ROOT {
            world.send(&own, ROOT, 0)?;
            return Ok(Rooted::Elsewhere);
        }
        for _ in 0..2 {
            for from in 1..world.size() {
                let mut part = [0];
                world.recv(&mut part, from, 0)?; //~ WB0002 0
                sum += part[0];
            }
        }
        Ok(Rooted::Here(vec![sum + own[0]]))
    });
}

#[test]
fn sent_twice() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let own = [mine.iter().sum::<i64>()];
        if world.rank() != ROOT {
            for _ in 0..2 {
                world.send(&own, ROOT, 0)?; //~ WB0010 1
            }
            return Ok(Rooted::Elsewhere);
        }
        let mut sum = own[0];
        for from in 1..world.size() {
            let mut part = [0];
            world.recv(&mut part, from, 0)?;
            sum += part[0];
        }
        Ok(Rooted::Here(vec![sum]))
    });
}

#[test]
fn isend_without_a_wait() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let own = mine.iter().sum::<i64>();
        if world.rank() != ROOT {
            drop(world.isend(vec![own], ROOT, 0)?); //~ WB0011 1
            return Ok(Rooted::Elsewhere);
        }
        let mut sum = own;
        for from in 1..world.size() {
            let mut part = [0];
            world.recv(&mut part, from, 0)?;
            sum += part[0];
        }
        Ok(Rooted::Here(vec![sum]))
    });
}

#[test]
fn irecv_without_a_wait() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        let (left, right) = ring(world);
        drop(world.irecv::<i64>(1, left, 0)?); //~ WB0011 0
        world.send(&mine[..1], right, 0)?;
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

/// The shares are received without waiting for them, and the root adds what its buffers hold: zeros.
#[test]
fn irecv_without_a_wait_and_its_data_used() {
    //~ "in consequence the output on rank 0 is wrong" 0
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let mut sum = mine.iter().sum::<i64>();
        if world.rank() != ROOT {
            world.send(&[sum], ROOT, 0)?;
            return Ok(Rooted::Elsewhere);
        }
        let part = [0];
        for from in 1..world.size() {
            drop(world.irecv::<i64>(1, from, 0)?); //~ WB0011 0
            sum += part[0];
        }
        Ok(Rooted::Here(vec![sum]))
    });
}

/// Pairs exchange, even ranks first; the last rank asks a partner who is busy with another.
#[test]
fn pairs_that_do_not_match() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        let (rank, mut came) = (world.rank(), [0_i64]);
        if rank > 0 {
            let partner = if rank == 3 { 1 } else { 3 - rank };
            world.recv(&mut came, partner, 0)?; //~ WB0001 1
            world.send(&mine[..1], partner, 0)?;
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

/// On two and three ranks there is a circle; four show that the root has left out one rank.
#[test]
fn the_root_forgets_the_last_rank() {
    test_on::<Summed>([2, 3, 4], SHORT, |world, data| {
        let (rank, size) = (world.rank(), world.size());
        let counts = counts(length(world, &data)?, size);
        let mut mine = vec![0; counts[rank]];
        let Rooted::Here(data) = data else {
            world.recv(&mut mine, ROOT, 0)?; //~ WB0003 3
            world.send(&[mine.iter().sum::<i64>()], ROOT, 1)?;
            return Ok(Rooted::Elsewhere);
        };
        for (to, block) in blocks(&data, &counts).enumerate().take(size - 1).skip(1) {
            world.send(block, to, 0)?;
        }
        let mut sum = data[..counts[ROOT]].iter().sum();
        for from in 1..size {
            let mut part = [0];
            world.recv(&mut part, from, 1)?;
            sum += part[0];
        }
        Ok(Rooted::Here(vec![sum]))
    });
}

/// The condition to stop never holds on rank 2.
#[test]
fn endless_loop_on_one_rank() {
    //~ "still computing" 2
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let (mut sum, mut all) = (0, [0]);
        while world.rank() == 2 || sum == 0 {
            sum = hint::black_box(mine.iter().sum::<i64>());
        }
        world.reduce(&[sum], Some(&mut all), Operation::Sum, ROOT)?;
        Ok(Rooted::on(world.rank() == ROOT, || all.to_vec()))
    });
}

#[test]
fn panic_on_one_rank() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        let third = hint::black_box(2);
        if world.rank() == 2 {
            mine[third] += 1; //~ "rank 2 panicked" 2
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}
