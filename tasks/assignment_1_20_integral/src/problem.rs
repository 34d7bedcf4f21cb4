//! The problem: the integral of a function whose antiderivative is known.
//!
//! The trapezoidal rule divides `from..to` into `steps` steps of width h and replaces the function by a straight line
//! in each. Its error has a known bound: |to - from| h^2 / 12 times the largest |f''|. So the oracle compares the
//! output with the exact integral within this bound, and needs no second program.
use serde::{Deserialize, Serialize};
use workbench::{Problem, Verdict, Workload};

/// The functions that can be integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// 2x + 1, for which the rule is exact.
    Line,
    /// sin x.
    Sine,
    /// e^x, whose bound depends on the interval.
    Exponential,
    /// 4 / (1 + x^2), whose integral over 0..1 is pi.
    Witch,
}

impl Function {
    /// All functions; a function is sent as its index in this list.
    pub const ALL: [Self; 4] = [Self::Line, Self::Sine, Self::Exponential, Self::Witch];

    /// The name of the function in a workload of `assignment.yaml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Sine => "sine",
            Self::Exponential => "exponential",
            Self::Witch => "witch",
        }
    }

    /// The approximate number of floating-point operations of f(x), for the simulated machine.
    pub fn flops(self) -> u64 {
        match self {
            Self::Line => 2,
            Self::Witch => 3,
            // Argument reduction and a polynomial.
            Self::Sine | Self::Exponential => 20,
        }
    }

    /// f(x).
    #[inline]
    pub fn at(self, x: f64) -> f64 {
        match self {
            Self::Line => 2.0 * x + 1.0,
            Self::Sine => x.sin(),
            Self::Exponential => x.exp(),
            Self::Witch => 4.0 / (1.0 + x * x),
        }
    }

    /// The exact integral.
    pub fn integral(self, from: f64, to: f64) -> f64 {
        let antiderivative = |x: f64| match self {
            Self::Line => x * x + x,
            Self::Sine => -x.cos(),
            Self::Exponential => x.exp(),
            Self::Witch => 4.0 * x.atan(),
        };
        antiderivative(to) - antiderivative(from)
    }

    /// Upper bounds of |f| and |f''| between `from` and `to`.
    fn bounds(self, from: f64, to: f64) -> (f64, f64) {
        match self {
            Self::Line => (self.at(from).abs().max(self.at(to).abs()), 0.0),
            Self::Sine => (1.0, 1.0),
            Self::Exponential => (from.max(to).exp(), from.max(to).exp()),
            Self::Witch => (4.0, 8.0),
        }
    }
}

/// The input: integrate `function` over `from..to` in `steps` steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The integrand.
    pub function: Function,
    /// The lower limit.
    #[serde(with = "workbench::special_float")]
    pub from: f64,
    /// The upper limit; if it is below `from`, the integral changes its sign.
    #[serde(with = "workbench::special_float")]
    pub to: f64,
    /// The number of trapezoids, at least one.
    pub steps: u64,
}

impl Input {
    /// The width h of a step, negative when `to` is below `from`.
    pub fn width(&self) -> f64 {
        (self.to - self.from) / self.steps as f64
    }

    /// The largest difference between a right output and the exact integral: the error of the rule, and the rounding
    /// errors of the sum.
    pub fn error_bound(&self) -> f64 {
        let (largest, curvature) = self.function.bounds(self.from, self.to);
        let length = (self.to - self.from).abs();
        let rule = length * self.width().powi(2) / 12.0 * curvature;
        let rounding = length * largest * f64::EPSILON * (self.steps as f64 + 16.0);
        rule + rounding
    }
}

/// The problem.
pub struct Integral;

impl Problem for Integral {
    type Input = Input;
    type Output = f64;

    /// The named function over 0..1, in `size` steps.
    fn workload(request: &Workload) -> Option<Input> {
        let function = Function::ALL.into_iter().find(|function| function.name() == request.name)?;
        // Every seed has a different interval of the same length, so a result kept from another seed is wrong.
        let mixed = request.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let from = (mixed >> 11) as f64 / (1_u64 << 53) as f64;
        Some(Input { function, from, to: from + 1.0, steps: request.size as u64 })
    }

    fn check(input: &Input, output: &f64) -> Verdict {
        let exact = input.function.integral(input.from, input.to);
        let bound = input.error_bound();
        // The comparison is written so that NaN is a wrong output, too.
        Verdict::of((output - exact).abs() <= bound, || {
            format!("the integral is {output}, expected {exact} with an error of at most {bound:e}")
        })
    }
}
