//! Ascend's full composition: cores meet, their NPUs meet, cores meet (see [`ascend`](crate::ascend)).
//!
//! Participants are cores, and the nodes of the setting say which NPU each belongs to. Level 1 is the SyncAll analogue or
//! dissemination, level 2 pull, push, groups or signals; each row is one choice. On one NPU level 2 has nothing to do,
//! with one core an NPU level 1 has not.
use crate::{
    BarrierEntry, BilingualText, ErasedProgram, Family, GroupConfig, Guarantee, Implementation,
    ascend::{NpuBarrier, ThreeLevels},
    catalogue::program::{
        core_dissemination::CoreDissemination, core_sync_all::CoreSyncAll, cross_host::CrossHost,
        npu_group::NpuGroup, npu_pull::NpuPull, npu_push::NpuPush,
    },
};
use wb_comm::Result;

fn sync_all<N: NpuBarrier + Send + Sync + 'static>(
    npus: N,
    setting: &GroupConfig,
) -> Result<Box<dyn ErasedProgram>> {
    Ok(Box::new(ThreeLevels::new(CoreSyncAll, npus, &setting.nodes)))
}

const fn row(name: &'static str, summary: BilingualText, form: Implementation) -> BarrierEntry {
    BarrierEntry {
        name,
        family: Family::Ascend,
        source: "Ascend SHMEM, barrier of a team: core level, NPU level, core level",
        section: "3",
        summary,
        guarantee: Guarantee::COMPLETION,
        cost: None,
        implementation: form,
    }
}

/// In the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    row(
        "three_level",
        BilingualText {
            en: "SyncAll of the cores, pull among NPUs, SyncAll of the cores",
            ru: "SyncAll ядер, чтение флагов между NPU, SyncAll ядер",
        },
        Implementation::Program(|setting| sync_all(NpuPull, setting)),
    ),
    row(
        "three_level_push",
        BilingualText {
            en: "SyncAll of the cores, dissemination among NPUs, SyncAll of the cores",
            ru: "SyncAll ядер, рассеивание между NPU, SyncAll ядер",
        },
        Implementation::Program(|setting| sync_all(NpuPush, setting)),
    ),
    row(
        "three_level_group",
        BilingualText {
            en: "SyncAll of the cores, dissemination in groups among NPUs, SyncAll of the cores",
            ru: "SyncAll ядер, рассеивание группами между NPU, SyncAll ядер",
        },
        Implementation::Program(|setting| sync_all(NpuGroup::version_2(setting)?, setting)),
    ),
    row(
        "three_level_cross_host",
        BilingualText {
            en: "dissemination of the cores, signals between hosts, dissemination of the cores",
            ru: "рассеивание ядер, сигналы между узлами, рассеивание ядер",
        },
        Implementation::Program(|setting| {
            Ok(Box::new(ThreeLevels::new(CoreDissemination, CrossHost, &setting.nodes)))
        }),
    ),
];
