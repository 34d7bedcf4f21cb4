//! The ranks that share a node, according to the library or to the injected topology; the same on all ranks.
use std::{
    ffi::c_int,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
};

use mpi::ffi::{MPI_Comm_free, MPI_Comm_split_type};
use wb_comm::{Context, Error, Rank, Result, nodes, text};

use crate::{
    check::check,
    communicator::{MpiCommunicator, all_gather},
    group::translate_ranks,
    handles, session,
};

/// Collective: the node of every rank of `communicator`.
pub(crate) fn nodes(communicator: &MpiCommunicator) -> Result<Vec<usize>> {
    let text = nodes::from_environment();
    // A rank without an injection would wait in the library for the ranks that have one.
    let fingerprints = all_gather(communicator, fingerprint(text.as_deref()))?;
    if let Some(other) = fingerprints.iter().position(|one| *one != fingerprints[0]) {
        return Err(Error::Setup(text::setup::nodes_differ(nodes::VARIABLE, other)));
    }
    match text {
        Some(text) => {
            let of_case = nodes::parse(&text, communicator.case_size)?;
            let mine = ranks_in_job(communicator)?;
            Ok(nodes::renumber(&mine.iter().map(|rank| of_case[*rank]).collect::<Vec<_>>()))
        }
        None => {
            let lowest = lowest_neighbour(communicator)?;
            let names = all_gather(communicator, lowest as u64)?;
            Ok(nodes::renumber(&names.iter().map(|name| *name as usize).collect::<Vec<_>>()))
        }
    }
}

/// A number that differs for different texts. All ranks run one program, so they have one hash.
fn fingerprint(text: Option<&str>) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}

/// The lowest rank on this rank's node.
fn lowest_neighbour(communicator: &MpiCommunicator) -> Result<Rank> {
    let mut part = handles::COMM_NULL;
    let comm = communicator.comm_of(Context::User)?;
    // SAFETY: a live communicator, no hints, one handle for the answer. Equal keys keep the order of ranks.
    let code =
        unsafe { MPI_Comm_split_type(comm, handles::COMM_TYPE_SHARED, 0, handles::INFO_NULL, &mut part) };
    check("MPI_Comm_split_type", code)?;
    session::return_errors(part)?;
    let lowest = translate_ranks(part, &[0], comm);
    // SAFETY: made above, freed once.
    check("MPI_Comm_free", unsafe { MPI_Comm_free(&mut part) })?;
    Ok(lowest?[0])
}

/// The members' ranks in the job; a case has the first ranks of the job.
pub(crate) fn ranks_in_job(communicator: &MpiCommunicator) -> Result<Vec<Rank>> {
    let ranks: Vec<_> = (0..communicator.size as c_int).collect();
    translate_ranks(communicator.comm_of(Context::User)?, &ranks, handles::COMM_WORLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_have_other_fingerprints() {
        let texts = [None, Some(""), Some("2x1"), Some("1x2"), Some("2x1,1x2")];
        for (n, text) in texts.iter().enumerate() {
            assert!(texts[..n].iter().all(|other| fingerprint(*other) != fingerprint(*text)), "{text:?}");
        }
    }
}
