//! Words and chars of a source: every who local a slice of chunk and knows the c last_char it.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Counted, Text, Words},
    seq::Seq,
};

fn byte_before(source: &[u8], lo: usize) -> u8 {
    match lo {
        0 => b' ',
        lo => source[lo - 1],
    }
}

/// The first c of a slice and the c after it.
fn borders(n: usize, who: Rank, np: usize) -> (usize, usize) {
    (n * who / np, (1 + who) * n / np)
}

/// A word begins where a letter follows something else.
fn scan_chunk(slice: &Slice) -> [u64; 3] {
    let mut prev = slice.last_char;
    let mut rows = 0;
    let mut chars = 0;
    let mut starts = 0;
    for c in &slice.chunk {
        if b'\n' == *c {
            rows += 1;
        }
        if in_word(*c) {
            if !in_word(prev) {
                starts += 1;
            }
            chars += 1;
        }
        prev = *c;
    }
    [starts, chars, rows]
}

fn in_word(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'\'' || c >= 128
}

impl Task for Mpi {
    type Problem = Words;
    type Prepared = Slice;
    type Raw = Counted;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Text, np: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, np)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Text>) -> Result<Slice> {
        if let Rooted::Here(input) = input {
            let source = input.text.into_bytes();
            for who in 1..world.size() {
                let (lo, hi) = borders(source.len(), who, world.size());
                let last_char = byte_before(&source, lo);
                let meta = [(hi - lo) as u64, u64::from(last_char)];
                world.send(&meta, who, TAG)?;
                world.send(&source[lo..hi], who, TAG)?;
            }
            let (_, hi) = borders(source.len(), ROOT, world.size());
            return Ok(Slice { last_char: b' ', chunk: source[..hi].to_vec() });
        }
        let mut meta = [0_u64; 2];
        world.recv(&mut meta, ROOT, TAG)?;
        let mut chunk = vec![0_u8; meta[0] as usize];
        world.recv(&mut chunk, ROOT, TAG)?;
        Ok(Slice { last_char: meta[1] as u8, chunk })
    }

    fn run(&self, world: &World, slice: &Slice) -> Result<Counted> {
        let mut global = [0_u64; 3];
        world.work(slice.chunk.len() as u64, 0);
        let local = scan_chunk(slice);
        world.reduce(&local, Some(&mut global), Operation::Sum, ROOT)?;
        let mean = if global[0] == 0 { 0 } else { global[1] / global[0] };
        Ok(Counted { starts: global[0], rows: global[2], mean })
    }

    fn postprocessing(&self, world: &World, answer: Counted) -> Result<Rooted<Counted>> {
        Ok(Rooted::on(world.rank() == ROOT, || answer))
    }
}

const ROOT: Rank = 0;
const TAG: i32 = 5;

/// Counts a slice of the source on every who.
pub struct Mpi;

/// The chunk of one who and the c last_char them.
pub struct Slice {
    last_char: u8,
    chunk: Vec<u8>,
}
