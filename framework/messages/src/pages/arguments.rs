//! Pages of messages and arguments that do not fit.
use wb_comm::Code;

use super::{Page, text, untranslated};

/// Of this class.
pub(super) fn page(code: Code) -> Option<Page> {
    Some(match code {
        Code::Truncated => Page {
            title: text("a message is longer than the receive's buffer", "сообщение длиннее буфера приёма"),
            what: text(
                "The receive gives less room than the message needs (MPI_ERR_TRUNCATE). A shorter message is allowed, a longer one never.",
                "Приём даёт меньше места, чем нужно сообщению (MPI_ERR_TRUNCATE). Короче - можно, длиннее - никогда.",
            ),
            hint: text(
                "Both lengths: is it the message you meant (order, tag)? If the length is not known, use recv_vec, or probe and then receive.",
                "Обе длины: то ли это сообщение (порядок, тег)? Если длина неизвестна, вызовите recv_vec, либо probe и затем приём.",
            ),
            picture: untranslated(r#"send [ 1 | 2 | 3 | 4 ]  ---->  [ _ | _ ] recv"#),
            wrong: r#"if world.rank() == 0 {
    return world.send(&[1, 2, 3, 4], 1, 0);
}
let mut room = [0; 2];
world.recv(&mut room, 0, 0)?;
Ok(())"#,
            right: r#"if world.rank() == 0 {
    return world.send(&[1, 2, 3, 4], 1, 0);
}
let (all, _) = world.recv_vec::<i32>(0, 0)?;
assert_eq!(all, [1, 2, 3, 4]);
Ok(())"#,
        },
        Code::Type => Page {
            title: text(
                "a message has other elements than the receive",
                "у сообщения другие элементы, чем ждёт приём",
            ),
            what: text(
                "The sender's element type is not the receiver's, or the bytes are no whole number of elements. MPI compares only sizes, so an i64 is taken for an f64 in silence; here it is refused.",
                "Тип элементов у отправителя не тот, что у получателя, или байтов не целое число элементов. MPI сверяет только размер, и i64 молча станет f64; здесь это ошибка.",
            ),
            hint: text(
                "The types of both buffers. Give literals a suffix (`0_i64`, `0.0_f32`), and use one type alias on both sides.",
                "Типы обоих буферов. Давайте литералам суффикс (`0_i64`, `0.0_f32`) и заведите один псевдоним типа для обеих сторон.",
            ),
            picture: untranslated(r#"send [ 1.0 : f64 ]  ---->  [ ? : i64 ] recv"#),
            wrong: r#"if world.rank() == 0 {
    return world.send(&[1.0], 1, 0);
}
let mut number = [0_i64];
world.recv(&mut number, 0, 0)?;
Ok(())"#,
            right: r#"if world.rank() == 0 {
    return world.send(&[1.0], 1, 0);
}
let mut number = [0.0];
world.recv(&mut number, 0, 0)?;
Ok(())"#,
        },
        Code::Rank => Page {
            title: text("a peer or a root that does not exist", "нет такого партнёра или корня"),
            what: text(
                "Ranks are numbered from 0 to P - 1, in every communicator anew (MPI_ERR_RANK, MPI_ERR_ROOT).",
                "Процессы нумеруются от 0 до P - 1, в каждом коммуникаторе заново (MPI_ERR_RANK, MPI_ERR_ROOT).",
            ),
            hint: text(
                "How the peer is computed at the ends: rank 0 has no left neighbour and rank P - 1 no right one, unless you wrap around with `% size`. After a split use the new communicator's rank and size.",
                "Как вычисляется партнёр на краях: у процесса 0 нет левого соседа, у P - 1 нет правого, если не замкнуть кольцо через `% size`. После split берите номер и размер нового коммуникатора.",
            ),
            picture: text(
                r#"0 ---> 1 ---> 2 ---> 3 ?      P = 3: ranks 0, 1, 2"#,
                r#"0 ---> 1 ---> 2 ---> 3 ?      P = 3: ранги 0, 1, 2"#,
            ),
            wrong: r#"let (rank, mut left) = (world.rank(), [0_usize]);
world.send(&[rank], rank + 1, 0)?;
if rank > 0 {
    world.recv(&mut left, rank - 1, 0)?;
}
Ok(())"#,
            right: r#"let (rank, size, mut left) = (world.rank(), world.size(), [0_usize]);
let request = world.isend(vec![rank], (rank + 1) % size, 0)?;
world.recv(&mut left, (rank + size - 1) % size, 0)?;
request.wait()?;
Ok(())"#,
        },
        Code::Tag => Page {
            title: text("a tag that is not allowed", "недопустимый тег"),
            what: text(
                "Tags are numbers from 0 up to a limit of the library (MPI_TAG_UB, at least 32767). Negative ones are the library's own.",
                "Теги - числа от 0 до предела библиотеки (MPI_TAG_UB, не меньше 32767). Отрицательные заняты самой библиотекой.",
            ),
            hint: text(
                "How the tag is computed. A tag names the kind of a message; an index or a size belongs into the message.",
                "Как вычисляется тег. Тег называет вид сообщения; индекс или размер передавайте внутри сообщения.",
            ),
            picture: text(
                r#"... -2  -1 | 0  1  2  ...  MPI_TAG_UB |
  library  |         yours            |"#,
                r#"... -2  -1 | 0  1  2  ...  MPI_TAG_UB |
библиотека |         ваши             |"#,
            ),
            wrong: r#"if world.rank() == 0 {
    world.send(&[1], 1, -1)?;
}
Ok(())"#,
            right: r#"if world.rank() == 0 {
    return world.send(&[1], 1, 7);
}
world.recv(&mut [0], 0, 7)?;
Ok(())"#,
        },
        Code::Count => Page {
            title: text("a buffer whose length does not fit the call", "длина буфера не подходит вызову"),
            what: text(
                "Who gathers or scatters equal blocks needs P times the block; who names counts needs as many elements as they add up to; one message has at most 2147483647 elements (MPI_ERR_COUNT).",
                "Кто собирает или раздаёт равные блоки, тому нужно P длин блока; кто задаёт длины, тому нужна их сумма; в сообщении не больше 2147483647 элементов (MPI_ERR_COUNT).",
            ),
            hint: text(
                "The error text says which buffer, how long it is and how long it must be.",
                "Текст ошибки говорит, какой буфер, какова его длина и какой она должна быть.",
            ),
            picture: text(
                r#"rank 0  [a] --.
rank 1  [b] ---+--->  root:  [ a | b | c ]   P blocks
rank 2  [c] --'"#,
                r#"ранг 0  [a] --.
ранг 1  [b] ---+--->  корень:  [ a | b | c ]   P блоков
ранг 2  [c] --'"#,
            ),
            wrong: r#"let mut all = vec![0; 1];
world.gather(&[world.rank()], Some(&mut all), 0)"#,
            right: r#"let mut all = vec![0; world.size()];
world.gather(&[world.rank()], Some(&mut all), 0)"#,
        },
        Code::Operation => Page {
            title: text(
                "a reduction that is not defined for the type",
                "операция редукции не определена для типа",
            ),
            what: text(
                "Bitwise operations are for integers, and there are no reductions of 128-bit numbers (MPI_ERR_OP).",
                "Побитовые операции - только для целых, а для 128-битных чисел редукций нет вовсе (MPI_ERR_OP).",
            ),
            hint: text(
                "Sum, Prod, Min and Max work for integers and floating-point numbers; for bits take an unsigned type.",
                "Sum, Prod, Min и Max годятся для целых и вещественных; для битов возьмите беззнаковый тип.",
            ),
            picture: text(
                r#"1.5 : f64  (bits and)  2.5 : f64  =  ?"#,
                r#"1.5 : f64  (битовое И)  2.5 : f64  =  ?"#,
            ),
            wrong: r#"let mut all = [0.0];
world.allreduce(&[1.5], &mut all, Operation::BitAnd)"#,
            right: r#"let mut all = [0.0];
world.allreduce(&[1.5], &mut all, Operation::Max)"#,
        },
        Code::RootBuffer => Page {
            title: text("the root gives no buffer", "корень не дал буфера"),
            what: text(
                "In scatter, gather and reduce the root brings or gets everybody's blocks, so its argument must be `Some`. On all other ranks it is ignored, as in MPI.",
                "В scatter, gather и reduce корень отдаёт или получает блоки всех, поэтому его аргумент обязан быть `Some`. На остальных он не используется, как и в MPI.",
            ),
            hint: text(
                "Whether the condition that makes the buffer names the same rank as the root argument.",
                "Тот ли процесс назван в условии, где создаётся буфер, что и в аргументе root.",
            ),
            picture: text(
                r#"rank 1  [b] ------->  root 0:  None"#,
                r#"ранг 1  [b] ------->  корень 0:  None"#,
            ),
            wrong: r#"world.gather(&[world.rank()], None, 0)"#,
            right: r#"let mut all = vec![0; world.size()];
world.gather(&[world.rank()], Some(&mut all), 0)"#,
        },
        Code::Range => Page {
            title: text(
                "elements of a window that its owner has not opened",
                "элементы окна, которых владелец не открывал",
            ),
            what: text(
                "Each rank opens as many elements as it said when the window was made; ranks may say different numbers. The displacement counts in elements, from 0 (MPI_ERR_RMA_RANGE).",
                "Каждый процесс открывает столько элементов, сколько назвал при создании окна; у разных процессов может быть разное число. Смещение считается в элементах, с 0 (MPI_ERR_RMA_RANGE).",
            ),
            hint: text(
                "`window.count(rank)` of the target, not of yourself; displacement plus length must not be beyond it.",
                "`window.count(rank)` адресата, а не свой; смещение плюс длина не больше его.",
            ),
            picture: text(
                r#"rank 1:  [ 0 | 1 | 2 | 3 ]
                           ^ put at 4"#,
                r#"ранг 1:  [ 0 | 1 | 2 | 3 ]
                           ^ put по смещению 4"#,
            ),
            wrong: r#"let window = world.window::<i64>(4)?;
let epoch = window.fence()?;
if world.rank() == 0 {
    epoch.put(&[1], 1, 4)?;
}
epoch.end()?;
window.free()"#,
            right: r#"let window = world.window::<i64>(1)?;
let epoch = window.fence()?;
epoch.put(&[1], 1 - world.rank(), 0)?;
epoch.end()?;
window.free()"#,
        },
        _ => return None,
    })
}
