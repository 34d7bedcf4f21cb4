//! The state of the epochs when a call breaks a rule, and the permitted calls.
texts! {
    /// The state of the epochs.
    no_access_epoch() { "no access epoch is open", "эпоха доступа не открыта" }
    replaced(fence) {
        "that call took the place of the epoch of {fence}, which is over",
        "тот вызов занял место эпохи {fence}, и она закончилась",
    }
    enclosed(access, by, fence) {
        "{access}, in the epoch of {by}, lies between {fence} and this fence: two fences with accesses between them are an epoch themselves, and epochs do not overlap (MPI 4.1, 12.5 and 12.5.1)",
        "{access} в эпохе {by} находится между {fence} и этим fence: два fence с обращениями между ними сами образуют эпоху, а эпохи не пересекаются (MPI 4.1, 12.5 и 12.5.1)",
    }
    fence_without_access() {
        "a fence has opened an epoch in which nothing has happened",
        "fence открыл эпоху, в которой ещё не было обращений",
    }
    fence_open() {
        "a fence epoch is open: this is its first access",
        "открыта эпоха fence: это её первое обращение",
    }
    started(targets) {
        "start has opened access to ranks [{targets}]",
        "start открыл доступ к процессам [{targets}]",
    }
    locked(ranks) { "ranks [{ranks}] are locked", "заблокированы процессы [{ranks}]" }
    all_locked() { "all ranks are locked", "заблокированы все процессы" }
    goes_to(situation, target) {
        "{situation}; the call goes to rank {target}",
        "{situation}; вызов обращается к процессу {target}",
    }
    is_for(situation, target) { "{situation}; the call is for rank {target}", "{situation}; вызов — для процесса {target}" }
    posted(origins) {
        "post has exposed this window to ranks [{origins}]",
        "post открыл это окно процессам [{origins}]",
    }
    posted_there(target) {
        "post has exposed the window of rank {target}",
        "post открыл часть окна процесса {target}",
    }
    no_post() { "no post is open", "нет незавершённого post" }
    fence_exposed() {
        "accesses have begun after the fence, so the window is exposed to all",
        "после fence были обращения, поэтому окно открыто всем",
    }
    own_lock() { "this rank has locked its own part", "этот процесс заблокировал собственную часть" }
    locked_by_me(target) {
        "rank {target} is locked by this rank",
        "процесс {target} уже заблокирован этим процессом",
    }
    locked_by(rank, owner) {
        "rank {rank} has locked this window's part of rank {owner}",
        "процесс {rank} заблокировал часть этого окна у процесса {owner}",
    }
    guard_dropped(end) {
        "the guard of that epoch was dropped without {end}, so the epoch is still open",
        "значение, которое держит эпоху, уничтожено без вызова {end}, поэтому эпоха всё ещё открыта",
    }
    freed() { "the window has been freed", "окно освобождено" }
    may_not_free(rank) {
        "rank {rank} may not free the window yet, so no rank has freed it",
        "процессу {rank} ещё нельзя освобождать окно, поэтому оно не освобождено ни на одном процессе",
    }
    incomplete() {
        "the call is not complete: what it brings may not have come",
        "вызов не завершён: данные могли ещё не прийти",
    }
    access_in_epoch(element, rank) {
        "both touch element {element} of rank {rank} in one epoch",
        "оба обращаются к элементу {element} процесса {rank} в одной эпохе",
    }
    access_outstanding(element, rank) {
        "both touch element {element} of rank {rank}, both outstanding",
        "оба обращаются к элементу {element} процесса {rank}, и оба не завершены",
    }
    change_separate(rank) {
        "both change the part of rank {rank}, which may have two copies (separate model)",
        "оба изменяют часть окна процесса {rank}, у которой может быть две копии (модель `separate`)",
    }
    starts_and_posts(origin, starts, target, posts) {
        "rank {origin} has started {starts} time(s) to rank {target}, which has posted to it {posts} time(s)",
        "процесс {origin} вызвал start к процессу {target} раз: {starts}, а тот вызвал post для него раз: {posts}",
    }

    /// Assertions.
    not_taken(verb, name) { "{verb} does not take {name}", "{verb} не принимает {name}" }
    noprecede_untrue() {
        "NOPRECEDE says that the fence completes nothing, but there is an access to complete",
        "NOPRECEDE обещает, что fence ничего не завершает, но есть незавершённое обращение",
    }
    nostore_untrue() {
        "NOSTORE says that nothing was stored since the last synchronisation, but it was",
        "NOSTORE обещает, что после последней синхронизации ничего не записано, но запись была",
    }
    noput_untrue(rank) {
        "NOPUT asserts that no rank changes the part of rank {rank}",
        "NOPUT утверждает, что часть окна процесса {rank} не изменяет ни один процесс",
    }
    nocheck_lock_untrue(target) {
        "NOCHECK says that no conflicting lock of rank {target} is held, but one is",
        "NOCHECK обещает, что несовместимой блокировки процесса {target} нет, но она есть",
    }
    nocheck_not_posted(target) {
        "NOCHECK says that rank {target} has posted with NOCHECK, but it has not posted yet",
        "NOCHECK обещает, что процесс {target} вызвал post с NOCHECK, но он ещё не вызывал post",
    }
    nocheck_posted_without(target) {
        "NOCHECK says that rank {target} has posted with NOCHECK, but it has posted without NOCHECK",
        "NOCHECK обещает, что процесс {target} вызвал post с NOCHECK, но он вызвал post без NOCHECK",
    }
    nocheck_unequal(origin) {
        "the post to rank {origin} says NOCHECK, its start does not",
        "post для процесса {origin} вызван с NOCHECK, а start этого процесса без него",
    }
    other_assertions(rank, than) {
        "rank {rank} gave other assertions to this fence than rank {than}",
        "процесс {rank} передал этому fence другие утверждения, чем процесс {than}",
    }
    other_assertions_to_a_fence(rank) {
        "rank {rank} gave other assertions to a fence than rank 0",
        "процесс {rank} передал одному из fence другие утверждения, чем процесс 0",
    }

    /// The permitted calls.
    first(call) { "first {call}", "сначала {call}" }
    first_either(one, other) { "first {one} or {other}", "сначала {one} или {other}" }
    first_another_fence() { "first another fence", "сначала ещё один fence" }
    first_unlock_or_other() {
        "first unlock, or lock a target that is not locked",
        "сначала unlock либо lock процесса, который не заблокирован",
    }
    first_unlock_it_or_other() {
        "first unlock it, or lock another target",
        "сначала unlock этого процесса либо lock другого",
    }
    first_lock_that() { "first lock that rank", "сначала lock этого процесса" }
    first_lock_target() { "first lock the target", "сначала lock целевого процесса" }
    first_epoch() { "first fence, start, lock or lock_all", "сначала fence, start, lock или lock_all" }
    only_started() { "access to the ranks that start names", "обращение к процессам, которые названы в start" }
    only_locked() { "access to the ranks that are locked", "обращение к заблокированным процессам" }
    apart() {
        "touch other elements, or put a synchronisation between the two calls",
        "обращаться к другим элементам либо поставить синхронизацию между двумя вызовами",
    }
    exclusive() { "take an exclusive lock for it", "взять для этого исключительную блокировку" }
    lock_after_wait() { "lock it after its wait", "блокировать её после wait этого процесса" }
    post_after_unlock() { "post after its unlock", "вызвать post после unlock этого процесса" }
    end_with(call) { "end it with {call}", "завершить её вызовом {call}" }
    end_with_either(one, other) { "end it with {one} or {other}", "завершить её вызовом {one} или {other}" }
    take_later() {
        "end the epoch, or flush inside a lock, then take",
        "завершить эпоху либо вызвать flush внутри lock, затем `take`",
    }
    make_another() { "make another window", "создать другое окно" }
    leave_out(name) { "leave {name} out", "убрать {name}" }
    leave_assertion_out() { "leave the assertion out", "убрать это утверждение" }
    nocheck_both() { "NOCHECK at both or at neither", "NOCHECK в обоих вызовах или ни в одном" }
    fence_assertions_equal() {
        "NOPRECEDE and NOSUCCEED at all ranks or at none",
        "NOPRECEDE и NOSUCCEED на всех процессах или ни на одном",
    }
    no_epoch_around() {
        "NOSUCCEED on the fence before the other epoch (epoch.end()), or NOPRECEDE here",
        "NOSUCCEED у fence перед другой эпохой (`epoch.end()`) или NOPRECEDE здесь",
    }
    free_outside() {
        "free it when all ranks are outside all epochs",
        "освободить его, когда все процессы вне всех эпох",
    }
    post_for_start() { "a post for every start", "post на каждый start" }
}
