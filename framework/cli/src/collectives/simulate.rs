//! `cargo wb collectives simulate`: the times of the algorithms over messages on a simulated machine.

use wb_algorithms::collectives::{Algorithms, Member, MessageAlgorithm, SizedCall};
use wb_comm::{BorrowedBuffers, CallSite, Collectives, Verb};
use wb_messages::{Lang, collectives as text};

use super::{message_algorithms, named_verb};
use crate::{
    CommandStatus,
    arguments::{SimulateBarriersArgs, SimulateCollectivesArgs},
    barriers,
    broadcasts::{Program, Simulation},
    error::Result,
};

pub(crate) fn run(wanted: &SimulateCollectivesArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let verb = named_verb(wanted.verb.as_deref(), lang)?;
    if verb == Some(Verb::Barrier) {
        let (machine, ranks) = (wanted.machine.clone(), wanted.ranks.clone());
        let plain = SimulateBarriersArgs {
            name: None,
            ranks,
            machine,
            noise: None,
            late: None,
            by: 0,
            episodes: 1,
            path: false,
            radix: None,
        };
        return barriers::simulate(&plain, lang, json);
    }
    let simulation = Simulation {
        machine: &wanted.machine,
        ranks: &wanted.ranks,
        bytes: wanted.bytes,
        segment: None,
        column: text::column_algorithm(lang),
        conditions: text::conditions(lang, wanted.bytes),
    };
    simulation.run(
        message_algorithms(verb).map(|algorithm| program(algorithm, wanted.bytes as usize)),
        lang,
        json,
    )
}

/// The algorithm on blocks of this many bytes, as numbers of one byte.
fn program(algorithm: &MessageAlgorithm, bytes: usize) -> Program<'_> {
    let (mut send, mut recv) = (vec![], vec![]);
    Program {
        name: format!("{} {}", algorithm.verb, algorithm.name),
        // No algorithm sends more than a message from each rank to each rank.
        messages: Box::new(|size| size * size),
        run: Box::new(move |transport| {
            let call = SizedCall::new(algorithm.verb, Member::of(transport)).expect("blocks of one length");
            send.resize(call.send_blocks * bytes, 0_u8);
            recv.resize(call.recv_blocks * bytes, 0_u8);
            let buffers = BorrowedBuffers::new(&send, &mut recv);
            Algorithms(transport).run(call.kind, buffers, CallSite::caller(algorithm.verb))
        }),
    }
}
