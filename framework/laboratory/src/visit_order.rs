//! The order of a round's visits: drawn anew for each round, with compared forms next to each other.
//!
//! A machine may change its state within a round, and then only visits that are neighbours in time can be compared. So
//! the reference forms are visited before every group of a few other visits and at the end of the round: the distance
//! of every visit from one of each is at most half a group. Forms that are compared with one another, and with no
//! reference, are adjacent. The remaining order is random: a form that always followed the same form would be measured
//! with the cache contents that this form leaves.
use oorandom::Rand32;
use wb_record::BarrierForm;
use wb_runner::random::shuffle;

use crate::job::BarrierJobSpec;

/// The number of other visits between two visits of a reference.
const VISITS_BETWEEN_REFERENCES: usize = 12;

/// The barriers over a window that are compared with each other: counters, and `MPI_Win_fence`.
const WINDOW_GROUP: [&str; 3] = ["rma_fence", "window_counter", "dissemination"];

/// One round of a job: the numbers of its forms in the order of their visits.
pub(crate) fn round(order: &BarrierJobSpec, random: &mut Rand32) -> Vec<usize> {
    let forms = &order.forms;
    let (calls, barriers): (Vec<usize>, Vec<usize>) =
        (0..forms.len()).partition(|&number| forms[number].verb.is_some());
    if calls.is_empty() {
        return round_of_barriers(forms, random);
    }
    assert!(barriers.is_empty(), "a job is of barriers or of operations on data");
    round_of_calls(forms, order.sampling.traces, random)
}

/// The number of visits in a round of a job.
pub(crate) fn length(order: &BarrierJobSpec) -> usize {
    let passes = |form: &BarrierForm| form.bytes.map(|bytes| passes(bytes, order.sampling.traces));
    let calls: usize = order.forms.iter().filter_map(passes).sum();
    if calls > 0 { calls } else { length_of_barriers(&order.forms) }
}

/// The visits of a form of an operation on data in a round: fewer for long data, whose times differ less.
fn passes(bytes: u64, most: usize) -> usize {
    (most * (256 << 10) / bytes.max(1) as usize).clamp(1, most.max(1))
}

