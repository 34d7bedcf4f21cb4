//! Machines, faults and recordings that cannot be simulated.
texts! {
    unknown_machine(name, known) {
        "there is no machine `{name}`; there are {known}; or give the path of a .yaml file",
        "машины `{name}` нет; есть {known}; или укажите путь к файлу `.yaml`",
    }
    too_many_ranks(ranks, machine, cores) {
        "{ranks} ranks on {machine}, which is one node of {cores} cores",
        "процессов {ranks}, а {machine} — один узел, ядер на нём: {cores}",
    }
    unknown_fault(asked, known) {
        "there is no fault `{asked}`; there are {known}",
        "сбоя `{asked}` нет; есть {known}",
    }
    fault_form(asked, form) {
        "the fault `{asked}` is not of the form {form}",
        "сбой `{asked}` записан не в виде {form}",
    }
    fault_of_no_rank(asked, rank, ranks) {
        "the fault `{asked}`: there is no rank {rank} among {ranks} ranks",
        "сбой `{asked}`: процесса {rank} нет, всего процессов {ranks}",
    }
    stuck(ranks, rank, peer, tag) {
        "{ranks} rank(s) wait for ever; rank {rank} waits for rank {peer}, tag {tag}",
        "бесконечно ждут процессов: {ranks}; процесс {rank} ждёт процесс {peer}, тег {tag}",
    }
    overlaps() {
        "ranks share network cards, where episodes overlap: repeat the recording instead",
        "процессы делят сетевые карты, и проходы на них пересекаются: нужна запись с повторениями",
    }
    stray(from, to, tag) {
        "no rank receives the message of rank {from} to rank {to}, tag {tag}",
        "сообщение процесса {from} процессу {to}, тег {tag}, никто не принимает",
    }
    truncated(bytes, from, capacity, to) {
        "the message of {bytes} bytes from rank {from} does not fit the {capacity} bytes of rank {to}",
        "сообщение процесса {from}, байт: {bytes}, не помещается в буфер процесса {to}, байт: {capacity}",
    }
}
