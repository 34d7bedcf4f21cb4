//! The algorithm over messages of each collective operation, as [`schedule`] picks it: its name and source, the call of each rank, and its
//! schedules; [`schedule_proof`](super::schedule_proof) executes them.
use wb_comm::{CollectiveKind, CollectiveSchedule, Operation, Rank, Text, Verb};

use crate::collectives::{Member, schedule};

/// One algorithm.
#[derive(Clone, Copy, Debug)]
pub struct MessageAlgorithm {
    /// The operation.
    pub verb: Verb,
    /// Its name, which is also its file's.
    pub name: &'static str,
    /// Paper or library.
    pub source: &'static str,
    /// One line of description.
    pub summary: Text<&'static str>,
}

macro_rules! algorithms {
    ($($verb:ident $name:literal $source:literal $en:literal $ru:literal)*) => {
        /// The algorithm of each operation on data.
        pub const MESSAGE_ALGORITHMS: &[MessageAlgorithm] = &[$(MessageAlgorithm {
            verb: Verb::$verb, name: $name, source: $source, summary: Text { en: $en, ru: $ru },
        }),*];
    };
}

algorithms! {
    Allgather "ring" "Thakur, Rabenseifner, Gropp 2005"
        "every rank hands the block on that it has received last"
        "каждый процесс передаёт дальше последний полученный блок"
    Allreduce "recursive_doubling" "Thakur, Rabenseifner, Gropp 2005"
        "partners twice as far each time exchange all they have reduced"
        "партнёры, каждый раз вдвое дальше, обмениваются всем, что свернули"
    Alltoall "pairwise" "MPICH; Open MPI coll/base pairwise"
        "in step d every rank sends to the rank d after it"
        "на шаге d каждый процесс шлёт процессу, который на d дальше"
    Bcast "binomial" "Johnsson, Ho 1989; Open MPI bmtree"
        "a binomial tree; each rank with the data sends it on, twice as far each time"
        "биномиальное дерево; у кого есть данные, шлёт дальше, каждый раз вдвое дальше"
    Exscan "doubling" "Hillis, Steele 1986"
        "every rank sends the reduction of the ranks before it twice as far each time"
        "каждый процесс шлёт свёртку предшествующих, каждый раз вдвое дальше"
    Gather "linear" "Open MPI coll/base basic_linear"
        "the root receives from every rank" "корневой процесс получает от каждого"
    Reduce "binomial" "Thakur, Rabenseifner, Gropp 2005"
        "a binomial tree in the order of ranks" "биномиальное дерево в порядке номеров процессов"
    ReduceScatterBlock "pairwise" "MPICH; Open MPI coll/base pairwise"
        "in step d every rank sends a block to the rank d after it, and reduces its own"
        "на шаге d каждый процесс шлёт блок процессу, который на d дальше, и сворачивает свой"
    Scan "doubling" "Hillis, Steele 1986"
        "every rank sends its reduction twice as far each time" "каждый процесс шлёт свою свёртку, каждый раз вдвое дальше"
    Scatter "linear" "Open MPI coll/base basic_linear"
        "the root sends to every rank" "корневой процесс отправляет каждому"
}

/// The name of the algorithm of any operation that returns when it is complete. Blocks of several lengths (`allgatherv`, `alltoallw`) are sent like
/// blocks of one.
pub fn message_algorithm_name(verb: Verb) -> &'static str {
    let folder = verb.name().trim_end_matches(['v', 'w']);
    let like = || MESSAGE_ALGORITHMS.iter().find(|algorithm| algorithm.folder() == folder);
    match MessageAlgorithm::of(verb).or_else(like) {
        Some(algorithm) => algorithm.name,
        None if verb == Verb::Barrier => "dissemination",
        None => "linear",
    }
}

/// The call of an operation by one rank, with blocks of one length and a sum.
#[derive(Clone, Copy, Debug)]
pub struct SizedCall {
    /// The operation.
    pub kind: CollectiveKind<'static>,
    /// The blocks of the send buffer.
    pub send_blocks: usize,
    /// The blocks of the receive buffer.
    pub recv_blocks: usize,
}

impl SizedCall {
    /// That of a rank from root 0; `None` for an operation without blocks of one length.
    pub fn new(verb: Verb, member: Member) -> Option<Self> {
        Self::with_root(verb, member, 0)
    }

    /// That of a rank; `root` has no effect on operations without a root. `None` for an operation without blocks of one length.
    pub fn with_root(verb: Verb, Member { rank, size }: Member, root: Rank) -> Option<Self> {
        let operation = Operation::Sum;
        let at_root = |blocks: usize| if rank == root { blocks } else { 0 };
        let (kind, send_blocks, recv_blocks) = match verb {
            Verb::Bcast => (CollectiveKind::Bcast { root }, 0, 1),
            Verb::Reduce => (CollectiveKind::Reduce { operation, root }, 1, at_root(1)),
            Verb::Allreduce => (CollectiveKind::Allreduce { operation }, 1, 1),
            Verb::Gather => (CollectiveKind::Gather { root }, 1, at_root(size)),
            Verb::Scatter => (CollectiveKind::Scatter { root }, at_root(size), 1),
            Verb::Allgather => (CollectiveKind::Allgather, 1, size),
            Verb::Alltoall => (CollectiveKind::Alltoall, size, size),
            Verb::ReduceScatterBlock => (CollectiveKind::ReduceScatterBlock { operation }, size, 1),
            Verb::Scan => (CollectiveKind::Scan { operation }, 1, 1),
            Verb::Exscan => (CollectiveKind::Exscan { operation }, 1, 1),
            _ => return None,
        };
        Some(Self { kind, send_blocks, recv_blocks })
    }
}

impl MessageAlgorithm {
    /// The algorithm of an operation.
    pub fn of(verb: Verb) -> Option<&'static Self> {
        MESSAGE_ALGORITHMS.iter().find(|algorithm| algorithm.verb == verb)
    }

    /// The folder of its file in `collectives`.
    pub fn folder(&self) -> &'static str {
        match self.verb {
            Verb::Bcast => "broadcast/catalogue",
            Verb::Exscan => "scan",
            Verb::ReduceScatterBlock => "reduce_scatter",
            verb => verb.name(),
        }
    }

    /// Whether the operation has a root.
    pub fn has_root(&self) -> bool {
        let call = SizedCall::new(self.verb, Member { rank: 0, size: 1 });
        call.is_some_and(|call| call.kind.root().is_some())
    }

    /// The rounds of each rank for blocks of `count` elements.
    pub fn schedules(&self, size: usize, count: usize, root: Rank) -> Vec<CollectiveSchedule> {
        let rounds = |rank: Rank| {
            let member = Member { rank, size };
            let call =
                SizedCall::with_root(self.verb, member, root).expect("each row has blocks of one length");
            schedule(call.kind, member, call.send_blocks * count, call.recv_blocks * count)
        };
        (0..size).map(rounds).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn each_algorithm_has_its_name_from_a_file() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/collectives");
        for algorithm in MESSAGE_ALGORITHMS {
            let file = format!("{}/{}.rs", algorithm.folder(), algorithm.name);
            assert!(sources.join(&file).exists(), "{}: {file}", algorithm.verb);
        }
        let names = [Verb::Alltoallw, Verb::Gatherv, Verb::ReduceScatter, Verb::NeighborAlltoallv];
        assert_eq!(names.map(message_algorithm_name), ["pairwise", "linear", "pairwise", "linear"]);
    }
}
