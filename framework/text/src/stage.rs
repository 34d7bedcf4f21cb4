//! Why the stages of a task have stopped.
texts! {
    refused(rank, reason) {
        "validation on rank {rank} refused the input: {reason}",
        "validation на процессе {rank} отвергла входные данные: {reason}",
    }
    failed(stage, rank, error) { "{stage} on rank {rank}: {error}", "{stage} на процессе {rank}: {error}" }
    failed_at(failed, site) { "{failed} ({site})", "{failed} ({site})" }
    limit(spent, rank, stage, limit) {
        "the stages took {spent} on rank {rank} after {stage}, {limit} are allowed",
        "на процессе {rank} этапы после {stage} заняли {spent}, разрешено {limit}",
    }
    no_workload(name) {
        "the problem has no workload `{name}`: Problem::workload returned None for it (performance.workloads in task.yaml)",
        "у задачи нет нагрузки `{name}`: `Problem::workload` вернула для неё `None` (`performance.workloads` в `task.yaml`)",
    }
}
