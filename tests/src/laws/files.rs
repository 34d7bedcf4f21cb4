//! Laws of files: what is written through one view is what every view reads.
use std::{
    env, fs, process,
    sync::atomic::{AtomicU64, Ordering},
};

use wb_comm::FileError;
use wb_world::{Error, File, FileMode, Layout, Rank, Wire, World};

use super::{Law, element, elements, ragged};

pub(super) const LAWS: &[Law] = &[
    ("a file of columns is the matrix, and every column is read by every rank", columns),
    ("parts of every shape fill the file, and nothing beside them changes", shapes),
    ("copies of a layout follow each other at their extent", copies),
    ("each rank reads and writes alone at its own offset", alone),
    ("ranks have displacements of their own behind a header", displacements),
    ("a view of bytes fits every type", types),
    ("a read at the end of the file gives what is there", ends),
    ("the size is what was set or written, and gaps are zero", sizes),
    ("a rank may have no part of a collective call", empty_parts),
    ("modes create, refuse and delete files", modes),
    ("a call that the file does not allow is an error and changes nothing", refused),
];

/// The path of a file that no other job has, the same on all ranks.
pub(super) fn new_path(world: &World) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut name = [u64::from(process::id()), NUMBER.fetch_add(1, Ordering::Relaxed)];
    world.bcast(&mut name, 0).expect("bcast");
    let [process, number] = name;
    env::temp_dir().join(format!("wb-law-{process}-{number}")).display().to_string()
}

/// A new file that vanishes when it is closed.
pub(super) fn new_file(world: &World) -> File {
    let mode = FileMode::read_write().create().exclusive().delete_on_close();
    world.file_open(&new_path(world), mode).expect("a new file")
}

/// Everything that was written before is read afterwards, by every rank.
fn synchronize(world: &World, file: &File) {
    file.sync().expect("sync");
    world.barrier().expect("barrier");
    file.sync().expect("sync");
}

/// The whole file, as elements.
fn content(file: &File) -> Vec<i64> {
    file.set_view::<i64>(0, &Layout::contiguous(1)).expect("set_view");
    let bytes = file.size().expect("size");
    let mut all = vec![-1; bytes / 8 + 1];
    let read = file.read_at_all(0, &mut all).expect("read_at_all");
    assert_eq!((read, all.pop()), (bytes / 8, Some(-1)), "as many as there are");
    all
}

fn columns(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let rows = size + 3;
    let file = new_file(world);
    let column = |of: Rank| Layout::vector(rows, 2, 2 * size).at(2 * of);
    file.set_view::<i64>(0, &column(rank)).expect("set_view");
    file.write_at_all(0, &elements(rank, 2 * rows)).expect("write_at_all");
    synchronize(world, &file);
    for of in 0..size {
        file.set_view::<i64>(0, &column((rank + of) % size)).expect("set_view");
        let mut read = vec![-1; 2 * rows];
        assert_eq!(file.read_at_all(0, &mut read), Ok(2 * rows));
        assert_eq!(read, elements((rank + of) % size, 2 * rows), "the columns of rank {of} after this one");
        // From the middle of a block on.
        assert_eq!(file.read_at(3, &mut read[..4]), Ok(4));
        assert_eq!(read[..4], elements((rank + of) % size, 7)[3..]);
    }
    for (position, value) in content(&file).into_iter().enumerate() {
        let (row, column) = (position / (2 * size), position % (2 * size));
        assert_eq!(value, element(column / 2, 2 * row + column % 2), "row {row}, column {column}");
    }
    file.close().expect("close");
}

fn shapes(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let part = |sizes: &[usize], subsizes: &[usize], starts: &[usize]| {
        Layout::subarray(sizes, subsizes, starts).expect("inside")
    };
    // Each has room for one part of each rank, 20 elements apart.
    let layouts = [
        Layout::contiguous(7).at(3),
        Layout::vector(4, 3, 5).at(2),
        Layout::indexed(&[5, 0, 1, 6], &[2, 7, 8, 12]).expect("as many lengths as displacements"),
        part(&[20], &[12], &[5]),
        part(&[4, 5], &[2, 3], &[1, 2]),
        part(&[2, 2, 5], &[2, 1, 3], &[0, 1, 1]),
    ];
    for layout in &layouts {
        let file = new_file(world);
        file.set_size(size * 20 * 8).expect("set_size");
        synchronize(world, &file);
        let mine = layout.at(20 * rank);
        file.set_view::<i64>(0, &mine).expect("set_view");
        file.write_at_all(0, &elements(rank, layout.count())).expect("write_at_all");
        synchronize(world, &file);
        let mut expected = vec![0; size * 20];
        for of in 0..size {
            layout.at(20 * of).unpack(&elements(of, layout.count()), &mut expected).expect("distinct");
        }
        assert_eq!(content(&file), expected, "{layout:?}");
        file.close().expect("close");
    }
}

