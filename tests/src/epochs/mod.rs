//! What windows promise and refuse on every backend: run by all ranks of a world, like the [laws](crate::laws).
//!
//! An illegal call must be refused with its rule, its rank and both calls, and leave everything as it was: each case goes
//! on and ends its epochs and its window. So a whole job of MPI runs them all, one after the other.
use wb_comm::{RankCall, Verb};
use wb_world::{Error, Result, Rule, Violation, World};

use crate::laws::Law;

mod barriers;
mod guards;
mod mpich;
mod neighbours;

/// The laws of every backend.
pub fn everywhere() -> Vec<Law> {
    [mpich::LAWS, guards::LAWS, barriers::LAWS].concat()
}

/// The laws of ranks that see each other: threads of one process.
pub fn in_one_process() -> Vec<Law> {
    neighbours::LAWS.to_vec()
}

/// The violation that `result` is, of this rule, by these two verbs of this rank.
#[track_caller]
fn assert_violation<R>(world: &World, result: Result<R>, rule: Rule, [call, earlier]: [Verb; 2]) {
    let violation = violation(result);
    assert_eq!(violation.rule, rule, "{violation}");
    let here = |call: RankCall| (call.rank, call.site.verb, call.site.location.file().contains("epochs"));
    assert_eq!(here(violation.call), (world.rank(), call, true), "{violation}");
    assert_eq!(violation.earlier.map(here), Some((world.rank(), earlier, true)), "{violation}");
    let text = violation.to_string();
    let lines = [violation.call, violation.earlier.expect("just seen")]
        .map(|call| format!(":{}", call.site.location.line()));
    assert!(lines.iter().all(|line| text.contains(line)), "both lines in {text}");
    assert!(
        text.contains(&format!("rule {}", rule.number())) && text.contains(&rule.sentence().to_string()),
        "{text}"
    );
}

/// The violation that `result` is.
#[track_caller]
fn violation<R>(result: Result<R>) -> Violation {
    match result {
        Err(Error::Epoch(violation)) => *violation,
        Err(other) => panic!("{other} where a rule is broken"),
        Ok(_) => panic!("no error where a rule is broken"),
    }
}
