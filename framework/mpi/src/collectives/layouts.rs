//! The library's collectives of derived datatypes.
use std::{ffi::c_int, sync::Arc};

use mpi::ffi::{MPI_Bcast, MPI_Datatype, MPI_Gather, MPI_Scatter};
use wb_comm::{
    Blocks, Datatype, Layout, LayoutBuffers, LayoutShape, LayoutView, LayoutViewMut, Rank, Result, View,
    ViewMut,
};

use super::args::{Span, assert_same_type};
use crate::{
    buffers::total_count,
    check::{check, check_length},
    transport::MpiTransport,
};

/// Makes the call.
pub(super) fn run(transport: &MpiTransport, root: Rank, buffers: LayoutBuffers<'_>) -> Result<()> {
    match buffers {
        LayoutBuffers::Bcast(data) => bcast(transport, root, data),
        LayoutBuffers::Scatter(send, recv) => scatter(transport, root, send, recv),
        LayoutBuffers::Gather(send, recv) => gather(transport, root, send, recv),
    }
}

/// The number and the type of the elements of a layout, or of one block of a layout of the blocks of all ranks.
fn derived_type(
    transport: &MpiTransport,
    (shape, extent): (&Arc<LayoutShape>, Option<usize>),
    (count, datatype): (usize, Datatype),
) -> Result<(c_int, MPI_Datatype)> {
    let session = transport.communicator.registry.session;
    let element = session.datatypes.get(datatype)?;
    match count {
        0 => Ok((0, element)),
        _ => Ok((1, session.derived_types.get((shape, extent), datatype, element)?)),
    }
}

/// The number and the type of one block.
///
/// # Panics
/// If the layout is not that of one block for each rank: MPI would access other elements than the layout's.
fn block(transport: &MpiTransport, layout: &Layout, datatype: Datatype) -> Result<(c_int, MPI_Datatype)> {
    match layout.shape().blocks() {
        Blocks::Repeated { shape, count, extent } if *count == transport.ranks() => {
            derived_type(transport, (shape, Some(*extent)), (layout.count(), datatype))
        }
        other => panic!("{other:?} has not one block for each of {} ranks", transport.ranks()),
    }
}

/// The bytes before the layout.
fn offset(layout: &Layout, datatype: Datatype) -> usize {
    layout.offset().wrapping_mul(datatype.size())
}

fn bcast(transport: &MpiTransport, root: Rank, mut data: LayoutViewMut<'_>) -> Result<()> {
    let (layout, datatype) = (data.layout(), data.datatype());
    let (count, made) = derived_type(transport, (layout.shape(), None), (layout.count(), datatype))?;
    let start = data.as_mut_ptr().wrapping_add(offset(layout, datatype)).cast();
    let (root, comm) = (transport.to_root(root)?, transport.comm()?);
    // SAFETY: the view has checked that the elements of the layout are inside the slice, which it borrows alone.
    check("MPI_Bcast", unsafe { MPI_Bcast(start, count, made, root, comm) })
}

fn scatter(transport: &MpiTransport, root: Rank, send: LayoutView<'_>, mut recv: ViewMut<'_>) -> Result<()> {
    let (layout, datatype) = (send.layout(), send.datatype());
    assert_same_type(datatype, recv.datatype());
    check_length("scatter", "send", layout.count(), total_count(transport.ranks(), recv.count()))?;
    let (each, made) = block(transport, layout, datatype)?;
    let from = send.as_ptr().wrapping_add(offset(layout, datatype)).cast();
    let Span { start, count, datatype: element } = transport.span_mut(&mut recv)?;
    let (root, comm) = (transport.to_root(root)?, transport.comm()?);
    // SAFETY: the view has checked that the blocks of all ranks are inside the slice; each has as many elements as `recv`.
    let code = unsafe { MPI_Scatter(from, each, made, start, count, element, root, comm) };
    check("MPI_Scatter", code)
}

fn gather(transport: &MpiTransport, root: Rank, send: View<'_>, mut recv: LayoutViewMut<'_>) -> Result<()> {
    let (layout, datatype) = (recv.layout(), recv.datatype());
    assert_same_type(send.datatype(), datatype);
    check_length("gather", "recv", layout.count(), total_count(transport.ranks(), send.count()))?;
    let (each, made) = block(transport, layout, datatype)?;
    let into = recv.as_mut_ptr().wrapping_add(offset(layout, datatype)).cast();
    let Span { start, count, datatype: element } = transport.span(send)?;
    let (root, comm) = (transport.to_root(root)?, transport.comm()?);
    // SAFETY: as above, and the slice is borrowed alone.
    let code = unsafe { MPI_Gather(start, count, element, into, each, made, root, comm) };
    check("MPI_Gather", code)
}
