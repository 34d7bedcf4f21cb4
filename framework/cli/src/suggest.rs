//! Suggestions: the valid names most similar to a wrong one.

/// At most three names that are little more than a third of their letters away, quoted, with commas; `None` when there is
/// no such name.
pub(crate) fn nearest_names<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let most = 1 + wrong.chars().count() / 3;
    let far = |name: &str| strsim::damerau_levenshtein(wrong, name);
    let mut near: Vec<_> = known.into_iter().filter(|name| far(name) <= most).collect();
    near.sort_by_key(|name| far(name));
    // A name at distance 0 is unambiguous.
    let surest = near.first().is_some_and(|name| far(name) == 0);
    near.truncate(if surest { 1 } else { near.len() });
    let near: Vec<_> = near.iter().take(3).map(|name| format!("`{name}`")).collect();
    (!near.is_empty()).then(|| near.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first_and_what_is_far_does_not_come() {
        let known = ["cluster-ib", "cluster-ethernet", "laptop-2", "laptop-4"];
        assert_eq!(nearest_names("cluster-ob", known).as_deref(), Some("`cluster-ib`"));
        assert_eq!(nearest_names("laptop2", known).as_deref(), Some("`laptop-2`, `laptop-4`"));
        assert_eq!(nearest_names("mainframe", known), None);
    }
}
