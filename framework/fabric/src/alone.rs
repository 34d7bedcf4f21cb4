//! Collectives that not all members of a communicator or window call: who has, and who has not.
//!
//! A collective need not make anybody wait. A broadcast lets its root go on, a gather lets the others go on, and so a job may
//! end well with a collective that some ranks have never joined. The roll of each group knows of it.
use wb_comm::{Blocked, Code, Finding, Place, Rank, Roll, Text, Unjoined, text::collective};

use crate::{
    Pace,
    deadlock::{Need, Standing},
    state::State,
};

/// A communicator or a window, as far as its collectives go.
struct Group<'s> {
    name: Text,
    members: &'s [Rank],
    roll: &'s Roll,
}

impl Group<'_> {
    /// The first that not all have called, in the job's numbering.
    fn unjoined(&self) -> Option<Unjoined> {
        self.roll.unjoined().map(|open| open.of_job(self.members))
    }

    /// The last that `rank` of the job has called, if others have not.
    fn unjoined_by(&self, rank: Rank) -> Option<Unjoined> {
        let member = self.members.iter().position(|member| *member == rank)?;
        self.roll.unjoined_by(member).map(|open| open.of_job(self.members))
    }
}

impl<P: Pace> State<P> {
    /// What nobody will join any more: call once all ranks have come back.
    pub(crate) fn never_joined(&self) -> impl Iterator<Item = Finding> {
        let communicators = (0..self.communicators.len()).map(|at| self.communicator(at));
        let groups = communicators.chain((0..self.windows.len()).map(|at| self.window(at)));
        groups.filter_map(|group| Some(group.unjoined()?.finding(&group.name)))
    }

    /// The causes why nobody can go on, and for those in collectives also who has called them.
    pub(crate) fn with_callers(&self, causes: Vec<Finding>) -> Vec<Finding> {
        let mut told: Vec<Finding> = vec![];
        for mut cause in causes {
            match cause.code {
                Code::CollectiveAlone | Code::CollectiveOrder => self.add_callers(&mut cause),
                Code::PartnerEnded => cause = self.instead_of_partner(cause),
                _ => {}
            }
            // Each rank that waits in it is a cause; they are one.
            let same = |known: &&mut Finding| {
                known.code == Code::CollectiveAlone
                    && cause.code == known.code
                    && known.details.first() == cause.details.first()
            };
            match told.iter_mut().find(same) {
                Some(known) => add_new(known, cause),
                None => told.push(cause),
            }
        }
        told
    }

    /// Adds who has called the collectives that ranks of `cause` stand in, and who has not.
    fn add_callers(&self, cause: &mut Finding) {
        let mut texts: Vec<Text> = vec![];
        let ranks: Vec<_> = cause.places.iter().map(|place| place.rank).collect();
        for rank in ranks {
            let Some(group) = self.seats[rank].standing.as_ref().and_then(|standing| self.group_of(standing))
            else {
                continue;
            };
            let Some(open) = group.unjoined_by(rank) else { continue };
            let text = open.told(&group.name);
            if !texts.contains(&text) {
                texts.push(text);
                add_places(&mut cause.places, open.places());
            }
        }
        cause.details.splice(0..0, texts);
    }

    /// A rank that waits for one that has ended: where that one called a collective, and nobody else did, it is taken for a
    /// send.
    fn instead_of_partner(&self, cause: Finding) -> Finding {
        let rank = cause.rank;
        let Some(standing) = &self.seats[rank].standing else { return cause };
        let Some(group) = self.group_of(standing) else { return cause };
        let Some(open) = group.unjoined().filter(|open| open.missing.contains(&rank)) else { return cause };
        let Blocked { awaits, .. } = self.describe(rank, standing);
        let [call] = open.called[..] else { return cause };
        if !awaits.contains(&call.rank) {
            return cause;
        }
        let found = open.finding(&group.name);
        let places = found.places.into_iter().chain(cause.places).collect();
        let details = found.details.into_iter().chain(cause.details).collect();
        Finding { places, details, ..found }
    }

    fn group_of(&self, standing: &Standing) -> Option<Group<'_>> {
        match &standing.need {
            Need::Operations(ids) => Some(self.communicator(self.first_open(ids)?.communicator)),
            Need::Message { communicator, .. } | Need::Agreement { communicator, .. } => {
                Some(self.communicator(*communicator))
            }
            Need::Window { window, .. } => Some(self.window(*window)),
        }
    }

    fn communicator(&self, at: usize) -> Group<'_> {
        let group = &self.communicators[at];
        Group { name: collective::communicator(group.told()), members: &group.members, roll: &group.roll }
    }

    fn window(&self, at: usize) -> Group<'_> {
        let shared = &self.windows[at];
        Group { name: Text::verbatim(&shared.name), members: &shared.members, roll: &shared.roll }
    }
}

fn add_new(known: &mut Finding, cause: Finding) {
    add_places(&mut known.places, cause.places);
    let new: Vec<_> = cause.details.into_iter().filter(|detail| !known.details.contains(detail)).collect();
    known.details.extend(new);
}

fn add_places(places: &mut Vec<Place>, more: Vec<Place>) {
    let new: Vec<_> = more.into_iter().filter(|place| !places.contains(place)).collect();
    places.extend(new);
}
