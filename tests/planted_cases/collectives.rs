//! Collective calls that are not the same on all ranks.
use workbench::{Operation, Rooted};

use crate::problems::{Doubled, ROOT, SHORT, Summed, blocks, collect, counts, double, length, share, test};

#[test]
fn wrong_root_on_one_rank() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let root = if world.rank() == 2 { 2 } else { ROOT };
        let mut sum = [0];
        world.reduce(&[mine.iter().sum::<i64>()], Some(&mut sum), Operation::Sum, root)?; //~ WB0031 2
        Ok(Rooted::on(world.rank() == ROOT, || sum.to_vec()))
    });
}

/// Only the root knows how many elements there are.
#[test]
fn length_is_not_broadcast() {
    test::<Doubled>(SHORT, |world, data| {
        let mut all = data.here().unwrap_or_default();
        world.bcast(&mut all, ROOT)?; //~ WB0032 0
        double(&mut all);
        Ok(Rooted::on(world.rank() == ROOT, || all))
    });
}

#[test]
fn wrong_count_on_one_rank() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let mut sums = vec![mine.iter().sum::<i64>(); if world.rank() == 3 { 2 } else { 1 }];
        let own = sums.clone();
        world.allreduce(&own, &mut sums, Operation::Sum)?; //~ WB0032 3
        Ok(Rooted::on(world.rank() == ROOT, || sums))
    });
}

#[test]
fn wrong_type_on_one_rank() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let (sum, mut all) = (mine.iter().sum::<i64>(), [0]);
        if world.rank() == 1 {
            let mut all = [0.0];
            world.allreduce(&[sum as f64], &mut all, Operation::Sum)?; //~ WB0033 1
        } else {
            world.allreduce(&[sum], &mut all, Operation::Sum)?; //~ WB0033 0
        }
        Ok(Rooted::on(world.rank() == ROOT, || all.to_vec()))
    });
}

#[test]
fn wrong_operation_on_one_rank() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let operation = if world.rank() == ROOT { Operation::Sum } else { Operation::Max };
        let mut sum = [0];
        world.reduce(&[mine.iter().sum::<i64>()], Some(&mut sum), operation, ROOT)?; //~ WB0034 0
        Ok(Rooted::on(world.rank() == ROOT, || sum.to_vec()))
    });
}

#[test]
fn barrier_in_a_branch() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        double(&mut mine);
        if world.rank() == ROOT {
            world.barrier()?; //~ WB0030 0
        }
        collect(world, &mine, &counts)
    });
}

#[test]
fn collectives_in_another_order() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let (own, mut sum, mut most) = ([mine.iter().sum::<i64>()], [0], [mine.len()]);
        if world.rank() == ROOT {
            world.bcast(&mut most, ROOT)?; //~ WB0030 0
            world.reduce(&own, Some(&mut sum), Operation::Sum, ROOT)?;
        } else {
            world.reduce(&own, None, Operation::Sum, ROOT)?; //~ WB0030 1|2|3
            world.bcast(&mut most, ROOT)?;
        }
        Ok(Rooted::on(world.rank() == ROOT, || sum.to_vec()))
    });
}

/// A rank whose share is small leaves before the others meet.
#[test]
fn early_return_on_one_rank() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        if mine.len() < 3 && world.rank() == 3 {
            return Ok(Rooted::Elsewhere);
        }
        double(&mut mine);
        let mut all = (world.rank() == ROOT).then(|| vec![0; counts.iter().sum()]);
        let room = all.as_mut().map(|all| (&mut all[..], &counts[..]));
        world.gatherv(&mine, room, ROOT)?; //~ WB0004 0
        Ok(all.into())
    });
}

#[test]
fn root_without_a_buffer() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        world.reduce(&[mine.iter().sum::<i64>()], None, Operation::Sum, ROOT)?; //~ WB0046 0
        Ok(Rooted::Elsewhere)
    });
}

/// One rank computes the counts for another length.
#[test]
fn counts_differ() {
    test::<Doubled>(SHORT, |world, data| {
        let all = length(world, &data)?;
        let counts = counts(if world.rank() == 2 { all + 4 } else { all }, world.size());
        let mut mine = vec![0; counts[world.rank()]];
        world.scatterv(data.as_deref().map(|data| (data, &counts[..])), &mut mine, ROOT)?; //~ WB0032 2
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

/// The root sends, and the others wait in a broadcast.
#[test]
fn sends_instead_of_a_broadcast() {
    test::<Summed>(SHORT, |world, data| {
        let mut part = [0; SHORT];
        if let Some(data) = data.as_deref() {
            for to in 1..world.size() {
                world.send(data, to, 0)?;
            }
            return Ok(Rooted::Here(vec![data.iter().sum()]));
        }
        world.bcast(&mut part, ROOT)?; //~ WB0004 1
        Ok(Rooted::Elsewhere)
    });
}

/// The root calls a collective for those only that have something to do.
#[test]
fn reduction_of_the_others_only() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let (own, mut sum) = ([mine.iter().sum::<i64>()], [0]);
        if world.rank() != ROOT {
            world.allreduce(&own, &mut sum, Operation::Sum)?; //~ WB0004 1
            return Ok(Rooted::Elsewhere);
        }
        let sum = data.as_deref().map(|data| data.iter().sum()).unwrap_or_default();
        Ok(Rooted::Here(vec![sum]))
    });
}

/// Blocks by message to the workers, and one of them continues with a gather that the others do not call.
#[test]
fn gather_by_one_worker() {
    test::<Doubled>(SHORT, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let mut mine = vec![0; counts[world.rank()]];
        if let Some(data) = data.as_deref() {
            for (to, block) in blocks(data, &counts).enumerate().skip(1) {
                world.send(block, to, 0)?;
            }
            mine.copy_from_slice(&data[..counts[ROOT]]);
        } else {
            world.recv(&mut mine, ROOT, 0)?;
        }
        double(&mut mine);
        if world.rank() == 2 {
            let mut all = vec![0; 4];
            world.allgather(&mine[..1], &mut all)?; //~ WB0030 2
        }
        collect(world, &mine, &counts)
    });
}