/// The forms of each operation and length next to each other, in passes in which each form comes once, at another place each time.
fn round_of_calls(forms: &[BarrierForm], most_passes: usize, random: &mut Rand32) -> Vec<usize> {
    let mut groups: Vec<Vec<usize>> = vec![];
    for (number, form) in forms.iter().enumerate() {
        match groups.iter_mut().find(|group| forms[group[0]].is_comparable(form)) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    shuffle(&mut groups, random);
    let mut round = vec![];
    for mut group in groups {
        shuffle(&mut group, random);
        for _ in 0..passes(forms[group[0]].bytes.unwrap_or_default(), most_passes) {
            round.extend(&group);
            group.rotate_left(1);
        }
    }
    round
}

/// One round of barriers.
fn round_of_barriers(forms: &[BarrierForm], random: &mut Rand32) -> Vec<usize> {
    let (mut measures, others): (Vec<_>, Vec<_>) =
        (0..forms.len()).partition(|&number| forms[number].is_reference());
    let (mut windows, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|&number| is_in_window_group(&forms[number]));
    shuffle(&mut windows, random);
    let mut groups: Vec<Vec<usize>> = others.into_iter().map(|number| vec![number]).collect();
    groups.extend((!windows.is_empty()).then_some(windows));
    shuffle(&mut groups, random);
    let mut round = vec![];
    let mut references = || {
        shuffle(&mut measures, random);
        measures.clone()
    };
    for stretch in groups.concat().chunks(VISITS_BETWEEN_REFERENCES) {
        round.extend(references());
        round.extend(stretch);
    }
    round.extend(references());
    round
}

fn length_of_barriers(forms: &[BarrierForm]) -> usize {
    let measures = forms.iter().filter(|form| form.is_reference()).count();
    let others = forms.len() - measures;
    others + measures * (others.div_ceil(VISITS_BETWEEN_REFERENCES) + 1)
}

fn is_in_window_group(form: &BarrierForm) -> bool {
    form.substrate == "window" && WINDOW_GROUP.contains(&form.variant.as_str())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use wb_record::Backend;

    use super::*;
    use crate::{job::tests::job_spec, substrate};

    fn process_forms() -> Vec<BarrierForm> {
        substrate::forms().into_iter().filter(|form| form.ranks_are == Backend::Mpi).collect()
    }

    fn positions(round: &[usize], wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..round.len()).filter(|&place| wanted(round[place])).collect()
    }

    #[test]
    fn every_form_is_visited_once_and_a_measure_is_never_far() {
        let forms = process_forms();
        let round = round_of_barriers(&forms, &mut Rand32::new(5));
        assert_eq!(round.len(), length_of_barriers(&forms));
        let measures: Vec<usize> = (0..forms.len()).filter(|&number| forms[number].is_reference()).collect();
        assert_eq!(measures.len(), 3, "the library's, OpenSHMEM's and the handshake");
        for number in (0..forms.len()).filter(|number| !measures.contains(number)) {
            let [place] = positions(&round, |other| other == number)[..] else {
                panic!("{:?}", forms[number])
            };
            for &measure in &measures {
                let nearest = positions(&round, |other| other == measure)
                    .into_iter()
                    .map(|at| at.abs_diff(place))
                    .min();
                let most = VISITS_BETWEEN_REFERENCES / 2 + measures.len();
                assert!(nearest.is_some_and(|nearest| nearest <= most), "{nearest:?}: {:?}", forms[number]);
            }
        }
    }

    #[test]
    fn kin_stand_side_by_side() {
        let forms = process_forms();
        for seed in 0..20 {
            let round = round_of_barriers(&forms, &mut Rand32::new(seed));
            let windows = positions(&round, |number| is_in_window_group(&forms[number]));
            let measures = 3;
            assert!(
                windows.len() >= 3 && windows[windows.len() - 1] - windows[0] < windows.len() + measures,
                "{windows:?}"
            );
        }
    }

    #[test]
    fn rounds_differ_and_their_seed_repeats_them() {
        let forms = process_forms();
        let mut random = Rand32::new(9);
        let (first, second) =
            (round_of_barriers(&forms, &mut random), round_of_barriers(&forms, &mut random));
        assert_ne!(first, second);
        assert_eq!(first, round_of_barriers(&forms, &mut Rand32::new(9)));
    }

    #[test]
    fn measures_alone_make_a_round() {
        let forms: Vec<_> = process_forms().into_iter().filter(BarrierForm::is_reference).collect();
        assert_eq!(round_of_barriers(&forms, &mut Rand32::new(1)).len(), forms.len());
        assert_eq!(length_of_barriers(&forms), forms.len());
    }

    #[test]
    fn calls_of_one_operation_are_neighbours_and_long_ones_are_fewer() {
        let forms = crate::calls::forms(Backend::Mpi, 2, &["allreduce".to_owned()], &[8, 1 << 20]);
        let sampling = crate::job::VisitSampling { traces: 10, ..job_spec(Path::new("/"), vec![]).sampling };
        let order = BarrierJobSpec { sampling, ..job_spec(Path::new("/"), forms.clone()) };
        let round = round(&order, &mut Rand32::new(3));
        assert_eq!(round.len(), length(&order));
        let of = |bytes: u64| {
            positions(&round, |number| forms[number].bytes == Some(bytes) && forms[number].is_baseline())
        };
        assert_eq!((of(8).len(), of(1 << 20).len()), (10, 2));
        let group = positions(&round, |number| forms[number].bytes == Some(8));
        assert_eq!(group[group.len() - 1] - group[0] + 1, group.len(), "no other visit between them");
    }
}
