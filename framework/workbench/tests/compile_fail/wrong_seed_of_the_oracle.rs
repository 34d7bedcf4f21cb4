//! A task reads the seed of oracles and does not set it: that would be a memory between its passes.
use workbench::noise;

fn main() {
    assert_eq!(noise::oracle_seed(), 0x5eed);
    noise::set_oracle_seed(1);
    workbench::set_oracle_seed(1);
}
