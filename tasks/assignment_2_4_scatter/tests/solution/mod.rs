//! A solution on several ranks: the root sends each rank its part, and collects the parts afterwards.
use assignment_2_4_scatter::{Reference, Scattering, Whole};
use workbench::{ANY_SOURCE, Invalid, Place, Rank, Result, Rooted, Task, TypedVec, World};

const HEADER: i32 = 1;
const DATA: i32 = 2;

/// Every part in a message of its own.
pub(crate) struct Star;

/// What a rank knows before the vector is cut.
pub(crate) struct Share {
    root: Rank,
    /// An empty vector of the type.
    kind: TypedVec,
    data: Rooted<TypedVec>,
}

fn send(world: &World, part: &TypedVec, to: Rank) -> Result<()> {
    match part {
        TypedVec::Int(part) => world.send(part, to, DATA),
        TypedVec::Float(part) => world.send(part, to, DATA),
        TypedVec::Double(part) => world.send(part, to, DATA),
    }
}

fn receive(world: &World, kind: &TypedVec, from: Rank) -> Result<TypedVec> {
    Ok(match kind {
        TypedVec::Int(_) => TypedVec::Int(world.recv_vec(from, DATA)?.0),
        TypedVec::Float(_) => TypedVec::Float(world.recv_vec(from, DATA)?.0),
        TypedVec::Double(_) => TypedVec::Double(world.recv_vec(from, DATA)?.0),
    })
}

impl Task for Star {
    type Problem = Scattering;
    type Prepared = Share;
    type Raw = (Rank, TypedVec);

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Whole, ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.parts == ranks, "the parts are not those of the ranks")?;
        Reference.validation(input, ranks)
    }

    /// The other ranks learn the root and the type from the root's message.
    fn preprocessing(&self, world: &World, input: Rooted<Whole>) -> Result<Share> {
        let Some(input) = input.here() else {
            let (name, status) = world.recv_vec::<u8>(ANY_SOURCE, HEADER)?;
            let name = TypedVec::TYPES[usize::from(name[0])];
            let kind = TypedVec::random(name, 0, 0).expect("one of the three types");
            return Ok(Share { root: status.source, kind, data: Rooted::Elsewhere });
        };
        let (root, kind) = (world.rank(), input.data.slice(0..0));
        let name = TypedVec::TYPES.iter().position(|name| *name == kind.type_name());
        let name = name.expect("one of the three types") as u8;
        (0..world.size())
            .filter(|rank| *rank != root)
            .try_for_each(|rank| world.send(&[name], rank, HEADER))?;
        Ok(Share { root, kind, data: Rooted::Here(input.data) })
    }

    fn run(&self, world: &World, Share { root, kind, data }: &Share) -> Result<Self::Raw> {
        let Some(data) = data.as_ref().here() else {
            return Ok((*root, receive(world, kind, *root)?));
        };
        let length = data.count() / world.size();
        let part = |rank: Rank| data.slice(rank * length..(rank + 1) * length);
        (0..world.size()).filter(|rank| rank != root).try_for_each(|rank| send(world, &part(rank), rank))?;
        Ok((*root, part(*root)))
    }

    fn postprocessing(&self, world: &World, (root, mine): Self::Raw) -> Result<Rooted<Vec<TypedVec>>> {
        if world.rank() != root {
            send(world, &mine, root)?;
            return Ok(Rooted::Elsewhere);
        }
        let part = |rank: Rank| if rank == root { Ok(mine.clone()) } else { receive(world, &mine, rank) };
        Ok(Rooted::Here((0..world.size()).map(part).collect::<Result<Vec<_>>>()?))
    }
}
