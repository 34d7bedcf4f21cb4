//! Neighbourhood collectives: every rank exchanges blocks with its neighbours in a topology.

pub mod linear;

pub use linear::linear;
