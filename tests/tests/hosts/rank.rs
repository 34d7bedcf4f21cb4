//! A rank of a job on several hosts: what it sees, and a rank that waits for ever.
use std::{fs, path::Path, process::ExitCode, rc::Rc};

use wb_comm::{CallSite, Error, Operation, ProcessRanks, Verb};
use wb_world::World;

use crate::jobs::is_open_mpi;

/// The length of the message that is passed around: far more than launchers send.
pub(crate) const MESSAGE_LENGTH: usize = 4 << 20;

/// What this process is to do as a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Writes what it sees.
    Observe,
    /// Waits for a message that is not sent.
    Wait,
}

impl Role {
    /// The word of a command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Observe => "rank-that-observes",
            Self::Wait => "rank-that-waits",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Self> {
        [Self::Observe, Self::Wait].into_iter().find(|role| role.word() == word)
    }
}

/// A rank: the second argument is the folder of its file, which has its rank as name.
pub(crate) fn main(role: Role) -> ExitCode {
    let folder = std::env::args().nth(2).expect("a folder");
    wb_process::die_with_parent().expect("Linux can");
    match run(role, Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(role: Role, folder: &Path) -> Result<(), Error> {
    let job = wb_mpi::MPI.init()?;
    let (rank, size) = (job.rank(), job.size());
    let transport = job.open_communicator(size)?.expect("all ranks take part");
    let nodes = transport.nodes(CallSite::caller(Verb::Barrier))?;
    let world = World::new(Rc::clone(&transport));
    let write = |text: String| fs::write(folder.join(rank.to_string()), text).expect("a shared folder");
    match role {
        Role::Observe => {
            let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
            let sum = pass_around(&world, rank, size)?;
            combine_in_memory_and_between_nodes(&world)?;
            write(format!("{} size {size} nodes {nodes:?} sum {sum}", host.trim()));
        }
        Role::Wait => {
            write("waits".into());
            let mut never = [0u8];
            world.recv(&mut never, (rank + 1) % size, 7)?;
        }
    }
    world.barrier()?;
    drop(world);
    drop(transport);
    job.free_communicators()?;
    // MPI_Finalize of MPICH 4.0 with UCX 1.13 over TCP does not end in many jobs on several hosts (7 of 16 on two cores): some ranks close
    // their connections, and the others wait for the launcher and serve none. openucx/ucx has a similar report, issue 8738.
    if !is_open_mpi() {
        wb_mpi::MPI.skip_finalize();
    }
    Ok(())
}

/// Operations of which a part is in the memory of each node give what the library gives.
fn combine_in_memory_and_between_nodes(world: &World) -> Result<(), Error> {
    let own: Vec<u64> = (0..3000).map(|at| at * 7 + world.rank() as u64).collect();
    let results = |names| -> Result<_, Error> {
        world.choose_collectives(names)?;
        let (mut all, mut of_root, mut from_root) = (own.clone(), own.clone(), own.clone());
        for root in 0..world.size() {
            world.barrier()?;
            world.allreduce(&own, &mut all, Operation::Sum)?;
            world.reduce(&own, (world.rank() == root).then_some(&mut of_root[..]), Operation::Max, root)?;
            world.bcast(&mut from_root, root)?;
        }
        Ok((all, of_root, from_root))
    };
    let library = results("library")?;
    for names in ["barrier_one_hop,bcast_flat,reduce_flat,allreduce_one_hop", "auto"] {
        assert!(results(names)? == library, "{names}");
    }
    world.choose_collectives("library")
}

/// Passes a long message from rank to rank; each adds its rank. The sum, which rank 0 gives to all.
fn pass_around(world: &World, rank: usize, size: usize) -> Result<u64, Error> {
    let mut words = vec![0u64; MESSAGE_LENGTH / 8];
    if rank > 0 {
        world.recv(&mut words, rank - 1, 1)?;
    }
    words[0] += rank as u64;
    if size > 1 {
        world.send(&words, (rank + 1) % size, 1)?;
    }
    if rank == 0 && size > 1 {
        world.recv(&mut words, size - 1, 1)?;
    }
    let mut sum = [words[0]];
    world.bcast(&mut sum, 0)?;
    Ok(sum[0])
}
