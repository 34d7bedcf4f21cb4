//! Calls that fit together, and values that are wrong; panics of what lies between the calls.
use workbench::{Operation, Rooted};

use crate::problems::{
    Doubled, ROOT, SHORT, Smoothed, Summed, blocks, collect, counts, double, length, share, test,
    test_everywhere,
};

#[test]
fn reduced_with_another_operation() {
    //~ "the output on rank 0 is wrong" 0
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let mut sum = [0];
        world.reduce(&[mine.iter().sum::<i64>()], Some(&mut sum), Operation::Max, ROOT)?;
        Ok(Rooted::on(world.rank() == ROOT, || sum.to_vec()))
    });
}

/// Every rank takes the elements from 0 on, instead of those of its share.
#[test]
fn local_index_as_global() {
    //~ "the output on rank 0 is wrong" 0
    test::<Doubled>(SHORT, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let mut all = data.here().unwrap_or_else(|| vec![0; counts.iter().sum()]);
        world.bcast(&mut all, ROOT)?;
        let mut mine: Vec<_> = (0..counts[world.rank()]).map(|at| all[at]).collect();
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

#[test]
fn no_exchange_of_borders() {
    //~ "the output on rank 0 is wrong" 0
    test::<Smoothed>(SHORT, |world, data| {
        let (mine, counts) = share(world, &data)?;
        let around = |at: usize| mine[at.saturating_sub(1)..mine.len().min(at + 2)].iter().sum();
        let smooth: Vec<i64> = (0..mine.len()).map(around).collect();
        collect(world, &smooth, &counts)
    });
}

#[test]
fn gathered_in_reverse() {
    //~ "the output on rank 0 is wrong" 0
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        double(&mut mine);
        if world.rank() != ROOT {
            world.send(&mine, ROOT, 0)?;
            return Ok(Rooted::Elsewhere);
        }
        for from in (1..counts.len()).rev() {
            mine.extend(world.recv_vec::<i64>(from, 0)?.0);
        }
        Ok(Rooted::Here(mine))
    });
}

/// Equal blocks are dealt out, and what is left over is never touched.
#[test]
fn remainder_is_not_computed() {
    //~ "the output on rank 0 is wrong" 0
    test::<Doubled>(SHORT, |world, data| {
        let all = length(world, &data)?;
        let each = all / world.size();
        let mut mine = vec![0; each];
        let send = data.as_deref().map(|data| &data[..each * world.size()]);
        world.scatter(send, &mut mine, ROOT)?;
        double(&mut mine);
        let mut whole = vec![0; all];
        let room = (world.rank() == ROOT).then(|| &mut whole[..each * world.size()]);
        world.gather(&mine, room, ROOT)?;
        Ok(Rooted::on(world.rank() == ROOT, || whole))
    });
}

/// The sum is on the root, and every rank returns it.
#[test]
fn result_of_the_root_read_everywhere() {
    //~ "the ranks disagree" 1
    test_everywhere::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let mut sum = [0];
        world.reduce(&[mine.iter().sum::<i64>()], Some(&mut sum), Operation::Sum, ROOT)?;
        Ok(Rooted::Here(sum.to_vec()))
    });
}

/// The root sends to rank 1 only, and the others answer with what they have: zeros.
#[test]
fn a_rank_without_data() {
    //~ "received nothing" 2
    test_everywhere::<Doubled>(SHORT, |world, data| {
        let mut all = data.here().unwrap_or_else(|| vec![0; SHORT]);
        match world.rank() {
            ROOT => world.send(&all, 1, 0)?,
            1 => drop(world.recv(&mut all, ROOT, 0)?),
            _ => {}
        }
        double(&mut all);
        Ok(Rooted::Here(all))
    });
}

#[test]
fn no_output_on_the_root() {
    //~ "no output on rank 0" 0
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let mut sum = [0];
        world.allreduce(&[mine.iter().sum::<i64>()], &mut sum, Operation::Sum)?;
        Ok(Rooted::on(world.rank() == 1, || sum.to_vec()))
    });
}

#[test]
fn overflow() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        let large = i64::MAX / 9;
        let _most = mine.iter().map(|number| number * large).max(); //~ "rank 3 panicked" 3
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

/// The line that panics is the library's, the line that asked for the sum is not.
#[test]
fn overflow_inside_a_sum() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        let (large, last) = (i64::MAX / 2, world.rank() == 3);
        let numbers = [large, large, large];
        let _sum: i64 = numbers.iter().take(if last { 3 } else { 1 }).sum(); //~ "rank 3 panicked" 3
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

#[test]
fn division_by_an_empty_share() {
    test::<Doubled>(3, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        let _mean = mine.iter().sum::<i64>() / mine.len() as i64; //~ "rank 3 panicked" 3
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

#[test]
fn value_of_another_rank() {
    test::<Doubled>(SHORT, |world, data| {
        let all = data.here().unwrap(); //~ "Rooted::Elsewhere" -
        let counts = counts(all.len(), world.size());
        let mut mine = blocks(&all, &counts).nth(world.rank()).expect("a block").to_vec();
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

#[test]
fn every_rank_computes_all() {
    //~ "it communicates nothing" -
    test_everywhere::<Summed>(SHORT, |_, _| Ok(Rooted::Here(vec![(1..=SHORT as i64).sum()])));
}
