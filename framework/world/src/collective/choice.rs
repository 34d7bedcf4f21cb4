//! What performs the collective operations of a world.
use std::rc::Rc;

use wb_algorithms::collectives::selection::{CollectiveChoice, NodeCollectives, read_table};
use wb_comm::{CallSite, Result};

use crate::World;

impl World {
    /// Chooses what performs the collective verbs of this world that return when they are complete, and of those made from it later, from the next one on: the `library`; algorithms in shared
    /// memory, by name (`cargo wb collectives list`), for their verbs; `auto`, the fastest on this machine; or several of these, with commas. All
    /// ranks must choose the same. Without a choice it is that of the environment (`WB_COLLECTIVE_ALGORITHM`), else the library.
    ///
    /// ```no_run
    /// # fn run(world: &wb_world::World) -> wb_world::Result<()> {
    /// world.choose_collectives("auto,bcast_flat")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup) for a name that is not in the catalogue. The verbs fail if an algorithm is named and the ranks share no
    /// memory.
    pub fn choose_collectives(&self, names: &str) -> Result<()> {
        *self.collective_choice.borrow_mut() = Some(Rc::new(names.parse()?));
        Ok(())
    }

    /// The choice; the first call reads it from the environment. It is the same for all ranks of a job.
    pub(super) fn collective_choice(&self) -> Result<Rc<CollectiveChoice>> {
        if let Some(choice) = &*self.collective_choice.borrow() {
            return Ok(Rc::clone(choice));
        }
        let choice = CollectiveChoice::from_environment(|variable| std::env::var(variable).ok())?;
        let choice = Rc::new(choice.unwrap_or_default());
        *self.collective_choice.borrow_mut() = Some(Rc::clone(&choice));
        Ok(choice)
    }

    /// Collective at the first call: the shared memory of this world's ranks.
    pub(super) fn node_collectives(&self, site: CallSite) -> Result<&NodeCollectives> {
        if let Some(made) = self.node_collectives.get() {
            return Ok(made);
        }
        let made = NodeCollectives::new(Rc::clone(self.transport()), read_table, site)?;
        Ok(self.node_collectives.get_or_init(|| made))
    }
}
