//! WB0024: unordered conflicting accesses to one byte of a file.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new(
        "unordered conflicting accesses to one byte of a file",
        "неупорядоченные обращения двух процессов к одному байту файла",
    ),
    what: Text::new(
        "Two ranks access one byte of a file, and at least one of them writes it, or one asks for the size that the other changes. MPI may keep a write in the memory of its rank until that rank calls sync or close, and another rank may keep what it has read before until its own sync or open. So only sync, then a barrier or a message, then sync orders the two accesses.",
        "Два процесса обращаются к одному байту файла, и хотя бы один из них пишет, либо один спрашивает длину файла, которую другой меняет. MPI может хранить записанное в памяти процесса до его вызова sync или close, а другой процесс — прочитанное ранее до своего вызова sync или open. Поэтому два обращения упорядочивает только последовательность: sync, затем барьер или сообщение, затем sync.",
    ),
    picture: Text::new(
        r#"rank 0   write x -- barrier
rank 1              barrier -- read x ?      (no sync on either side)"#,
        r#"ранг 0   запись x -- барьер
ранг 1               барьер -- чтение x ?    (нет sync с обеих сторон)"#,
    ),
    wrong: r#"let mode = FileMode::read_write().create().delete_on_close();
let file = world.file_open("zoo_read_after", mode)?;
if world.rank() == 0 {
    file.write_at(0, &[1_u8, 2, 3])?;
}
world.barrier()?;
if world.rank() == 1 {
    file.read_at(2, &mut [0_u8])?;
}
file.close()"#,
    right: r#"let mode = FileMode::read_write().create().delete_on_close();
let file = world.file_open("zoo_synchronised", mode)?;
if world.rank() == 0 {
    file.write_at(0, &[1_u8, 2, 3])?;
}
file.sync()?;
world.barrier()?;
file.sync()?;
if world.rank() == 1 {
    let mut last = [0_u8];
    assert_eq!((file.read_at(2, &mut last)?, last), (1, [3]));
}
file.close()"#,
    hint: Text::new(
        "Both lines. Where the bytes should not be common, compare the views and the offsets of the ranks. Otherwise call `file.sync()`, `world.barrier()` and `file.sync()` on all ranks between the two calls, or close the file and open it again.",
        "Обе строки. Если общих байтов быть не должно, сравните представления файла и смещения процессов. Иначе вызовите между этими вызовами `file.sync()`, `world.barrier()` и `file.sync()` на всех процессах либо закройте файл и откройте его снова.",
    ),
};
