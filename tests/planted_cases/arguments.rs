//! Messages and calls with one argument that is wrong.
use workbench::{Operation, Rooted, World};

use crate::problems::{
    Doubled, LONG, ROOT, SHORT, Smoothed, Summed, blocks, collect, counts, double, length, share, test,
};

const WORK: i32 = 1;
const RESULT: i32 = 2;

/// The root deals blocks of a long list out, and the workers wait for another tag.
#[test]
fn wrong_tag_of_a_long_message() {
    test::<Doubled>(LONG, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let mut mine = vec![0; counts[world.rank()]];
        if let Some(data) = data.as_deref() {
            for (to, block) in blocks(data, &counts).enumerate().skip(1) {
                world.send(block, to, WORK)?; //~ WB0003 0
            }
            mine.copy_from_slice(&data[..counts[ROOT]]);
        } else {
            world.recv(&mut mine, ROOT, RESULT)?; //~ WB0003 1
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

#[test]
fn wrong_tag_of_a_short_message() {
    test::<Doubled>(SHORT, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let mut mine = vec![0; counts[world.rank()]];
        if let Some(data) = data.as_deref() {
            for (to, block) in blocks(data, &counts).enumerate().skip(1) {
                world.send(block, to, WORK)?; //~ WB0003 0
            }
            mine.copy_from_slice(&data[..counts[ROOT]]);
        } else {
            world.recv(&mut mine, ROOT, RESULT)?; //~ WB0003 1
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

/// Every rank receives from the rank before it instead of from the root.
#[test]
fn wrong_source() {
    test::<Doubled>(SHORT, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let mut mine = vec![0; counts[world.rank()]];
        if let Some(data) = data.as_deref() {
            for (to, block) in blocks(data, &counts).enumerate().skip(1) {
                world.send(block, to, WORK)?;
            }
            mine.copy_from_slice(&data[..counts[ROOT]]);
        } else {
            world.recv(&mut mine, world.rank() - 1, WORK)?; //~ WB0003 2
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

#[test]
fn last_rank_left_out_before_a_collective() {
    test::<Doubled>(SHORT, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let mut mine = vec![0; counts[world.rank()]];
        if let Some(data) = data.as_deref() {
            for to in 1..world.size() - 1 {
                let from: usize = counts[..to].iter().sum();
                world.send(&data[from..from + counts[to]], to, WORK)?; //~ WB0003 0
            }
            mine.copy_from_slice(&data[..counts[ROOT]]);
        } else {
            world.recv(&mut mine, ROOT, WORK)?; //~ WB0003 3
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

#[test]
fn last_rank_left_out_before_the_results_are_received() {
    test::<Summed>(SHORT, |world, data| {
        let Some(data) = data.as_deref() else {
            let (block, _) = world.recv_vec::<i64>(ROOT, WORK)?; //~ WB0003 3
            world.send(&[block.iter().sum::<i64>()], ROOT, RESULT)?;
            return Ok(Rooted::Elsewhere);
        };
        let counts = counts(data.len(), world.size());
        for (to, block) in blocks(data, &counts).enumerate().take(world.size() - 1).skip(1) {
            world.send(block, to, WORK)?; //~ WB0003 0
        }
        let mut sum: i64 = data[..counts[ROOT]].iter().sum();
        for from in 1..world.size() {
            let mut part = [0];
            world.recv(&mut part, from, RESULT)?;
            sum += part[0];
        }
        Ok(Rooted::Here(vec![sum]))
    });
}

/// Borders go to both neighbours, and rank 0 has no left one.
#[test]
fn left_neighbour_of_rank_0_wraps() {
    test::<Smoothed>(SHORT, |world, data| {
        let (mine, counts) = share(world, &data)?;
        let left = world.rank().wrapping_sub(1);
        let border = world.isend(vec![mine[0]], left, WORK)?; //~ WB0042 0
        border.wait()?;
        collect(world, &mine, &counts)
    });
}

#[test]
fn right_neighbour_of_the_last_rank_does_not_exist() {
    test::<Smoothed>(SHORT, |world, data| {
        let (mine, counts) = share(world, &data)?;
        let (rank, mut border) = (world.rank(), [0_i64]);
        let left = if rank == 0 { world.size() - 1 } else { rank - 1 };
        world.sendrecv(&mine[..1], rank + 1, WORK, &mut border, left, WORK)?; //~ WB0042 3
        collect(world, &mine, &counts)
    });
}

#[test]
fn root_wraps() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let mut sum = [0];
        let root = ROOT.wrapping_sub(1);
        world.reduce(&[mine.iter().sum::<i64>()], Some(&mut sum), Operation::Sum, root)?; //~ WB0042 -
        Ok(Rooted::on(world.rank() == ROOT, || sum.to_vec()))
    });
}

/// The root sends its own block to itself, too, and does not receive it.
#[test]
fn block_sent_to_itself() {
    test::<Doubled>(SHORT, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let mut mine = vec![0; counts[world.rank()]];
        if let Some(data) = data.as_deref() {
            for (to, block) in blocks(data, &counts).enumerate() {
                world.send(block, to, WORK)?; //~ WB0010 0
            }
            mine.copy_from_slice(&data[..counts[ROOT]]);
        } else {
            world.recv(&mut mine, ROOT, WORK)?;
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

/// Every rank passes a sum on to the right, and waits for it from the right as well.
#[test]
fn partner_off_by_one() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let (rank, size) = (world.rank(), world.size());
        let (right, mut came) = ((rank + 1) % size, [0_i64]);
        let passed = world.isend(vec![mine.iter().sum::<i64>()], right, WORK)?; //~ WB0003 3
        world.recv(&mut came, right, WORK)?; //~ WB0003 0
        passed.wait()?;
        Ok(Rooted::on(rank == ROOT, || came.to_vec()))
    });
}

#[test]
fn wrong_type() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let sum: i64 = mine.iter().sum();
        if world.rank() != ROOT {
            world.send(&[sum as f64], ROOT, RESULT)?; //~ WB0041 1
            return Ok(Rooted::Elsewhere);
        }
        let others = (1..world.size()).map(|from| {
            let mut part = [0_i64];
            world.recv(&mut part, from, RESULT)?; //~ WB0041 0
            Ok(part[0])
        });
        Ok(Rooted::Here(vec![sum + others.sum::<workbench::Result<i64>>()?]))
    });
}

#[test]
fn buffer_too_small() {
    test::<Doubled>(SHORT, |world, data| {
        let counts = counts(length(world, &data)?, world.size());
        let each = SHORT / world.size();
        let mut mine = vec![0; each];
        if let Some(data) = data.as_deref() {
            for (to, block) in blocks(data, &counts).enumerate().skip(1) {
                world.send(block, to, WORK)?; //~ WB0040 0
            }
            mine.copy_from_slice(&data[..each]);
        } else {
            world.recv(&mut mine, ROOT, WORK)?; //~ WB0040 1
        }
        double(&mut mine);
        collect(world, &mine, &counts)
    });
}

/// Tags by the block's number, counted from the last one.
#[test]
fn negative_tag() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let tag = world.rank() as i32 - 2;
        world.isend(mine, ROOT, tag)?.wait()?; //~ WB0043 -
        Ok(Rooted::Elsewhere)
    });
}

#[test]
fn scatter_with_a_remainder() {
    test::<Doubled>(SHORT, |world, data| {
        let mut mine = vec![0; length(world, &data)? / world.size()];
        world.scatter(data.as_deref(), &mut mine, ROOT)?; //~ WB0044 0
        double(&mut mine);
        collect(world, &mine, &vec![mine.len(); world.size()])
    });
}

#[test]
fn no_room_for_what_is_gathered() {
    test::<Doubled>(SHORT, |world, data| {
        let (mut mine, counts) = share(world, &data)?;
        double(&mut mine);
        let mut all = vec![0; mine.len()];
        let room = (world.rank() == ROOT).then_some((&mut all[..], &counts[..]));
        world.gatherv(&mine, room, ROOT)?; //~ WB0044 0
        Ok(Rooted::on(world.rank() == ROOT, || all))
    });
}

/// Rows of a grid of two by two, and a rank of the whole world is taken for one of the row.
#[test]
fn rank_of_another_communicator() {
    test::<Summed>(SHORT, |world, data| {
        let (mine, _) = share(world, &data)?;
        let row: World = world.split(Some(world.rank() as u32 / 2), 0)?.expect("every rank has a colour");
        let mut sum = [0];
        row.reduce(&[mine.iter().sum::<i64>()], Some(&mut sum), Operation::Sum, world.size() - 1)?; //~ WB0042 -
        Ok(Rooted::on(world.rank() == ROOT, || sum.to_vec()))
    });
}
