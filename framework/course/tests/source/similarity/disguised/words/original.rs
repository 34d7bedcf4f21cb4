//! Words and letters of a text: every rank counts a block of bytes and knows the byte before it.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::source::{
    problem::{Counted, Text, Words},
    seq::Seq,
};

const ROOT: Rank = 0;
const TAG: i32 = 5;

/// Counts a block of the text on every rank.
pub struct Mpi;

/// The bytes of one rank and the byte before them.
pub struct Block {
    before: u8,
    bytes: Vec<u8>,
}

impl Task for Mpi {
    type Problem = Words;
    type Prepared = Block;
    type Raw = Counted;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Text, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Text>) -> Result<Block> {
        if let Rooted::Here(input) = input {
            let text = input.text.into_bytes();
            for rank in 1..world.size() {
                let (begin, end) = limits(text.len(), rank, world.size());
                let before = if begin == 0 { b' ' } else { text[begin - 1] };
                let header = [(end - begin) as u64, u64::from(before)];
                world.send(&header, rank, TAG)?;
                world.send(&text[begin..end], rank, TAG)?;
            }
            let (_, end) = limits(text.len(), ROOT, world.size());
            return Ok(Block { before: b' ', bytes: text[..end].to_vec() });
        }
        let mut header = [0_u64; 2];
        world.recv(&mut header, ROOT, TAG)?;
        let mut bytes = vec![0_u8; header[0] as usize];
        world.recv(&mut bytes, ROOT, TAG)?;
        Ok(Block { before: header[1] as u8, bytes })
    }

    fn run(&self, world: &World, block: &Block) -> Result<Counted> {
        let counts = count(block);
        world.work(block.bytes.len() as u64, 0);
        let mut totals = [0_u64; 3];
        world.reduce(&counts, Some(&mut totals), Operation::Sum, ROOT)?;
        let average = if totals[0] == 0 { 0 } else { totals[1] / totals[0] };
        Ok(Counted { words: totals[0], lines: totals[2], average })
    }

    fn postprocessing(&self, world: &World, counted: Counted) -> Result<Rooted<Counted>> {
        Ok(Rooted::on(world.rank() == ROOT, || counted))
    }
}

/// The first byte of a block and the byte after it.
fn limits(length: usize, rank: Rank, ranks: usize) -> (usize, usize) {
    (length * rank / ranks, length * (rank + 1) / ranks)
}

/// A word begins where a letter follows something else.
fn count(block: &Block) -> [u64; 3] {
    let mut words = 0;
    let mut letters = 0;
    let mut lines = 0;
    let mut previous = block.before;
    for byte in &block.bytes {
        if is_letter(*byte) {
            letters += 1;
            if !is_letter(previous) {
                words += 1;
            }
        }
        if *byte == b'\n' {
            lines += 1;
        }
        previous = *byte;
    }
    [words, letters, lines]
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'\'' || byte >= 128
}
