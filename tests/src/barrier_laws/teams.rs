//! I6 and I7: barriers beside each other, of one team and of teams that overlap.
use wb_world::World;

use super::{
    LawResult, LawRun, count_ranks,
    stress::{RandomDelays, Stamps},
};

/// I6: a barrier and another one take turns on the same team.
pub(super) fn check_mixing(trial: &LawRun<'_>) -> LawResult {
    let places =
        [trial.provider.build(trial.entry, trial.world)?, trial.provider.build(trial.partner, trial.world)?];
    let [mut one, mut other] = places.each_ref().map(|place| place.barrier());
    let mut stamps = Stamps::default();
    let mut weather = RandomDelays::new(trial.seed() + 6, trial.world.rank());
    for episode in 0..2 * trial.effort.episodes {
        weather.delay();
        stamps.pass(trial.world, if episode % 2 == 0 { &mut *one } else { &mut *other })?;
    }
    drop((one, other));
    stamps.check(trial.world)?;
    Ok(places.into_iter().try_for_each(super::BarrierInstance::close)?)
}

/// Are there as many ranks as [`TEAMS`] needs, and can they form teams?
pub(super) fn can_overlap(trial: &LawRun<'_>) -> bool {
    trial.world.size() == 3 && trial.provider.has_teams()
}

/// The teams of I7, in a world of three.
const TEAMS: [&[usize]; 3] = [&[0, 1, 2], &[0, 1], &[1, 2]];

/// I7: in a world of three, teams that share ranks pass their barriers in an order that all agree on.
pub(super) fn check_overlap(trial: &LawRun<'_>) -> LawResult {
    let member = |team: &&[usize]| team.contains(&trial.world.rank());
    let split = |team: &[usize]| trial.world.split(member(&team).then_some(0), 0);
    let worlds = [split(TEAMS[0])?, split(TEAMS[1])?, split(TEAMS[2])?];
    let place =
        |team: &Option<World>| team.as_ref().map(|team| trial.provider.build(trial.entry, team)).transpose();
    let places = [place(&worlds[0])?, place(&worlds[1])?, place(&worlds[2])?];
    let mut barriers = places.each_ref().map(|place| place.as_ref().map(|place| place.barrier()));
    let mut stamps: [Stamps; 3] = Default::default();
    let (mut weather, mut order) =
        (RandomDelays::new(trial.seed() + 7, trial.world.rank()), oorandom::Rand32::new(trial.seed()));
    for _ in 0..3 * trial.effort.episodes {
        let team = order.rand_range(0..3) as usize;
        weather.delay();
        if let (Some(world), Some(barrier)) = (&worlds[team], &mut barriers[team]) {
            stamps[team].pass(world, &mut **barrier)?;
        }
    }
    drop(barriers);
    // All teams judge before anybody leaves: a member that left early would keep its next team waiting.
    let broken = |(team, stamps): (&Option<World>, &Stamps)| {
        let team = team.as_ref()?;
        stamps.check(team).err().map(|why| format!("a team of {}: {why}", team.size()))
    };
    let broken: Vec<_> = worlds.iter().zip(&stamps).filter_map(broken).collect();
    let anywhere = count_ranks(trial.world, !broken.is_empty())?;
    places.into_iter().flatten().try_for_each(super::BarrierInstance::close)?;
    match (broken.first(), anywhere) {
        (Some(why), _) => Err(why.as_str().into()),
        (None, 0) => Ok(()),
        (None, _) => Err("a team of other ranks is broken".into()),
    }
}
