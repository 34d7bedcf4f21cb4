//! Dimensions of a grid for a number of ranks.
use wb_comm::{Error, Result, text::topology};

use crate::call_text::call_text;

/// The dimensions of a grid of `ranks` ranks (`MPI_Dims_create`). A dimension of `dims` that is not 0 is kept; those that are 0 are filled in
/// non-increasing order, the largest of them as small as possible, then the next one, and so on.
///
/// ```
/// use wb_world::dims_create;
/// assert_eq!(dims_create(12, &[0, 0])?, [4, 3]);
/// assert_eq!(dims_create(6, &[0, 3, 0])?, [2, 3, 1]);
/// assert!(dims_create(7, &[0, 3, 0]).is_err());
/// # Ok::<(), wb_world::Error>(())
/// ```
///
/// # Errors
/// [`Error::CommunicatorArgument`] if the product of the given dimensions does not divide the number of ranks, or differs from it and no dimension is 0.
#[track_caller]
pub fn dims_create(ranks: usize, dims: &[usize]) -> Result<Vec<usize>> {
    if ranks == 0 {
        return Err(Error::CommunicatorArgument(topology::no_ranks(call_text("dims_create"))));
    }
    let given = dims.iter().filter(|extent| **extent > 0);
    let product = given.fold(1, |product: usize, extent| product.saturating_mul(*extent));
    if !ranks.is_multiple_of(product) {
        return Err(Error::CommunicatorArgument(topology::indivisible(
            call_text("dims_create"),
            ranks,
            dims,
        )));
    }
    let free = dims.iter().filter(|extent| **extent == 0).count();
    let Some(factors) = balanced_factors(ranks / product, free, ranks / product) else {
        return Err(Error::CommunicatorArgument(topology::nothing_free(
            call_text("dims_create"),
            ranks,
            product,
        )));
    };
    let mut factors = factors.into_iter();
    Ok(dims.iter().map(|&extent| if extent == 0 { factors.next().unwrap_or(1) } else { extent }).collect())
}

/// The smallest list in lexicographic order of `count` factors of `number`, non-increasing and at most `max`.
fn balanced_factors(number: usize, count: usize, max: usize) -> Option<Vec<usize>> {
    if count == 0 {
        return (number == 1).then(Vec::new);
    }
    // The largest factor is at least the root.
    let is_enough = |factor: &usize| factor.saturating_pow(count as u32) >= number;
    let largest = (1..=max.min(number)).filter(|factor| number.is_multiple_of(*factor)).filter(is_enough);
    largest
        .filter_map(|factor| {
            Some([vec![factor], balanced_factors(number / factor, count - 1, factor)?].concat())
        })
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every factorisation into non-increasing factors.
    fn factorisations(number: usize, count: usize, max: usize) -> Vec<Vec<usize>> {
        if count == 0 {
            return if number == 1 { vec![vec![]] } else { vec![] };
        }
        let factors = (1..=max).filter(|factor| number.is_multiple_of(*factor));
        factors
            .flat_map(|factor| {
                let rest = factorisations(number / factor, count - 1, factor);
                rest.into_iter().map(move |rest| [vec![factor], rest].concat())
            })
            .collect()
    }

    #[test]
    fn the_dimensions_are_balanced_and_do_not_increase() {
        for (ranks, count) in (1..=240).flat_map(|ranks| (1..=4).map(move |count| (ranks, count))) {
            let dims = dims_create(ranks, &vec![0; count]).expect("all are free");
            assert_eq!(dims.iter().product::<usize>(), ranks, "{ranks} ranks, {dims:?}");
            assert!(dims.is_sorted_by(|a, b| a >= b), "{ranks} ranks: {dims:?}");
            let best = factorisations(ranks, count, ranks).into_iter().min().expect("there is one");
            assert_eq!(dims, best, "{ranks} ranks");
        }
    }

    #[test]
    fn given_dimensions_are_kept() {
        for ranks in 1..=60 {
            for given in (1..=ranks).filter(|given| ranks % given == 0) {
                let dims = dims_create(ranks, &[0, given, 0]).expect("it divides");
                assert_eq!((dims[1], dims[0] * dims[1] * dims[2]), (given, ranks));
                assert!(dims[0] >= dims[2]);
            }
        }
        assert_eq!(dims_create(6, &[3, 2]), Ok(vec![3, 2]), "no dimension is free");
    }

    #[test]
    fn the_examples_of_the_standard() {
        assert_eq!(dims_create(6, &[0, 0]), Ok(vec![3, 2]));
        assert_eq!(dims_create(7, &[0, 0]), Ok(vec![7, 1]));
        assert_eq!(dims_create(6, &[0, 3, 0]), Ok(vec![2, 3, 1]));
    }

    #[test]
    fn what_does_not_divide_is_an_error_that_says_so() {
        let message = |ranks, dims: &[usize]| dims_create(ranks, dims).expect_err("impossible").to_string();
        let (text, line) = (dims_create(0, &[0]).expect_err("no rank").to_string(), line!());
        assert_eq!(text, format!("dims_create at {}:{line}: the number of ranks is 0", file!()));
        assert!(
            message(7, &[0, 3, 0])
                .contains("7 rank(s) cannot be divided by the product of the given dimensions [0, 3, 0]")
        );
        assert!(message(6, &[2]).contains("2 place(s) for 6 rank(s)"), "{}", message(6, &[2]));
        assert!(message(2, &[3]).contains("2 rank(s) cannot be divided"));
        assert!(message(0, &[0]).contains("the number of ranks is 0"));
        assert!(message(2, &[usize::MAX, usize::MAX]).contains("dimensions [-1, -1]"));
        assert!(dims_create(2, &[]).is_err() && dims_create(1, &[]) == Ok(vec![]));
    }
}
