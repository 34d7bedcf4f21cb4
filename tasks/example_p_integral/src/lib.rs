//! Integration by the trapezoidal rule.
