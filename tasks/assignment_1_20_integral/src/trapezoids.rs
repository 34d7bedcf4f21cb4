//! The trapezoidal rule over all steps of an input.
use crate::problem::{Function, Input};

/// The sum of the areas of all trapezoids of `input`.
///
/// Neighbouring trapezoids share a side, so the function is evaluated once at each point: h (f0/2 + f1 + ... + fn/2).
pub(crate) fn trapezoids(input: &Input) -> f64 {
    // The function is selected here, once, so that the compiler generates a separate loop for each function.
    match input.function {
        Function::Line => area(|x| Function::Line.at(x), input),
        Function::Sine => area(|x| Function::Sine.at(x), input),
        Function::Exponential => area(|x| Function::Exponential.at(x), input),
        Function::Witch => area(|x| Function::Witch.at(x), input),
    }
}

/// The approximate number of floating-point operations of [`trapezoids`]: the point, its function, the sum.
pub(crate) fn flops(input: &Input) -> u64 {
    input.steps * (input.function.flops() + 3)
}

fn area(f: impl Fn(f64) -> f64, input: &Input) -> f64 {
    // Each point is computed from its index: repeated addition of h would accumulate rounding errors.
    let h = input.width();
    let at = |step: u64| f(input.from + step as f64 * h);
    let ends = 0.5 * (at(0) + at(input.steps));
    let inner: f64 = (1..input.steps).map(at).sum();
    h * (ends + inner)
}
