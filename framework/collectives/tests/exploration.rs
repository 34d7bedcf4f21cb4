//! Every order of delivery that a memory admits: what is offered is safe, and what is wrong is refused with a short trace.
use wb_collectives::{
    catalogue::{self, Setting, find},
    explore::{Finding, Mode, Scene, explore},
    script::Style,
};

const LIMIT: usize = 1_500_000;

/// Three episodes where that is quickly done.
fn episodes(size: usize) -> usize {
    if size < 4 { 3 } else { 2 }
}

/// What is explored of a barrier; `None`: it is native, or not defined for the size.
fn scene(name: &str, size: usize, style: Style) -> Option<(Scene, Mode)> {
    let (entry, setting) = (find(name).expect("in the catalogue"), Setting::of(size));
    let needs = entry.in_memory(0, &setting, style)?.ok()?.needs();
    let scene = Scene::of(entry, &setting, style, episodes(size))?.expect("as for PE 0");
    Some((scene, needs))
}

#[test]
fn every_barrier_of_the_catalogue_is_safe_on_any_memory_that_it_admits() {
    for entry in catalogue::all() {
        for size in 2..=4 {
            for style in Style::ALL {
                let Some((scene, needs)) = scene(entry.name, size, style) else { continue };
                for mode in Mode::ALL.into_iter().filter(|mode| mode.covers(needs)) {
                    let finding = explore(&scene, mode, LIMIT).expect("programs do not fail");
                    assert!(finding.is_safe(), "{}, P = {size}, {}: {finding}", entry.name, mode.name());
                }
            }
        }
    }
}

/// Epochs put into a cell: an old one can arrive after a newer one.
#[test]
fn put_epochs_need_ordered_delivery() {
    let (scene, needs) = scene("dissemination", 2, Style::Put).expect("a pattern");
    assert_eq!(needs, Mode::FIFO);
    let finding = explore(&scene, Mode::UNORDERED, LIMIT).expect("programs do not fail");
    let Finding::Deadlock { waiting, trace } = &finding else { panic!("{finding}") };
    let lines: Vec<_> = trace.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 13, "{lines:#?}");
    assert_eq!(lines[11], "PE 0: put of PE 1 arrives: [0] = 3");
    assert_eq!(lines[12], "PE 0: put of PE 1 arrives: [0] = 1");
    assert_eq!(waiting[0].to_string(), "PE 0 in episode 2: wait [0] >= 2, which is 1");
}
