//! The rules of epochs and the frame in which a violation is shown.
texts! {
    rule(number, class, sentence) {
        "rule {number} of epochs ({class}): {sentence}",
        "правило эпох {number} ({class}): {sentence}",
    }
    call(call) { "  call:    {call}", "  вызов:     {call}" }
    earlier(call) { "  earlier: {call}", "  до него:   {call}" }
    no_call() { "no call on this window", "вызовов на этом окне не было" }
    here(situation) { "  here:    {situation}", "  сейчас:    {situation}" }
    allowed(what) { "  allowed: {what}", "  разрешено: {what}" }

    covered() {
        "one-sided calls are made inside an access epoch, to targets that it covers",
        "односторонние вызовы делают внутри эпохи доступа и к тем процессам, которые она охватывает",
    }
    access_disjoint() {
        "the access epochs of one process on one window are disjoint; only locks of different targets may be held together",
        "эпохи доступа одного процесса на одном окне не пересекаются; вместе можно держать только блокировки разных целевых процессов",
    }
    exposure_disjoint() {
        "the exposure epochs of one process on one window are disjoint",
        "эпохи открытия одного процесса на одном окне не пересекаются",
    }
    overlap() {
        "an exposure epoch and an access epoch of one process may overlap",
        "эпоха открытия и эпоха доступа одного процесса могут пересекаться",
    }
    fence_alone() {
        "no fence while start, post or a lock is open",
        "fence нельзя вызывать, пока не завершены start, post или lock",
    }
    fence_candidate() {
        "a fence's epoch begins with the first access after it; a start or lock before that takes its place until the next fence",
        "эпоха fence начинается с первого обращения после него; start или lock до этого обращения занимает её место до следующего fence",
    }
    lock_or_post() {
        "an exposed window must not be locked, a locked window must not be posted",
        "открытое окно нельзя блокировать, заблокированное нельзя открывать вызовом post",
    }
    conflict() {
        "accesses that overlap in one epoch are all gets, or all accumulates of one operation; what a call has not completed yet is not looked at",
        "пересекающиеся обращения одной эпохи — только get или только accumulate с одной операцией; данные незавершённого вызова не читают",
    }
    paired() {
        "complete ends a start, wait a post, unlock a lock of the same target; flush needs a lock",
        "complete завершает start, wait завершает post, unlock завершает lock того же процесса; для flush нужен lock",
    }
    free() {
        "a window is freed by all ranks together, outside all epochs",
        "окно освобождают все процессы вместе, вне всех эпох",
    }
    matched() {
        "every start to a target is answered by a post of that target, pair by pair",
        "на каждый start к процессу приходится post этого процесса, пара за парой",
    }
    assertions() {
        "an assertion must be true, allowed for the call, and NOPRECEDE and NOSUCCEED the same on all ranks"
        ,
        "утверждение должно быть верным и допустимым для вызова, а NOPRECEDE и NOSUCCEED одинаковыми на всех процессах",
    }
}
