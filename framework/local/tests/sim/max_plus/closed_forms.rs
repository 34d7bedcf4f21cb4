//! Closed forms of the times of recordings.
use super::*;

fn recorded(name: &str, setting: &GroupConfig) -> Recording {
    record(setting.size, &barrier(name, setting).expect("a pattern"))
}

fn cost(name: &str, machine: &Machine, size: usize) -> u64 {
    let recording = recorded(name, &setting(machine, size));
    MaxPlusRun::new(&recording, machine, &ArrivalPattern::Simultaneous, Noise::none())
        .episode()
        .expect("it ends")
        .cost()
}

#[test]
fn closed_forms_hold() {
    let (latency, overhead, gap) = (1000, 100, 250);
    for size in [1_usize, 2, 3, 4, 6, 8, 15, 16, 17, 64, 100, 1000] {
        let rounds = size.next_power_of_two().trailing_zeros() as u64;
        let free = flat(link(latency, overhead, 0));
        assert_eq!(cost("dissemination", &free, size), rounds * (2 * overhead + latency), "P = {size}");
        if size.is_power_of_two() {
            let wanted = rounds * (2 * overhead + latency);
            assert_eq!(cost("recursive_doubling", &free, size), wanted, "P = {size}");
        }
        if size > 1 {
            let p = size as u64;
            // L + 2 o to the root, which receives each other message in o; then sends are max(o, g) apart.
            let wanted = 2 * latency + 4 * overhead + (p - 2) * (overhead + overhead.max(gap));
            assert_eq!(cost("linear", &flat(link(latency, overhead, gap)), size), wanted, "P = {size}");
            let round_time = p * (latency + 2 * overhead);
            // The very last send is synchronous: it completes L after its message has arrived, which then must still
            // be received.
            let wanted = 2 * round_time - overhead + latency;
            assert_eq!(cost("double_ring", &free, size), wanted, "P = {size}");
        }
    }
}

#[test]
fn episodes_follow_each_other_and_keep_their_pace() {
    let machine = flat(link(1000, 100, 0));
    let recording = recorded("dissemination", &GroupConfig::new(16));
    let mut run = MaxPlusRun::new(
        &recording,
        &machine,
        &ArrivalPattern::OneLate { rank: 3, delay: 5000 },
        Noise::none(),
    );
    let exits: Vec<u64> = (0..4).map(|_| run.episode().expect("it ends").last_exit()).collect();
    assert_eq!(exits, [9800, 14_600, 19_400, 24_200]);
}

#[test]
fn a_port_that_is_busy_at_the_end_of_an_episode_is_busy_in_the_next() {
    let machine = flat(link(1000, 100, 10_000));
    let recording = recorded("dissemination", &GroupConfig::new(2));
    let mut run = MaxPlusRun::new(&recording, &machine, &ArrivalPattern::Simultaneous, Noise::none());
    let exits: Vec<u64> = (0..3).map(|_| run.episode().expect("it ends").last_exit()).collect();
    assert_eq!(exits, [1200, 11_200, 21_200]);
}

#[test]
fn the_critical_path_of_a_late_rank_begins_there() {
    let machine = flat(link(1000, 100, 0));
    let recording = recorded("dissemination", &GroupConfig::new(8));
    let mut run = MaxPlusRun::new(
        &recording,
        &machine,
        &ArrivalPattern::OneLate { rank: 5, delay: 9000 },
        Noise::none(),
    );
    let outcome = run.episode().expect("it ends");
    let path = run.critical_path(&outcome.exits);
    assert_eq!(path.steps.first(), Some(&PathStep::Entry { rank: 5, at: 9000 }));
    // Rank 5's own last round ends as late as any other rank's, so the path may have a single message.
    assert!(path.hops() >= 1, "{path:?}");
    assert_eq!(outcome.cost(), 3 * 1200);
}

#[test]
fn noise_is_waited_for_by_everybody_and_repeats_by_its_seed() {
    let machine = flat(link(1000, 100, 0));
    let settings = NoiseSettings { every_ns: 20_000, detour_ns: 3000 };
    let last = |size, seed| {
        let recording = recorded("dissemination", &GroupConfig::new(size));
        let mut run = MaxPlusRun::new(
            &recording,
            &machine,
            &ArrivalPattern::Simultaneous,
            Noise::from_settings(&settings, size, seed),
        );
        (0..20).map(|_| run.episode().expect("it ends").last_exit()).max()
    };
    assert_eq!(last(64, 1), last(64, 1));
    assert_ne!(last(64, 1), last(64, 2));
    // Relative to runs without noise, detours cost 1024 ranks more than 2.
    let slower = |size: usize| {
        let rounds = size.trailing_zeros() as f64;
        last(size, 1).expect("20 episodes") as f64 / (20.0 * rounds * 1200.0)
    };
    assert!(slower(1024) > slower(2) && slower(2) > 1.0, "{} {}", slower(1024), slower(2));
}

#[test]
fn machines_that_come_along_order_as_machines_do() {
    let cost = |name: &str| {
        let machine =
            machine_library::find(name).expect("it comes along").machine(name, 64).expect("64 cores");
        cost("dissemination", &machine, 64)
    };
    assert!(cost("node-64") <= cost("cluster-ib") && cost("cluster-ib") < cost("cluster-ethernet"));
}
