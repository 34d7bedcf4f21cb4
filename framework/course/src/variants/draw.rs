//! The draw of the seed: a number for each student, assignment and variant that is the same on every machine and in every year.

/// FNV-1a, 64 bits (Fowler, Noll, Vo: <http://www.isthe.com/chongo/tech/comp/fnv/>), which is the same in every version of this program.
///
/// ```
/// assert_eq!(wb_course::fnv1a("foobar".bytes()), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// FNV-1a over all that is drawn for, then the finalizer of SplitMix64 (Steele, Lea, Flood 2014), since FNV alone orders
/// neighbouring numbers alike.
pub(super) fn draw(seed: u64, login: &str, assignment: u8, variant: u8) -> u64 {
    let bytes = seed.to_le_bytes().into_iter().chain(login.bytes()).chain([0, assignment, variant]);
    let hash = fnv1a(bytes);
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn the_draw_never_changes() {
        // Variants that were drawn last year are explained this year.
        assert_eq!(draw(2027, "ivanov_i", 0, 1), 6_291_177_420_476_717_471);
    }

    #[test]
    fn every_part_counts() {
        let all = [
            draw(1, "a", 0, 1),
            draw(2, "a", 0, 1),
            draw(1, "b", 0, 1),
            draw(1, "a", 1, 1),
            draw(1, "a", 0, 2),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{all:?}");
        }
    }

    #[test]
    fn each_variant_is_first_about_equally_often() {
        let mut first = [0; 10];
        for student in 0..5000 {
            let login = format!("student{student}");
            let best = (0..10).min_by_key(|variant| draw(7, &login, 2, *variant)).expect("ten of them");
            first[usize::from(best)] += 1;
        }
        // 500 each, with a standard deviation of 21.
        assert!(first.iter().all(|count| (400..600).contains(count)), "{first:?}");
    }
}
