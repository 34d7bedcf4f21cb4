//! I6 and I7: barriers beside each other, of one team and of teams that overlap.
use wb_world::World;

use super::{
    LawResult, LawRun, count_ranks,
    stress::{RandomDelays, Stamps},
};

/// I6: a barrier and another one take turns on the same team.
pub(super) fn check_mixing(law_run: &LawRun<'_>) -> LawResult {
    let places = [
        law_run.provider.build(law_run.entry, law_run.world)?,
        law_run.provider.build(law_run.partner, law_run.world)?,
    ];
    let [mut one, mut other] = places.each_ref().map(|place| place.barrier());
    let mut stamps = Stamps::default();
    let mut delays = RandomDelays::new(law_run.seed() + 6, law_run.world.rank());
    for episode in 0..2 * law_run.effort.episodes {
        delays.delay();
        stamps.pass(law_run.world, if episode % 2 == 0 { &mut *one } else { &mut *other })?;
    }
    drop((one, other));
    stamps.check(law_run.world)?;
    Ok(places.into_iter().try_for_each(super::BarrierInstance::close)?)
}

/// Whether there are as many ranks as [`TEAMS`] needs, and they can form teams.
pub(super) fn can_overlap(law_run: &LawRun<'_>) -> bool {
    law_run.world.size() == 3 && law_run.provider.has_teams()
}

/// The teams of I7, in a world of three.
const TEAMS: [&[usize]; 3] = [&[0, 1, 2], &[0, 1], &[1, 2]];

/// I7: in a world of three, teams that share ranks pass their barriers in an order that all agree on.
pub(super) fn check_overlap(law_run: &LawRun<'_>) -> LawResult {
    let member = |team: &&[usize]| team.contains(&law_run.world.rank());
    let split = |team: &[usize]| law_run.world.split(member(&team).then_some(0), 0);
    let worlds = [split(TEAMS[0])?, split(TEAMS[1])?, split(TEAMS[2])?];
    let place = |team: &Option<World>| {
        team.as_ref().map(|team| law_run.provider.build(law_run.entry, team)).transpose()
    };
    let places = [place(&worlds[0])?, place(&worlds[1])?, place(&worlds[2])?];
    let mut barriers = places.each_ref().map(|place| place.as_ref().map(|place| place.barrier()));
    let mut stamps: [Stamps; 3] = Default::default();
    let (mut delays, mut order) =
        (RandomDelays::new(law_run.seed() + 7, law_run.world.rank()), oorandom::Rand32::new(law_run.seed()));
    for _ in 0..3 * law_run.effort.episodes {
        let team = order.rand_range(0..3) as usize;
        delays.delay();
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
    let anywhere = count_ranks(law_run.world, !broken.is_empty())?;
    places.into_iter().flatten().try_for_each(super::BarrierInstance::close)?;
    match (broken.first(), anywhere) {
        (Some(why), _) => Err(why.as_str().into()),
        (None, 0) => Ok(()),
        (None, _) => Err("a team of other ranks is broken".into()),
    }
}
