//! Some PEs of a team: sorted, without duplicates, all of them members.
use wb_comm::{Error, Rank, Result, text::barrier};

/// Some PEs of a team: at least one, ascending, without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subset {
    members: Vec<Rank>,
}

impl Subset {
    /// The PEs `listed`, in any order, of a team of `size`.
    ///
    /// # Errors
    /// [`Error::Setup`] for a list that is empty, names a PE twice, or one that is not in the team.
    pub fn from_list(listed: &[Rank], size: usize) -> Result<Self> {
        let mut members = listed.to_vec();
        members.sort_unstable();
        if let Some(twice) = members.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::Setup(barrier::listed_twice(twice[0])));
        }
        match members.last() {
            None => Err(Error::Setup(barrier::nobody())),
            Some(&last) if last >= size => Err(Error::Setup(barrier::listed_outside(last, size))),
            Some(_) => Ok(Self { members }),
        }
    }

    /// The whole team.
    ///
    /// # Errors
    /// [`Error::Setup`] for an empty team.
    pub fn all(size: usize) -> Result<Self> {
        Self::from_list(&(0..size).collect::<Vec<_>>(), size)
    }

    /// The members, ascending.
    #[inline]
    pub fn members(&self) -> &[Rank] {
        &self.members
    }

    /// The position of `rank` among the members.
    ///
    /// # Errors
    /// [`Error::Setup`] for a PE that is not a member.
    #[inline]
    pub fn position(&self, rank: Rank) -> Result<usize> {
        // In a subset without gaps that begins at 0 the position of every rank is its number.
        if self.members.get(rank) == Some(&rank) {
            return Ok(rank);
        }
        let found = self.members.binary_search(&rank);
        found.map_err(|_| Error::Setup(barrier::not_listed(rank, &self.members[..])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_is_checked_before_it_can_hang() {
        let text = |listed: &[Rank]| Subset::from_list(listed, 4).expect_err("a wrong list").to_string();
        assert_eq!(text(&[]), "a barrier needs at least 1 participant");
        assert_eq!(text(&[2, 1, 2]), "PE 2 is listed twice");
        assert_eq!(text(&[0, 4]), "PE 4 is listed, but the team has 4");
        let subset = Subset::from_list(&[3, 1], 4).expect("a right list");
        assert_eq!((subset.members(), subset.position(3), subset.position(1)), (&[1, 3][..], Ok(1), Ok(0)));
        assert_eq!(
            subset.position(2).expect_err("no member").to_string(),
            "PE 2 is not in the subset [1, 3]"
        );
    }
}
