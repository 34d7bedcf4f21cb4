//! Tests that open files. They are right or wrong by the settings of the task, so they run only where `tests/canaries` gives them a task.
use workbench::{FileMode, Layout, Result, World, functional};

use crate::number_task::{NUMBER, distribute, ranks, solution, test};

/// The number, and what this file has in this mode must be the same.
fn compared(world: &World, number: Option<u64>, path: &str, mode: FileMode) -> Result<u64> {
    let number = distribute(world, number)?;
    let file = world.file_open(path, mode)?;
    file.set_view::<u64>(0, &Layout::contiguous(1))?;
    let mut read = [0];
    let count = file.read_at_all(0, &mut read)?;
    file.close()?;
    Ok(if (count, read) == (1, [number]) { number } else { 0 })
}

/// The verbs of a file that is only read are neither messages nor collective calls that carry data.
#[test]
#[ignore = "needs a task with files"]
fn the_file_of_the_assignment() {
    let run = |world: &World, number| compared(world, number, "number.bin", FileMode::read_only());
    functional(solution(run))
        .ranks(ranks())
        .point_to_point_only()
        .messages(|_, ranks| ranks as u64 - 1)
        .check(|_| [NUMBER]);
}

/// No rank sends a message. A read of the file by all ranks does not count as communication.
#[test]
#[ignore = "needs a task with files"]
fn a_file_in_place_of_messages() {
    test(|world, _| {
        let file = world.file_open("number.bin", FileMode::read_only())?;
        let mut read = [0];
        file.read_at_all(0, &mut read)?;
        file.close()?;
        Ok(read[0])
    });
}

/// The path is not known before it runs.
#[test]
#[ignore = "needs a task with files"]
fn a_path_that_leads_out_of_the_folder() {
    test(|world, number| compared(world, number, &["..", "task.yaml"].join("/"), FileMode::read_only()));
}

#[test]
#[ignore = "needs a task with files"]
fn an_absolute_path() {
    test(|world, number| compared(world, number, "/proc/self/environ", FileMode::read_only()));
}

#[test]
#[ignore = "needs a task with files"]
fn a_file_that_is_not_listed() {
    test(|world, number| compared(world, number, "answers.bin", FileMode::read_only()));
}

#[test]
#[ignore = "needs a task with files"]
fn a_file_that_is_left_for_the_next_run() {
    test(|world, number| compared(world, number, "number.bin", FileMode::read_write().create()));
}

#[test]
#[ignore = "needs a task with files"]
fn a_file_that_is_deleted() {
    test(|world, number| compared(world, number, "number.bin", FileMode::read_only().delete_on_close()));
}
