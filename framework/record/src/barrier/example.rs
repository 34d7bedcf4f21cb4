//! A small complete run, for documentation and tests.
use super::{
    BASELINE, BASELINE_FAMILY, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, BarrierSamples,
    BarrierSeries, REFERENCE, REFERENCE_VERB,
};
use crate::{Backend, Environment, SCHEMA_VERSION};

/// A small complete run, for documentation and tests: the library's barrier and one of ours at two ranks.
pub fn example_barriers() -> Vec<BarrierLine> {
    let run = BarrierRun {
        schema: SCHEMA_VERSION,
        run: "example".into(),
        at: "2026-03-01T10:15:00Z".into(),
        ranks: vec![2],
        only: vec![],
        substrates: vec![],
        bytes: vec![],
        verbs: vec![],
        quick: true,
        launches: 2,
        rounds: 4,
        environment: Environment::example(),
    };
    let measured = |ns| BarrierOutcome::Measured { launches: vec![samples(ns), samples(ns + 2)] };
    let put = BarrierForm {
        style: Some("put".into()),
        spacing: Some("packed".into()),
        ..form("dissemination", "two-sided", "cells")
    };
    vec![
        BarrierLine::BarrierRun(Box::new(run)),
        series(form(BASELINE, "native", "mpi"), measured(370)),
        series(form(REFERENCE, "native", "cells"), measured(64)),
        series(put, measured(70)),
        series(form("tree", "two-sided", "messages"), BarrierOutcome::Failed { reason: "hung".into() }),
    ]
}

/// A small complete run, for documentation and tests: a broadcast of 8 bytes by the library and in shared memory at two ranks.
pub fn example_collectives() -> Vec<BarrierLine> {
    let mut lines = example_barriers();
    lines.truncate(1);
    if let BarrierLine::BarrierRun(run) = &mut lines[0] {
        run.bytes = vec![8];
        run.environment.message_passing.thread_level = Some("MPI_THREAD_MULTIPLE".into());
    }
    let calls = |verb: &str, bytes, form, ns| {
        let form = BarrierForm { verb: Some(verb.into()), bytes: Some(bytes), ..form };
        let mut launches = vec![samples(ns), samples(ns + 2)];
        launches.iter_mut().for_each(|launch| launch.episodes = 1);
        series(form, BarrierOutcome::Measured { launches })
    };
    lines.extend([
        calls(REFERENCE_VERB, 0, form(REFERENCE, "reference", "cells"), 1),
        calls("bcast", 8, form("mpi_bcast", BASELINE_FAMILY, "mpi"), 9),
        calls("bcast", 8, form("bcast_flat", "shared_memory", "cells"), 3),
    ]);
    lines
}

fn form(variant: &str, family: &str, substrate: &str) -> BarrierForm {
    BarrierForm {
        variant: variant.into(),
        family: family.into(),
        substrate: substrate.into(),
        style: None,
        spacing: None,
        forced: None,
        verb: None,
        bytes: None,
        ranks_are: Backend::Mpi,
    }
}

fn samples(ns: u64) -> BarrierSamples {
    BarrierSamples {
        episodes: 100,
        batches_ns: vec![100 * ns, 101 * ns, 99 * ns, 100 * ns],
        starts_ns: vec![1_000_000 + ns, 2_000_000 + ns, 3_000_000 + ns, 4_000_000 + ns],
        latency_ns: vec![ns + 30, ns + 40],
        skew_ns: vec![20, 30],
        uncertainty_ns: None,
    }
}

fn series(form: BarrierForm, outcome: BarrierOutcome) -> BarrierLine {
    BarrierLine::BarrierSeries(Box::new(BarrierSeries {
        schema: SCHEMA_VERSION,
        run: "example".into(),
        form,
        ranks: 2,
        placement: vec![],
        compared: vec![],
        messages: None,
        outcome,
    }))
}
