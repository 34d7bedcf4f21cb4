//! The bug zoo: what a course must name is named, with its code and its lines, and what is right is left alone.
use wb_comm::{Code, Finding, Place};
use wb_messages::pages;
use wb_tests::zoo::{self, Animal, score::Score};

/// A page must not show a program that nobody has run.
#[test]
fn every_page_shows_programs_of_the_zoo() {
    for code in Code::ALL {
        let page = pages::page(code);
        let shown = |program: &str| {
            let found = zoo::all().iter().find(|animal| animal.body() == program);
            found.unwrap_or_else(|| panic!("{code}: not in the zoo:\n{program}"))
        };
        let (wrong, right) = (shown(page.wrong), shown(page.right));
        assert!(!right.is_wrong(), "{code}: {}", right.name);
        // Rule 4 forbids nothing: its page shows what the rule beside it forbids.
        let marked = wrong.marks.iter().any(|mark| mark.code == code);
        assert!(marked || code == Code::Overlap && wrong.is_wrong(), "{code}: {}", wrong.name);
    }
}

#[test]
fn the_zoo_is_large_enough_and_every_class_has_both_kinds() {
    let (wrong, right): (Vec<_>, Vec<_>) = zoo::all().iter().partition(|animal| animal.is_wrong());
    assert!(wrong.len() >= 40 && right.len() >= 20, "{} wrong, {} right", wrong.len(), right.len());
    let classes =
        |animals: &[&Animal]| animals.iter().map(|a| a.class).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(classes(&wrong), classes(&right));
}

#[test]
fn canary_the_score_sees_what_is_missed_and_what_is_invented() {
    let animal =
        zoo::all().iter().find(|animal| animal.name == "wrong_both_receive_first").expect("it is there");
    let line = animal.marks[0].line;
    let place = |rank, line| Place { rank, call: "recv".into(), file: animal.file(), line };
    let found = |code, places| Finding { code, rank: 0, places, details: vec![] };
    let right = found(Code::Deadlock, vec![place(0, line), place(1, line)]);
    let score = Score::of(animal, std::slice::from_ref(&right));
    assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 1.0, 1.0));
    let elsewhere = found(Code::Deadlock, vec![place(0, line + 1), place(1, line)]);
    let invented = found(Code::Tag, vec![place(0, line), place(1, line)]);
    let score = Score::of(animal, &[elsewhere, invented.clone()]);
    assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 0.5, 0.5));
    let score = Score::of(animal, &[invented]);
    assert_eq!((score.recall(), score.precision(), score.lines()), (0.0, 0.0, 0.0));
}
