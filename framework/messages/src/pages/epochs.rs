//! Pages of the rules of epochs.
use wb_comm::Code;

use super::{Page, text, untranslated};

/// Of this class.
pub(super) fn page(code: Code) -> Option<Page> {
    Some(match code {
        Code::Covered => Page {
            title: text(
                "an access outside an access epoch (rule 1)",
                "обращение вне эпохи доступа (правило 1)",
            ),
            what: text(
                "Put, get and accumulate are made inside an access epoch, and to targets that it covers: all ranks in a fence's epoch, those named by start, those locked.",
                "put, get и accumulate делаются внутри эпохи доступа и только к её адресатам: ко всем в эпохе fence, к названным в start, к заблокированным.",
            ),
            hint: text(
                "What opens the epoch on this rank, and whether the target is among its ranks. After the last fence, complete or unlock there is none.",
                "Что открывает эпоху на этом процессе и есть ли адресат среди её процессов. После последнего fence, complete или unlock эпохи нет.",
            ),
            picture: text(
                r#"window ------ put ?          no fence, start or lock before it"#,
                r#"окно -------- put ?          до него нет fence, start или lock"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
window.raw().put(&[1], 1 - world.rank(), 0)?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
        },
        Code::AccessDisjoint => Page {
            title: text("two access epochs at once (rule 2)", "две эпохи доступа сразу (правило 2)"),
            what: text(
                "The access epochs of one rank on one window follow each other. Only locks of different targets may be held together.",
                "Эпохи доступа одного процесса на одном окне идут одна за другой. Вместе можно держать только блокировки разных адресатов.",
            ),
            hint: text(
                "The earlier call in the report: its epoch must be ended first (fence, complete, unlock).",
                "Более ранний вызов в отчёте: сначала завершите его эпоху (fence, complete, unlock).",
            ),
            picture: untranslated(
                r#"fence ---- put ---------------- fence
                 lock ?"#,
            ),
            wrong: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
epoch.put(&[1], 0, world.rank())?;
let lock = window.lock(LockKind::Shared, 0)?;
lock.unlock()?;
epoch.end()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
epoch.put(&[1], 0, world.rank())?;
epoch.end()?;
let lock = window.lock(LockKind::Shared, 0)?;
lock.unlock()?;
window.free()"#,
        },
        Code::ExposureDisjoint => Page {
            title: text("two exposure epochs at once (rule 3)", "две эпохи открытия сразу (правило 3)"),
            what: text(
                "A rank exposes its part to one group at a time: a post is ended by wait (or by a test that says yes) before the next.",
                "Процесс открывает свою часть одной группе за раз: post завершается вызовом wait (или успешным test) до следующего.",
            ),
            hint: text(
                "The post that is still open; name all origins in one post, or wait for it first.",
                "Незавершённый post; назовите всех в одном post либо сначала дождитесь его.",
            ),
            picture: untranslated(
                r#"post ---------- wait
       post ?"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
let first = window.post(&partner)?;
let second = window.post(&partner)?;
second.wait()?;
first.wait()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
for _ in 0..2 {
    let exposure = window.post(&partner)?;
    window.start(&partner)?.complete()?;
    exposure.wait()?;
}
window.free()"#,
        },
        Code::Overlap => Page {
            title: text(
                "access and exposure may overlap (rule 4)",
                "доступ и открытие могут пересекаться (правило 4)",
            ),
            what: text(
                "This rule forbids nothing, so this code is never reported: while a rank exposes its part (post), it may access others (start). The pages of rules 2 and 3 say what may not overlap.",
                "Это правило ничего не запрещает, и такой код не встретится в отчётах: пока часть процесса открыта (post), он может обращаться к другим (start). Что пересекаться не может, говорят правила 2 и 3.",
            ),
            hint: text("WB0102 and WB0103.", "WB0102 и WB0103."),
            picture: text(
                r#"post ---------------------- wait        exposure
     start ---- complete                access: both at once, legal"#,
                r#"post ---------------------- wait        открытие
     start ---- complete                доступ: одновременно, разрешено"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
let first = window.post(&partner)?;
let second = window.post(&partner)?;
second.wait()?;
first.wait()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
for _ in 0..2 {
    let exposure = window.post(&partner)?;
    window.start(&partner)?.complete()?;
    exposure.wait()?;
}
window.free()"#,
        },
        Code::FenceAlone => Page {
            title: text("a fence inside another epoch (rule 5)", "fence внутри другой эпохи (правило 5)"),
            what: text(
                "A fence is made when no start, post or lock of this rank is open on the window.",
                "fence вызывают, когда на этом окне у процесса нет открытых start, post и lock.",
            ),
            hint: text(
                "The earlier call: complete it, wait for it or unlock it first.",
                "Более ранний вызов: сначала complete, wait или unlock.",
            ),
            picture: untranslated(
                r#"lock ------------- unlock
        fence ?"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
let lock = window.lock(LockKind::Shared, 0)?;
let epoch = window.fence()?;
epoch.end()?;
lock.unlock()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
let lock = window.lock(LockKind::Shared, 0)?;
lock.unlock()?;
let epoch = window.fence()?;
epoch.end()?;
window.free()"#,
        },
        Code::FenceCandidate => Page {
            title: text(
                "another epoch took the place of the fence's (rule 6)",
                "место эпохи fence заняла другая (правило 6)",
            ),
            what: text(
                "A fence does not open an epoch by itself: the first access after it does. If a start or lock comes first, it takes the place, and until the next fence there is no fence epoch to access in. Nor may that next fence close an epoch around the other one: two fences with accesses between them are an epoch themselves (MPI 4.1, 12.5.1), and epochs do not overlap.",
                "Сам по себе fence эпоху не открывает: её открывает первое обращение. Если раньше пришёл start или lock, он занимает её место, и до следующего fence эпохи fence нет. И следующий fence не должен замыкать эпоху вокруг другой: два fence с обращениями между ними сами образуют эпоху (MPI 4.1, 12.5.1), а эпохи не пересекаются.",
            ),
            hint: text(
                "The call between the fence and the access; put another fence after it, on all ranks. A fence before other epochs says NOSUCCEED: epoch.end().",
                "Вызов между fence и обращением; поставьте после него ещё один fence, на всех процессах. fence перед другими эпохами говорит NOSUCCEED: epoch.end().",
            ),
            picture: text(
                r#"fence --- lock --- unlock --- put ?       the candidate is gone"#,
                r#"fence --- lock --- unlock --- put ?       эпохи fence уже нет"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
window.lock(LockKind::Shared, 0)?.unlock()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
drop(window.fence()?);
window.lock(LockKind::Shared, 0)?.unlock()?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
        },
        Code::LockOrPost => Page {
            title: text(
                "a part that is exposed and locked at once (rule 7)",
                "часть и открыта, и заблокирована (правило 7)",
            ),
            what: text(
                "An exposed part must not be locked, and a locked one must not be posted: the two kinds of synchronisation do not see each other.",
                "Открытую часть нельзя блокировать, а заблокированную открывать: два вида синхронизации друг друга не видят.",
            ),
            hint: text(
                "Which of the two comes first, and what ends it (wait, unlock). To order them between ranks you need a barrier or a message.",
                "Что из двух раньше и чем оно завершается (wait, unlock). Чтобы упорядочить их между процессами, нужен барьер или сообщение.",
            ),
            picture: untranslated(
                r#"post ---------------- wait
        lock ?"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
let exposure = window.post(&partner)?;
let lock = window.lock(LockKind::Exclusive, world.rank())?;
lock.unlock()?;
window.start(&partner)?.complete()?;
exposure.wait()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
let partner = [1 - world.rank()];
let exposure = window.post(&partner)?;
window.start(&partner)?.complete()?;
exposure.wait()?;
world.barrier()?;
let lock = window.lock(LockKind::Exclusive, world.rank())?;
lock.unlock()?;
window.free()"#,
        },
        Code::Conflict => Page {
            title: text(
                "conflicting accesses in one epoch (rule 8)",
                "конфликт обращений в одной эпохе (правило 8)",
            ),
            what: text(
                "Inside an epoch calls have no order. Accesses to one element go together only if all are gets, or all are accumulates of one operation; a put goes with nothing, a local store not with a put, and what a get brings is there after the end of the epoch or a flush.",
                "Внутри эпохи у вызовов нет порядка. К одному элементу вместе можно только get, либо только accumulate одной операции; put ни с чем, локальная запись не вместе с put, а результат get есть лишь после конца эпохи или flush.",
            ),
            hint: text(
                "Both lines and the element. Use other elements, an accumulate, or a synchronisation between the two (fence; flush under a lock).",
                "Обе строки и элемент. Берите другие элементы, accumulate, либо синхронизацию между ними (fence; flush под блокировкой).",
            ),
            picture: text(
                r#"fence -- put x = 1 -- put x = 3 -- fence      x = 1 or 3 ?"#,
                r#"fence -- put x = 1 -- put x = 3 -- fence      x = 1 или 3 ?"#,
            ),
            wrong: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
if world.rank() == 0 {
    epoch.put(&[1, 2], 1, 0)?;
    epoch.put(&[3], 1, 1)?;
}
epoch.end()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(2)?;
let epoch = window.fence()?;
if world.rank() == 0 {
    epoch.put(&[1], 1, 0)?;
    epoch.put(&[3], 1, 1)?;
}
epoch.end()?;
window.free()"#,
        },
        Code::Paired => Page {
            title: text("an end without its beginning (rule 9)", "конец без начала (правило 9)"),
            what: text(
                "complete ends a start, wait and test a post, unlock a lock of the same target, and flush needs a lock. A guard that was dropped has not ended its epoch either.",
                "complete завершает start, wait и test - post, unlock - lock того же адресата, а flush нужен lock. Брошенный (drop) страж эпоху тоже не завершил.",
            ),
            hint: text(
                "The earlier call in the report: which epoch is open here, and what ends it? Call the guard's own end instead of dropping it.",
                "Более ранний вызов в отчёте: какая эпоха открыта и чем завершается? Вызывайте завершение у стража, а не drop.",
            ),
            picture: untranslated(r#"start <--> complete     post <--> wait     lock(t) <--> unlock(t)"#),
            wrong: r#"let window = world.window::<i64>(1)?;
window.raw().complete()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    window.start(&[1])?.complete()?;
} else {
    window.post(&[0])?.wait()?;
}
window.free()"#,
        },
        Code::Free => Page {
            title: text(
                "a window is freed inside an epoch (rule 10)",
                "окно освобождают внутри эпохи (правило 10)",
            ),
            what: text(
                "A window is freed by all ranks together when none has an epoch open on it. If one may not, none does, and all are told.",
                "Окно освобождают все вместе, когда ни у кого нет открытой эпохи. Если кому-то нельзя, не освобождает никто, и об этом сказано всем.",
            ),
            hint: text(
                "The epoch that is still open, on the rank that the report names.",
                "Незавершённую эпоху на процессе, названном в отчёте.",
            ),
            picture: untranslated(
                r#"lock ------------- unlock
        free ?"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
window.raw().lock(LockKind::Shared, 0, Assertion::default())?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
window.lock(LockKind::Shared, 0)?.unlock()?;
window.free()"#,
        },
        Code::Matched => Page {
            title: text(
                "a start without its post, or a post without its start (rule 11)",
                "start без post или post без start (правило 11)",
            ),
            what: text(
                "Every start to a target is answered by a post of that target, pair by pair: the k-th by the k-th. Without its partner, start (or the wait of the post) never returns.",
                "Каждому start к адресату отвечает его post, попарно: k-му k-й. Без партнёра start (или wait у post) не вернётся никогда.",
            ),
            hint: text(
                "The groups on both sides: rank t is in the start of rank o exactly if o is in the post of t.",
                "Группы с обеих сторон: процесс t есть в start процесса o тогда и только тогда, когда o есть в post процесса t.",
            ),
            picture: text(
                r#"rank 0   start [1] ...............      waits for a post
rank 1   (no post)   end"#,
                r#"ранг 0   start [1] ...............      ждёт post
ранг 1   (нет post)   конец"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
if world.rank() == 1 {
    return window.free();
}
window.start(&[1])?.complete()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
if world.rank() == 0 {
    window.start(&[1])?.complete()?;
} else {
    window.post(&[0])?.wait()?;
}
window.free()"#,
        },
        Code::Assertions => Page {
            title: text("an assertion that is not true (rule 12)", "неверное обещание (правило 12)"),
            what: text(
                "An assertion promises the library something so that it may do less: no access before (NOPRECEDE) or after (NOSUCCEED), no put to here (NOPUT), no store (NOSTORE), the partner is there already (NOCHECK). A false promise gives wrong data or a hang.",
                "Обещание позволяет библиотеке делать меньше: не было обращений (NOPRECEDE), не будет (NOSUCCEED), сюда не пишут (NOPUT), нет локальных записей (NOSTORE), партнёр уже готов (NOCHECK). Ложное обещание ведёт к неверным данным или зависанию.",
            ),
            hint: text(
                "The call that makes the promise untrue is the earlier one in the report. Leave the assertion out first, and see whether it is worth anything.",
                "Вызов, из-за которого обещание неверно, назван в отчёте раньшим. Сначала уберите обещание и проверьте, даёт ли оно выигрыш.",
            ),
            picture: text(
                r#"fence --- put --- fence(NOPRECEDE)      but there was a put"#,
                r#"fence --- put --- fence(NOPRECEDE)      но put был"#,
            ),
            wrong: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
let promise = Assertion { no_precede: true, ..Assertion::default() };
drop(window.fence_with(promise)?);
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
let promise = Assertion { no_succeed: true, ..Assertion::default() };
drop(window.fence_with(promise)?);
window.free()"#,
        },
        _ => return None,
    })
}
