//! Why ranks wait: cycles, ended partners, messages that almost match, and the calls that wait.
use crate::{Text, number::ranges};

texts! {
    /// The ranks of a cycle, the first one again at the end: "0 -> 1 -> 0".
    wait_cycle(ranks) { "who waits for whom: {ranks}", "кто кого ждёт: {ranks}" }
    for_ended_one(rank, ended) {
        "rank {rank} waits for {ended}, which has ended",
        "процесс {rank} ждёт процесс {ended}, который завершился",
    }
    for_ended_many(rank, ended) {
        "rank {rank} waits for {ended}, which have ended",
        "процесс {rank} ждёт процессы {ended}, которые завершились",
    }

    /// A call: its verb, peer, tag and size.
    call_to(verb, peer) { "{verb} to {peer}", "{verb} процессу {peer}" }
    call_from(verb, peer) { "{verb} from {peer}", "{verb} от процесса {peer}" }
    from_any(verb) { "{verb} from any", "{verb} от любого процесса" }
    /// Of a verb that sends and receives: the peer may be either side.
    call_awaiting(verb, peer) { "{verb} waiting for {peer}", "{verb}, ждёт процесс {peer}" }
    awaiting_any(verb) { "{verb} waiting for any", "{verb}, ждёт любой процесс" }
    with_tag(call, tag) { "{call}, tag {tag}", "{call}, тег {tag}" }
    with_bytes(call, bytes) { "{call}, {bytes} bytes", "{call}, байт: {bytes}" }
    /// Of a wait: the operation that it waits for, and the call that started it.
    wait_for(verb, started) { "{verb} for {started}", "{verb} операции {started}" }
    started_at(call, file, line) { "{call}, started at {file}:{line}", "{call}, начата в {file}:{line}" }
    /// The start of a persistent request: the call that made it.
    start_of(start, call, file, line) { "{start}, of {call} at {file}:{line}", "{start}, запроса от {call} в {file}:{line}" }
    call_at(call, file, line) { "{call} at {file}:{line}", "{call}, {file}:{line}" }
    /// The position of a rank.
    rank_in(rank, call, file, line) {
        "rank {rank} in {call}  at {file}:{line}",
        "процесс {rank} в {call}  {file}:{line}",
    }
    /// A line of the program.
    place(call, file, line, rank) {
        "{call} at {file}:{line} (rank {rank})",
        "{call}, {file}:{line} (процесс {rank})",
    }

    /// Near misses: a message that almost matches the receive.
    other_tag(rank, sender, tag, awaited) {
        "rank {rank} has a message from {sender} with tag {tag} and waits for tag {awaited}",
        "процесс {rank} получил сообщение от процесса {sender} с тегом {tag}, а ждёт тег {awaited}",
    }
    other_communicator(rank, sender, there, here) {
        "rank {rank} has a message from {sender} on communicator {there} and waits on {here}",
        "процесс {rank} получил сообщение от процесса {sender} в коммуникаторе {there}, а ждёт его в {here}",
    }
    other_source(rank, tag, sender, awaited) {
        "rank {rank} has a message with tag {tag} from {sender} and waits for one from {awaited}",
        "процесс {rank} получил сообщение с тегом {tag} от процесса {sender}, а ждёт его от процесса {awaited}",
    }
    other_receiver(rank, tag, sender, receiver) {
        "rank {rank} waits for a message with tag {tag} from {sender}, which sent it to {receiver}",
        "процесс {rank} ждёт сообщение с тегом {tag} от процесса {sender}, а тот отправил его процессу {receiver}",
    }
    /// Of a receive whose request was dropped.
    has_taken(call, file, line) {
        "it has taken the message that {call} at {file}:{line} waits for",
        "она получила сообщение, которого ждёт {call}, {file}:{line}",
    }
    left_out_one(rank, tag, sender, reached) {
        "rank {rank} waits for a message with tag {tag} from {sender}, which sent tag {tag} to rank {reached}, not to {rank}",
        "процесс {rank} ждёт сообщение с тегом {tag} от процесса {sender}, а тот отправил тег {tag} процессу {reached}, но не процессу {rank}",
    }
    left_out_many(rank, tag, sender, reached) {
        "rank {rank} waits for a message with tag {tag} from {sender}, which sent tag {tag} to ranks {reached}, not to {rank}",
        "процесс {rank} ждёт сообщение с тегом {tag} от процесса {sender}, а тот отправил тег {tag} процессам {reached}, но не процессу {rank}",
    }
}

/// A rank that waits for ranks that have ended.
pub fn for_ended(rank: impl Into<Text>, ended: &[usize]) -> Text {
    let names = ranges(ended.iter().copied(), "-");
    if ended.len() == 1 { for_ended_one(rank, names) } else { for_ended_many(rank, names) }
}

/// A rank that waits for a message which its sender has sent to others.
pub fn left_out(rank: usize, tag: i32, sender: usize, reached: &[usize]) -> Text {
    let left_out = if reached.len() == 1 { left_out_one } else { left_out_many };
    left_out(rank, tag, sender, ranges(reached.iter().copied(), "-"))
}
