//! The elements that a message is copied from and to: neighbours, or those of a layout.
use wb_comm::{Datatype, LayoutView, LayoutViewMut, View};

/// The elements of a send.
#[derive(Clone, Copy)]
pub(crate) enum Payload<'a> {
    /// Neighbouring elements.
    Contiguous(View<'a>),
    /// The elements of a layout.
    Layout(LayoutView<'a>),
}

impl Payload<'_> {
    /// The type of the elements.
    pub(crate) fn datatype(self) -> Datatype {
        match self {
            Self::Contiguous(view) => view.datatype(),
            Self::Layout(view) => view.datatype(),
        }
    }

    /// Appends the elements as raw bytes.
    pub(crate) fn append_to(self, bytes: &mut Vec<u8>) {
        match self {
            Self::Contiguous(view) => bytes.extend_from_slice(view.bytes()),
            Self::Layout(view) => view.append_to(bytes),
        }
    }
}

/// The elements of a receive.
pub(crate) enum ReceiveTarget<'a, 'b> {
    /// Neighbouring elements, as raw bytes.
    Contiguous(&'a mut [u8]),
    /// The elements of a layout.
    Layout(&'a mut LayoutViewMut<'b>),
}

impl ReceiveTarget<'_, '_> {
    /// Copies raw bytes into the first elements.
    pub(crate) fn copy_from(self, bytes: &[u8]) {
        match self {
            Self::Contiguous(buffer) => buffer[..bytes.len()].copy_from_slice(bytes),
            Self::Layout(buffer) => buffer.copy_from(bytes),
        }
    }
}
