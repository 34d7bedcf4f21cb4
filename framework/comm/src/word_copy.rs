//! Copies between bytes and words that other threads or processes may access.
//!
//! A copy is a sequence of relaxed atomic accesses: something else orders it, as the flag of a payload does. Short copies are accesses of
//! whole words. A long one is one string instruction of the processor, which moves whole cache lines: it takes a third to a sixth of the time of
//! accesses of 8 bytes, since a store of a whole line does not read the line from another core before.
#![allow(unsafe_code)]
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use crate::cells::AtomicWord;

/// Bytes of a word.
const WORD_BYTES: usize = size_of::<i64>();

/// The shortest copy that is a string instruction, which takes some tens of cycles to begin.
#[cfg(target_arch = "x86_64")]
const STRING_BYTES: usize = 512;

/// Writes bytes to the first words; the rest of the last word becomes zero.
///
/// # Panics
/// If the words are too few.
#[inline]
pub(crate) fn store_by_word<A: AtomicWord>(words: &[A], bytes: &[u8]) {
    let (whole, rest) = bytes.as_chunks::<WORD_BYTES>();
    let (first, last) = words[..bytes.len().div_ceil(WORD_BYTES)].split_at(whole.len());
    for (word, chunk) in first.iter().zip(whole) {
        word.store(i64::from_ne_bytes(*chunk), Relaxed);
    }
    for word in last {
        let mut padded = [0; WORD_BYTES];
        padded[..rest.len()].copy_from_slice(rest);
        word.store(i64::from_ne_bytes(padded), Relaxed);
    }
}

/// Reads bytes from the first words.
///
/// # Panics
/// If the words are too few.
#[inline]
pub(crate) fn load_by_word<A: AtomicWord>(words: &[A], bytes: &mut [u8]) {
    let words = &words[..bytes.len().div_ceil(WORD_BYTES)];
    let (whole, rest) = bytes.as_chunks_mut::<WORD_BYTES>();
    let (first, last) = words.split_at(whole.len());
    for (word, chunk) in first.iter().zip(whole) {
        *chunk = word.load(Relaxed).to_ne_bytes();
    }
    for word in last {
        rest.copy_from_slice(&word.load(Relaxed).to_ne_bytes()[..rest.len()]);
    }
}

/// As [`store_by_word`].
#[inline]
pub(crate) fn store(words: &[AtomicI64], bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= STRING_BYTES {
        let whole = bytes.len() / WORD_BYTES * WORD_BYTES;
        let target = words[..bytes.len().div_ceil(WORD_BYTES)].as_ptr().cast_mut().cast();
        // SAFETY: `whole` bytes of the slice, and as many of the words, which may be written behind a shared reference. They do not overlap.
        unsafe { move_bytes(bytes.as_ptr(), target, whole) };
        return store_by_word(&words[whole / WORD_BYTES..], &bytes[whole..]);
    }
    store_by_word(words, bytes);
}

/// As [`load_by_word`].
#[inline]
pub(crate) fn load(words: &[AtomicI64], bytes: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= STRING_BYTES {
        let source = words[..bytes.len().div_ceil(WORD_BYTES)].as_ptr().cast();
        // SAFETY: the bytes of the words, and an exclusive slice of this length. They do not overlap.
        return unsafe { move_bytes(source, bytes.as_mut_ptr(), bytes.len()) };
    }
    load_by_word(words, bytes);
}

/// Moves bytes by atomic accesses of the processor.
///
/// # Safety
/// `count` bytes may be read from `source` and written to `target`, and the two do not overlap. Other threads may access the words meanwhile: to the
/// compiler the instruction is a sequence of relaxed atomic accesses of bytes, of which no access is invented or left out.
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn move_bytes(source: *const u8, target: *mut u8, count: usize) {
    // SAFETY: the caller's promise. The direction flag is clear, as the calling convention demands. Later stores of this thread become
    // visible after those of the instruction (Intel SDM 3A, 9.2.4), so a flag that is stored afterwards publishes them.
    unsafe {
        std::arch::asm!(
            "rep movsb",
            inout("rcx") count => _,
            inout("rsi") source => _,
            inout("rdi") target => _,
            options(nostack, preserves_flags)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_any_length_come_back_as_they_were_and_leave_the_words_around() {
        let words: Vec<_> = (0..260).map(|_| AtomicI64::new(-1)).collect();
        for length in (0..=40).chain(500..=530).chain([1999, 2000, 2047]) {
            words.iter().for_each(|word| word.store(-1, Relaxed));
            let bytes: Vec<u8> = (0..length).map(|at: usize| at as u8).collect();
            let [mut back, mut by_word] = [vec![0xff; length], vec![0xff; length]];
            AtomicI64::store_bytes(&words[1..], &bytes);
            AtomicI64::load_bytes(&words[1..], &mut back);
            load_by_word(&words[1..], &mut by_word);
            assert!(back == bytes && by_word == bytes, "{length} bytes");
            let after = 1 + length.div_ceil(WORD_BYTES);
            assert_eq!([words[0].load(Relaxed), words[after].load(Relaxed)], [-1, -1], "{length} bytes");
            if !length.is_multiple_of(WORD_BYTES) {
                let padded = words[after - 1].load(Relaxed).to_ne_bytes();
                assert!(padded[length % WORD_BYTES..].iter().all(|byte| *byte == 0), "{length} bytes");
            }
        }
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn words_that_are_too_few_are_refused() {
        let words: Vec<_> = (0..100).map(|_| AtomicI64::new(0)).collect();
        AtomicI64::store_bytes(&words, &[0; 801]);
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn bytes_that_are_too_many_are_refused() {
        let words: Vec<_> = (0..100).map(|_| AtomicI64::new(0)).collect();
        AtomicI64::load_bytes(&words, &mut [0; 801]);
    }
}
