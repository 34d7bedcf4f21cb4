//! Groups of ranks, and communicators that are made of them: reasons of `wb_comm::Error::CommunicatorArgument`.
texts! {
    rank_twice(verb, rank) {
        "{verb}: rank {rank} is named twice, a group has every rank once",
        "{verb}: ранг {rank} назван дважды, а в группе каждый ранг только один раз",
    }
    rank_outside(verb, rank, size, last) {
        "{verb}: the group of {size} rank(s) has no rank {rank}: 0..={last} is allowed",
        "{verb}: в группе нет ранга {rank}, процессов в ней: {size}, допустимы ранги от 0 до {last}",
    }
    no_stride(verb, first, last) {
        "{verb}: the stride of the range from {first} to {last} is 0",
        "{verb}: шаг диапазона от {first} до {last} равен 0",
    }
    not_a_subgroup(verb, process) {
        "{verb}: the process with rank {process} in the world of the job is in the group, but not in this communicator",
        "{verb}: процесс с рангом {process} в world всего запуска входит в группу, но не входит в этот коммуникатор",
    }
    in_both_groups(rank) {
        "intercomm_create: rank {rank} of the peer communicator is in both groups, which must have no rank in common",
        "intercomm_create: процесс с рангом {rank} в общем коммуникаторе (`peer`) входит в обе группы, а общих процессов у них быть не должно",
    }
    high_differs() {
        "merge: ranks of one group pass different values of high",
        "`merge`: процессы одной группы передают разные значения `high`",
    }
    not_a_member(verb) {
        "{verb}: this rank is not in the group, only the ranks of the group make this call",
        "{verb}: этот процесс не входит в группу, а этот вызов делают только процессы группы",
    }
}