/// A layout names one block of each rank, or one of a rank of two elements that are not the first ones; a call goes over several copies.
fn copies(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let turns = Layout::subarray(&[3 * size], &[3], &[3 * rank]).expect("inside");
    let expected = |position: usize| {
        let (copy, of, within) = (position / (3 * size), position / 3 % size, position % 3);
        if 3 * copy + within < 8 { element(of, 3 * copy + within) } else { 0 }
    };
    check_copies(world, (0, &turns), 8, &expected);
    // The extent of an indexed type begins at its first element: copies follow each other after three elements.
    let pairs = Layout::indexed(&[1, 1], &[1, 3]).expect("as many");
    let expected = |position: usize| match [1, 3, 4, 6, 7].iter().position(|place| *place == position % 12) {
        Some(number) => element(position / 12, number),
        None => 0,
    };
    check_copies(world, (8 * 12 * rank, &pairs), 5, &expected);
}

fn check_copies(
    world: &World,
    (displacement, layout): (usize, &Layout),
    count: usize,
    expected: &dyn Fn(usize) -> i64,
) {
    let file = new_file(world);
    file.set_view::<i64>(displacement, layout).expect("set_view");
    // The second call begins in the middle of a copy.
    let mine = elements(world.rank(), count);
    file.write_at_all(0, &mine[..1]).expect("write_at_all");
    file.write_at_all(1, &mine[1..]).expect("write_at_all");
    synchronize(world, &file);
    let mut read = vec![-1; count];
    assert_eq!(file.read_at_all(0, &mut read), Ok(count));
    assert_eq!(read, mine);
    let all = content(&file);
    for (position, value) in all.iter().enumerate() {
        assert_eq!(*value, expected(position), "position {position} of {all:?}");
    }
    file.close().expect("close");
}

fn alone(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let file = new_file(world);
    file.set_view::<i64>(0, &Layout::contiguous(1)).expect("set_view");
    // Ranks make different numbers of calls.
    for position in 0..ragged(rank) {
        file.write_at(10 * rank + position, &[element(rank, position)]).expect("write_at");
    }
    synchronize(world, &file);
    for of in (0..size).filter(|of| ragged(*of) > 0) {
        let mut read = vec![-1; ragged(of)];
        assert_eq!(file.read_at(10 * of, &mut read), Ok(ragged(of)));
        assert_eq!(read, elements(of, ragged(of)), "of rank {of}");
    }
    file.close().expect("close");
}

fn displacements(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let file = new_file(world);
    if rank == size - 1 {
        file.write_at(0, &[7_u8; 5]).expect("write_at");
    }
    let two = Layout::contiguous(2);
    file.set_view::<i16>(5 + 4 * rank, &two).expect("set_view");
    file.write_at_all(0, &[rank as i16, -1]).expect("write_at_all");
    synchronize(world, &file);
    file.set_view::<i16>(5 + 4 * (size - 1 - rank), &two).expect("set_view");
    let mut read = [9; 2];
    assert_eq!(file.read_at_all(0, &mut read), Ok(2));
    assert_eq!(read, [(size - 1 - rank) as i16, -1]);
    file.set_view::<u8>(0, &Layout::contiguous(1)).expect("set_view");
    let mut header = [0_u8; 5];
    assert_eq!(file.read_at(0, &mut header), Ok(5));
    assert_eq!((header, file.size()), ([7; 5], Ok(5 + 4 * size)));
    file.close().expect("close");
}

