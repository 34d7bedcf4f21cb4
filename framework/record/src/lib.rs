//! What was seen: measurements and their environment, data only.
