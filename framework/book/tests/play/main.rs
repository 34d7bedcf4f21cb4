//! The pages of algorithms that play, in a headless Chromium: their times are those of the simulator.
mod pages;
mod times;

fn main() {
    wb_browser::run_tests(
        &[
            ("the_times_of_500_calls_are_the_simulators", times::the_times_of_500_calls_are_the_simulators),
            ("canary_a_change_of_the_arithmetic_is_found", times::canary_a_change_of_the_arithmetic_is_found),
            (
                "wrong_barriers_play_to_the_fault_that_the_proof_finds",
                times::wrong_barriers_play_to_the_fault_that_the_proof_finds,
            ),
            ("a_page_plays_steps_and_compares", pages::a_page_plays_steps_and_compares),
            (
                "a_wrong_barrier_opens_at_its_counterexample",
                pages::a_wrong_barrier_opens_at_its_counterexample,
            ),
            ("pages_are_small", pages::pages_are_small),
        ],
        times::Calls::new,
    )
}