fn types(world: &World) {
    fn one<T: Wire>(world: &World, file: &File, value: T) {
        let bytes = 2 * size_of::<T>();
        file.set_view::<u8>(3, &Layout::contiguous(1)).expect("set_view");
        file.write_at_all(world.rank() * bytes, &[value, T::default()]).expect("write_at_all");
        let mut read = [T::default(); 2];
        assert_eq!(file.read_at(world.rank() * bytes, &mut read), Ok(2));
        assert_eq!(read, [value, T::default()], "{} through bytes", T::DATATYPE);
        file.set_view::<T>(3 + world.rank() * bytes, &Layout::contiguous(2)).expect("set_view");
        read = [T::default(); 2];
        assert_eq!(file.read_at_all(0, &mut read), Ok(2));
        assert_eq!(read, [value, T::default()], "{} through its own type", T::DATATYPE);
        synchronize(world, file);
    }
    let file = new_file(world);
    one(world, &file, i8::MIN);
    one(world, &file, i16::MIN);
    one(world, &file, i32::MIN);
    one(world, &file, i64::MIN);
    one(world, &file, i128::MIN + 5);
    one(world, &file, u8::MAX);
    one(world, &file, usize::MAX);
    one(world, &file, u128::MAX - 5);
    one(world, &file, -1.5e-40_f32);
    one(world, &file, f64::MIN_POSITIVE);
    file.close().expect("close");
}

fn ends(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let file = new_file(world);
    file.set_view::<i32>(0, &Layout::contiguous(1)).expect("set_view");
    let mut nothing = [5; 2];
    assert_eq!(file.read_at_all(rank, &mut nothing), Ok(0), "a new file is empty");
    synchronize(world, &file);
    file.write_at_all(2 * rank, &[rank as i32; 2]).expect("write_at_all");
    synchronize(world, &file);
    for (offset, expected) in [(0, 3.min(2 * size)), (2 * size - 1, 1), (2 * size, 0), (2 * size + 9, 0)] {
        let mut read = [-1; 3];
        assert_eq!(file.read_at(offset, &mut read), Ok(expected), "from {offset}");
        assert!(read[expected..].iter().all(|left| *left == -1), "the others do not change");
        assert!(read[..expected].iter().enumerate().all(|(at, value)| *value == ((offset + at) / 2) as i32));
        let mut read = [-1; 3];
        assert_eq!(file.read_at_all(offset, &mut read), Ok(expected), "all from {offset}");
    }
    // Half an element at the end is none.
    synchronize(world, &file);
    file.set_size(8 * size + 2).expect("set_size");
    synchronize(world, &file);
    assert_eq!(file.read_at(2 * size - 1, &mut [0_i32; 3]), Ok(1));
    // The last row of a column is missing.
    synchronize(world, &file);
    file.set_size(4 * (2 * size - 1)).expect("set_size");
    synchronize(world, &file);
    file.set_view::<i32>(0, &Layout::vector(size, 1, 2).at(1)).expect("set_view");
    assert_eq!(file.read_at_all(0, &mut vec![0; size]), Ok(size - 1));
    file.close().expect("close");
}

fn sizes(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let file = new_file(world);
    assert_eq!(file.size(), Ok(0));
    synchronize(world, &file);
    file.set_size(16).expect("set_size");
    assert_eq!(file.size(), Ok(16));
    synchronize(world, &file);
    file.write_at_all(8 * (rank + 3), &[element(rank, 1)]).expect("write_at_all");
    synchronize(world, &file);
    assert_eq!(file.size(), Ok(8 * (size + 3)));
    let mut expected = vec![0; 3];
    expected.extend((0..size).map(|of| element(of, 1)));
    assert_eq!(content(&file), expected);
    synchronize(world, &file);
    file.set_size(8 * 4).expect("set_size");
    synchronize(world, &file);
    assert_eq!(file.size(), Ok(32));
    assert_eq!(content(&file), [0, 0, 0, element(0, 1)]);
    synchronize(world, &file);
    file.set_size(8 * 5).expect("set_size");
    synchronize(world, &file);
    assert_eq!(content(&file), [0, 0, 0, element(0, 1), 0], "what was cut is not there again");
    file.close().expect("close");
}

