//! Logarithms of integers, rounded up.

/// ceil(log2 p).
pub fn ceil_log2(p: usize) -> usize {
    p.next_power_of_two().trailing_zeros() as usize
}

/// ceil(log_k p): the fewest digits of base `k` that number `p` things.
///
/// # Panics
/// For a base below 2.
pub fn ceil_log(k: usize, p: usize) -> usize {
    assert!(k >= 2, "logarithm of base {k}");
    std::iter::successors(Some(1_usize), |power| power.checked_mul(k)).take_while(|power| *power < p).count()
}
