//! A clock with a planted offset and drift.

/// The offsets of the laws, in nanoseconds.
pub(crate) const OFFSETS_NS: [i64; 3] = [0, 5_000_000_000, -5_000_000_000];

/// The drifts of the laws, in millionths.
pub(crate) const DRIFTS_PPM: [i64; 3] = [0, 50, -50];

/// All planted clocks.
pub(crate) fn planted() -> impl Iterator<Item = PlantedClock> {
    let with_offset =
        |offset_ns| DRIFTS_PPM.into_iter().map(move |drift_ppm| PlantedClock { offset_ns, drift_ppm });
    OFFSETS_NS.into_iter().flat_map(with_offset)
}

/// A clock of a host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlantedClock {
    pub(crate) offset_ns: i64,
    pub(crate) drift_ppm: i64,
}

impl PlantedClock {
    /// The clock of the reference.
    pub(crate) const TRUE: Self = Self { offset_ns: 0, drift_ppm: 0 };

    /// Its reading at this true time, which is at least 5 s.
    pub(crate) fn read(self, true_ns: u64) -> u64 {
        let gained = i128::from(true_ns) * i128::from(self.drift_ppm) / 1_000_000;
        let reading = i128::from(true_ns) + i128::from(self.offset_ns) + gained;
        u64::try_from(reading).expect("a clock does not show a time before 0")
    }
}
