//! Broadcast over a binomial tree, built on send and receive alone.
