//! Whether the sends of a pattern may block until they are received. If they may, no send needs a receive posted beside
//! it, whatever a library buffers, and a leaf of a tree sends and then receives by two plain calls.
//!
//! The decision needs every rank's plans, which is the work of P ranks; so a process computes it once for a barrier and
//! a group, however many ranks it has.
use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use wb_comm::Result;

use crate::barriers::{BarrierEntry, GroupConfig, Pattern, Plan, PlanStep, proof::prove};

/// The cached decisions of this process, by the name of the entry.
static CACHE: LazyLock<Mutex<HashMap<(&'static str, GroupConfig), bool>>> = LazyLock::new(Mutex::default);

/// [`can_block`] of the pattern of an entry; `None` for barriers that are not patterns.
///
/// # Errors
/// See [`BarrierEntry::plans`](crate::barriers::BarrierEntry::plans).
pub(crate) fn entry_can_block(entry: &BarrierEntry, config: &GroupConfig) -> Option<Result<bool>> {
    let pattern = entry.pattern(config)?;
    // A pattern that panicked has stored nothing.
    let mut known = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (entry.name, config.clone());
    if let Some(known) = known.get(&key) {
        return Some(Ok(*known));
    }
    let found = pattern.and_then(|pattern| all_can_block(&*pattern, config.size));
    if let Ok(can) = found {
        known.insert(key, can);
    }
    Some(found)
}

/// Checks the first steps first: if every rank begins with a signal, as in an exchange, no proof is needed.
fn all_can_block(pattern: &dyn Pattern, size: usize) -> Result<bool> {
    for rank in 0..size {
        if !begins_with_signal(&pattern.plan(rank, size)?) {
            let plans: Result<Vec<_>> = (0..size).map(|rank| pattern.plan(rank, size)).collect();
            return plans.map(|plans| can_block(&plans));
        }
    }
    Ok(false)
}

fn begins_with_signal(plan: &Plan) -> bool {
    matches!(plan.steps.first(), Some(PlanStep::Signal { .. }))
}

/// Whether it is a barrier even if every signal blocks until it is received. An exchange is not: both ranks would block.
pub(crate) fn can_block(plans: &[Plan]) -> bool {
    let synchronous_step = |step: &PlanStep| match *step {
        PlanStep::Signal { to, slot, .. } => PlanStep::Signal { to, slot, synchronous: true },
        wait @ PlanStep::Wait { .. } => wait,
    };
    let blocking: Vec<_> = plans
        .iter()
        .map(|plan| Plan { steps: plan.steps.iter().map(synchronous_step).collect(), ..plan.clone() })
        .collect();
    prove(&blocking).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barriers::catalogue::{all, find};

    #[test]
    fn trees_may_block_and_exchanges_may_not() {
        let may = |name: &str, size| {
            let entry = find(name).expect("a row");
            entry_can_block(entry, &GroupConfig::new(size)).expect("a pattern").expect("defined for the size")
        };
        for size in 2..=9 {
            assert!(
                ["linear", "tree", "mcs_tree", "double_ring"].iter().all(|name| may(name, size)),
                "P = {size}"
            );
            assert!(
                !["dissemination", "recursive_doubling", "all_to_all"].iter().any(|name| may(name, size))
            );
        }
    }

    /// The first time and the second, and with the proof itself.
    #[test]
    fn what_is_known_is_what_is_proved() {
        for size in 1..=9 {
            for entry in all() {
                let config = GroupConfig::new(size);
                let Some(Ok(plans)) = entry.plans(&config) else { continue };
                let asked = || entry_can_block(entry, &config).expect("a pattern");
                assert_eq!(
                    [asked(), asked()],
                    [Ok(can_block(&plans)), Ok(can_block(&plans))],
                    "{}",
                    entry.name
                );
            }
        }
    }
}
