//! Numbers of ranks as a command line lists them: `2,4,8`, and ranges whose steps are the command's own.

/// The numbers of `list`, rising and each once, all from 1 to `most`; a range `2..16` goes on by `next` as long as it stays
/// within. Else the item that is none.
pub(crate) fn read(list: &str, most: u32, next: impl Fn(u32) -> u32 + Copy) -> Result<Vec<u32>, &str> {
    let mut all = Vec::new();
    for item in list.split(',') {
        let number =
            |digits: &str| digits.trim().parse().ok().filter(|ranks| (1..=most).contains(ranks)).ok_or(item);
        let (from, to) = item.split_once("..").unwrap_or((item, item));
        let (from, to) = (number(from)?, number(to)?);
        if from > to {
            return Err(item);
        }
        all.extend(
            std::iter::successors(Some(from), |&ranks| Some(next(ranks))).take_while(|&ranks| ranks <= to),
        );
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
