//! What the proof and the exploration of a barrier find: refutations of plans, and the runs that violate a barrier in memory.
texts! {
    // Plans.
    non_terminating(rank, steps) {
        "rank {rank} does not end: {steps} steps so far",
        "процесс {rank} не завершается: уже действий {steps}",
    }
    invalid_rank(rank, step, peer) {
        "rank {rank}, step {step}: there is no rank {peer}",
        "процесс {rank}, действие {step}: процесса {peer} нет",
    }
    early_exit(rank, steps, unheard) {
        "rank {rank} leaves after {steps} steps without having heard of rank {unheard}",
        "процесс {rank} выходит, не узнав о процессе {unheard}; действий до этого {steps}",
    }
    unmatched_signal(slot, from, to) {
        "no rank waits for signal {slot} of rank {from} to rank {to}",
        "сигнала {slot} от процесса {from} процессу {to} никто не ждёт",
    }
    waits_for_signal(rank, step, from, slot) {
        "rank {rank}, step {step}: waits for signal {slot} of rank {from}",
        "процесс {rank}, действие {step}: ждёт сигнала {slot} от процесса {from}",
    }
    waits_for_receiver(rank, step, to, slot) {
        "rank {rank}, step {step}: waits until rank {to} receives signal {slot}",
        "процесс {rank}, действие {step}: ждёт, пока процесс {to} примет сигнал {slot}",
    }
    deadlock() { "deadlock", "взаимная блокировка" }
    // Runs in memory: an operation is written as in a program, `put 1[0] = 1`.
    safe(states) { "safe: {states} states", "верно: состояний {states}" }
    undecided(states) { "undecided after {states} states", "не решено: состояний {states}" }
    violation(pe, episode, missing) {
        "violation: PE {pe} leaves episode {episode}, PE [{missing}] has not entered",
        "нарушение: PE {pe} выходит из эпизода {episode}, PE [{missing}] в него не вошёл",
    }
    /// The first PE that waits.
    blocked(waiting) { "deadlock: {waiting}", "взаимная блокировка: {waiting}" }
    /// A further one.
    and_blocked(others, waiting) { "{others}; {waiting}", "{others}; {waiting}" }
    blocked_pe(pe, episode, operation) {
        "PE {pe} in episode {episode}: {operation}",
        "PE {pe} в эпизоде {episode}: {operation}",
    }
    with_value(condition, value) { "{condition}, which is {value}", "{condition}, сейчас там {value}" }
    of_group(episode, group) { "{episode} of group {group}", "{episode} группы {group}" }
    of_pe(pe, action) { "PE {pe}: {action}", "PE {pe}: {action}" }
    enters(episode, action) { "enters {episode}: {action}", "входит в {episode}: {action}" }
    leaves(action, episode) { "{action}: leaves {episode}", "{action}: выходит из {episode}" }
    sees(operation, value) { "{operation} sees {value}", "{operation} видит {value}" }
    arrives(operation, from, cell, now) {
        "{operation} of PE {from} arrives: [{cell}] = {now}",
        "{operation} от PE {from} приходит: [{cell}] = {now}",
    }
}
