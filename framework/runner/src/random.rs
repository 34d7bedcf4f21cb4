//! Random permutations.
use oorandom::Rand32;

/// Permutes `items` randomly, each order with the same probability: the algorithm of Fisher and Yates.
pub fn shuffle<T>(items: &mut [T], random: &mut Rand32) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.rand_range(0..last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_order_of_three_items_is_drawn_about_equally_often() {
        let mut random = Rand32::new(1);
        let mut drawn: BTreeMap<[u8; 3], usize> = BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            shuffle(&mut items, &mut random);
            *drawn.entry(items).or_default() += 1;
        }
        assert_eq!(drawn.len(), 6);
        assert!(drawn.values().all(|times| (850..1150).contains(times)), "{drawn:?}");
    }
}
