//! Ascend's full composition: cores, their NPUs, and again the cores synchronise (see [`ascend`](crate::barriers::ascend)).
//!
//! Participants are cores, and the nodes of the group give the NPU of each. Level 1 is the SyncAll analogue or
//! dissemination, level 2 pull, push, groups or signals; each row is one choice. On one NPU level 2 does nothing; with
//! one core an NPU level 1 does nothing.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierEntry, ErasedProgram, Family, GroupConfig, Guarantee, Implementation,
    ascend::{NpuBarrier, ThreeLevels},
    catalogue::program::{
        core_dissemination::CoreDissemination, core_sync_all::CoreSyncAll, cross_host::CrossHost,
        npu_group::NpuGroup, npu_pull::NpuPull, npu_push::NpuPush,
    },
};

fn sync_all<N: NpuBarrier + Send + Sync + 'static>(
    npus: N,
    config: &GroupConfig,
) -> Result<Box<dyn ErasedProgram>> {
    Ok(Box::new(ThreeLevels::new(CoreSyncAll, npus, &config.nodes)))
}

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "three_level",
    family: Family::Ascend,
    source: "Ascend SHMEM, barrier of a team: core level, NPU level, core level",
    section: "3",
    summary: Text {
        en: "SyncAll of the cores, pull among NPUs, SyncAll of the cores",
        ru: "SyncAll ядер, чтение флагов между NPU, SyncAll ядер",
    },
    guarantee: Guarantee::COMPLETION,
    cost: None,
    implementation: Implementation::Program(|config| sync_all(NpuPull, config)),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "three_level_push",
        summary: Text {
            en: "SyncAll of the cores, dissemination among NPUs, SyncAll of the cores",
            ru: "SyncAll ядер, рассеивание между NPU, SyncAll ядер",
        },
        implementation: Implementation::Program(|config| sync_all(NpuPush, config)),
        ..ROW
    },
    BarrierEntry {
        name: "three_level_group",
        summary: Text {
            en: "SyncAll of the cores, dissemination in groups among NPUs, SyncAll of the cores",
            ru: "SyncAll ядер, рассеивание группами между NPU, SyncAll ядер",
        },
        implementation: Implementation::Program(|config| sync_all(NpuGroup::version_2(config)?, config)),
        ..ROW
    },
    BarrierEntry {
        name: "three_level_cross_host",
        summary: Text {
            en: "dissemination of the cores, signals between hosts, dissemination of the cores",
            ru: "рассеивание ядер, сигналы между узлами, рассеивание ядер",
        },
        implementation: Implementation::Program(|config| {
            Ok(Box::new(ThreeLevels::new(CoreDissemination, CrossHost, &config.nodes)))
        }),
        ..ROW
    },
];
