//! The effects of operations and of delivered messages on the cells and on the messages in flight.
use wb_comm::Rank;

use super::TransitionSystem;
use crate::barriers::{
    Delivery,
    explore::{
        MemoryMessage, MemoryOp,
        automaton::SearchAbort,
        state::{InFlightPut, SystemState},
    },
};

impl TransitionSystem<'_> {
    /// The operation's effect on the memory; the value that it saw.
    pub(super) fn perform(
        &mut self,
        state: &mut SystemState,
        pe: Rank,
        operation: MemoryOp,
    ) -> Result<Option<i64>, SearchAbort> {
        let saw = match operation {
            MemoryOp::Load { cell } | MemoryOp::Wait { cell, .. } | MemoryOp::Test { cell, .. } => {
                self.value(state, pe, cell)
            }
            MemoryOp::Get { pe, cell }
            | MemoryOp::Poll { pe, cell, .. }
            | MemoryOp::FetchAdd { pe, cell, .. }
            | MemoryOp::Swap { pe, cell, .. }
            | MemoryOp::CompareSwap { pe, cell, .. } => self.value(state, pe, cell),
            MemoryOp::Store { cell, value } => {
                if value < self.value(state, pe, cell) {
                    self.counters.mark_plain(pe, cell)?;
                }
                return self.set(state, pe, cell, value).map(|()| None);
            }
            MemoryOp::Put { pe: to, cell, value } => {
                return self.send(state, MemoryMessage { from: pe, to, cell, is_add: false, value });
            }
            MemoryOp::Add { pe: to, cell, by } => {
                return self.send(state, MemoryMessage { from: pe, to, cell, is_add: true, value: by });
            }
            MemoryOp::Fence => {
                self.age_messages(state, |message| message.from == pe);
                return Ok(None);
            }
            MemoryOp::Quiet | MemoryOp::Nothing => return Ok(None),
        };
        match operation {
            MemoryOp::FetchAdd { pe, cell, by } => self.set(state, pe, cell, saw + by)?,
            MemoryOp::Swap { pe, cell, value } => self.set(state, pe, cell, value)?,
            MemoryOp::CompareSwap { pe, cell, expected, value } if saw == expected => {
                self.set(state, pe, cell, value)?;
            }
            _ => {}
        }
        Ok(Some(saw))
    }

    fn send(&mut self, state: &mut SystemState, message: MemoryMessage) -> Result<Option<i64>, SearchAbort> {
        match self.mode.delivery {
            Delivery::Immediate => return self.apply(state, message).map(|_| None),
            Delivery::Fifo => {
                self.age_messages(state, |other| (other.from, other.to) == (message.from, message.to));
            }
            Delivery::Unordered => {}
        }
        let under_way = InFlightPut { message: self.messages.intern(message)?, age: 0 };
        let at = state.in_flight.partition_point(|other| *other < under_way);
        state.in_flight.insert(at, under_way);
        Ok(None)
    }

    /// A fence for these messages: later ones arrive after them.
    fn age_messages(&self, state: &mut SystemState, these: impl Fn(MemoryMessage) -> bool) {
        for under_way in &mut state.in_flight {
            if these(self.messages.value(under_way.message)) {
                under_way.age += 1;
            }
        }
        state.in_flight.sort_unstable();
    }

    pub(super) fn apply(
        &mut self,
        state: &mut SystemState,
        message: MemoryMessage,
    ) -> Result<i64, SearchAbort> {
        let MemoryMessage { to, cell, is_add: adds, value, .. } = message;
        let before = self.value(state, to, cell);
        let now = if adds { before + value } else { value };
        if now < before && !adds {
            self.counters.mark_plain(to, cell)?;
        }
        self.set(state, to, cell, now)?;
        Ok(now)
    }
}
