//! Medians, intervals, bootstraps and scaling laws: pure functions of samples.