fn empty_parts(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let file = new_file(world);
    let starts: Vec<usize> = (0..=size).map(|end| (0..end).map(ragged).sum()).collect();
    // A rank without a part has a layout without elements.
    file.set_view::<i64>(0, &Layout::contiguous(ragged(rank)).at(starts[rank])).expect("set_view");
    file.write_at_all(0, &elements(rank, ragged(rank))).expect("write_at_all");
    synchronize(world, &file);
    let mut read = vec![-1; ragged(rank)];
    assert_eq!(file.read_at_all(0, &mut read), Ok(ragged(rank)));
    assert_eq!(read, elements(rank, ragged(rank)));
    let expected: Vec<i64> = (0..size).flat_map(|of| elements(of, ragged(of))).collect();
    assert_eq!(content(&file), expected);
    file.close().expect("close");
}

/// What is wrong with a file or a call, where a call has failed for that.
fn file_error<T>(result: wb_world::Result<T>) -> FileError {
    match result {
        Err(Error::File(error)) => *error,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it must be refused"),
    }
}

fn modes(world: &World) {
    let path = new_path(world);
    let (new, old) = (FileMode::read_write().create(), FileMode::read_only());
    let missing = FileError::NotFound { path: path.clone() };
    assert_eq!(file_error(world.file_open(&path, old)), missing);
    for wrong in [old.create(), FileMode::write_only().exclusive()] {
        assert_eq!(file_error(world.file_open(&path, wrong)), FileError::Mode { mode: wrong });
    }
    let folder = env::temp_dir().display().to_string();
    for wrong in [folder.as_str(), "", "with\0zero", "/dev/null"] {
        let path = wrong.to_owned();
        assert_eq!(file_error(world.file_open(wrong, old)), FileError::NotRegular { path });
    }
    let file = world.file_open(&path, new).expect("it is made");
    file.write_at_all(world.rank(), &[world.rank() as u8]).expect("write_at_all");
    file.close().expect("close");
    assert_eq!(file_error(world.file_open(&path, new.exclusive())), FileError::Exists { path: path.clone() });
    let file = world.file_open(&path, new).expect("it is there");
    assert_eq!(file.size(), Ok(world.size()), "a file that exists keeps its content");
    file.close().expect("close");
    let file = world.file_open(&path, old.delete_on_close()).expect("it is there");
    let mut all = vec![0_u8; world.size()];
    assert_eq!(file.read_at_all(0, &mut all), Ok(world.size()));
    assert!(all.iter().enumerate().all(|(rank, value)| *value == rank as u8), "{all:?}");
    file.close().expect("close");
    world.barrier().expect("barrier");
    assert!(!fs::exists(&path).expect("the folder can be read"), "deleted");
    assert_eq!(file_error(world.file_open(&path, old)), missing);
}

fn refused(world: &World) {
    let path = new_path(world);
    let file = world.file_open(&path, FileMode::write_only().create()).expect("it is made");
    let mine: &[u8] = if world.rank() == 0 { &[world.size() as u8] } else { &[] };
    file.write_at_all(0, mine).expect("write_at_all");
    assert!(matches!(file_error(file.read_at(0, &mut [0_u8])), FileError::NotReadable { .. }));
    file.close().expect("close");
    let file = world.file_open(&path, FileMode::read_only().delete_on_close()).expect("it is there");
    assert!(matches!(file_error(file.write_at(0, &[9_u8])), FileError::NotWritable { .. }));
    assert!(matches!(file_error(file.write_at_all(0, &[9_u8])), FileError::NotWritable { .. }));
    assert!(matches!(file_error(file.set_size(9)), FileError::NotWritable { .. }));
    let falling = Layout::indexed(&[1, 1], &[1, 0]).expect("as many");
    assert!(matches!(file_error(file.set_view::<u8>(0, &falling)), FileError::FallingView { .. }));
    file.set_view::<i32>(0, &Layout::contiguous(1)).expect("set_view");
    let error = file_error(file.read_at(0, &mut [0.5_f32]));
    assert_eq!(error, FileError::ElementType { given: f32::DATATYPE, view: i32::DATATYPE });
    assert!(matches!(file_error(file.read_at(usize::MAX, &mut [0_i32])), FileError::Offset { .. }));
    file.set_view::<u8>(0, &Layout::contiguous(0)).expect("set_view");
    assert!(matches!(file_error(file.read_at(0, &mut [0_u8])), FileError::EmptyView { count: 1 }));
    file.set_view::<u8>(0, &Layout::contiguous(1)).expect("set_view");
    let mut read = [0_u8; 2];
    assert_eq!((file.read_at_all(0, &mut read), read), (Ok(1), [world.size() as u8, 0]));
    file.close().expect("close");
}
