//! Files with one fault each, for the canaries of the laws of files: each law must find one of them.
use std::{cell::RefCell, rc::Rc};

use wb_comm::{
    CallSite, ErasedFile, FileArgs, FilePlace, FileView, Layout, Rank, Result, Transport, TransportDecorator,
    View, ViewMut,
};

/// A fault of the files of a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFault {
    /// The view begins at byte 0.
    NoDisplacement,
    /// The view has neighbouring elements.
    NoLayout,
    /// A layout has the extent of its last element.
    NoExtent,
    /// Offsets are ignored.
    NoOffset,
    /// A collective write of the last rank writes nothing.
    LostPart,
    /// A read returns that it has read all that was asked for.
    FullCount,
    /// The new size is ignored.
    NoSetSize,
    /// Files are kept when they are closed.
    Kept,
    /// A file that exists is no error.
    NotExclusive,
    /// Every write also writes the byte behind its last one.
    OneMore,
}

impl FileFault {
    /// All faults.
    pub const ALL: [Self; 10] = [
        Self::NoDisplacement,
        Self::NoLayout,
        Self::NoExtent,
        Self::NoOffset,
        Self::LostPart,
        Self::FullCount,
        Self::NoSetSize,
        Self::Kept,
        Self::NotExclusive,
        Self::OneMore,
    ];
}

/// A transport whose files have a fault.
pub struct BrokenFiles {
    /// The transport that is decorated.
    pub inner: Rc<dyn Transport>,
    /// The fault.
    pub fault: FileFault,
}

impl TransportDecorator for BrokenFiles {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }

    fn decorate(&self, inner: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self { inner, fault: self.fault })
    }

    fn file_open(&self, file: &FileArgs, site: CallSite) -> Result<Box<dyn ErasedFile>> {
        let mut args = file.clone();
        match self.fault {
            FileFault::Kept => args.mode.deletes_on_close = false,
            FileFault::NotExclusive => args.mode.is_exclusive = false,
            _ => {}
        }
        let (inner, rank) = (self.inner.file_open(&args, site)?, self.inner.rank());
        let is_last = rank + 1 == self.inner.size();
        Ok(Box::new(BrokenFile { inner, fault: self.fault, rank, is_last, view: RefCell::default() }))
    }
}

struct BrokenFile {
    inner: Box<dyn ErasedFile>,
    fault: FileFault,
    rank: Rank,
    is_last: bool,
    view: RefCell<FileView>,
}

impl BrokenFile {
    fn broken_view(&self, view: &FileView) -> Result<FileView> {
        let (layout, displacement, datatype) = (view.layout(), view.displacement(), view.datatype());
        match self.fault {
            FileFault::NoDisplacement => FileView::new(0, datatype, layout),
            FileFault::NoLayout => {
                FileView::new(displacement, datatype, &Layout::contiguous(1).at(layout.offset()))
            }
            FileFault::NoExtent => {
                let (mut lengths, mut starts) = (vec![], vec![]);
                layout.for_each_block(&mut |block| {
                    lengths.push(block.len());
                    starts.push(block.start);
                });
                // An indexed type ends with its last element, and begins with the first one.
                lengths.insert(0, 0);
                starts.insert(0, 0);
                FileView::new(displacement, datatype, &Layout::indexed(&lengths, &starts)?)
            }
            _ => Ok(view.clone()),
        }
    }

    fn broken_place<'v>(&self, place: FilePlace<'_>, view: &'v FileView) -> FilePlace<'v> {
        let offset = if self.fault == FileFault::NoOffset { 0 } else { place.offset };
        FilePlace { view, offset, is_collective: place.is_collective }
    }
}

impl ErasedFile for BrokenFile {
    fn set_view(&self, view: &FileView, site: CallSite) -> Result<()> {
        let view = self.broken_view(view)?;
        self.inner.set_view(&view, site)?;
        self.view.replace(view);
        Ok(())
    }

    fn read(&self, place: FilePlace<'_>, into: ViewMut<'_>, site: CallSite) -> Result<usize> {
        let (view, asked) = (self.view.borrow(), into.count());
        let read = self.inner.read(self.broken_place(place, &view), into, site)?;
        Ok(if self.fault == FileFault::FullCount { asked } else { read })
    }

    fn write(&self, place: FilePlace<'_>, from: View<'_>, site: CallSite) -> Result<()> {
        let view = self.view.borrow();
        let is_lost = self.fault == FileFault::LostPart && self.is_last && place.is_collective;
        let from = if is_lost { View::empty(from.datatype()) } else { from };
        self.inner.write(self.broken_place(place, &view), from, site)?;
        if self.fault == FileFault::OneMore && from.count() > 0 {
            let bytes = FileView::default();
            let blocks = place.blocks(from.count(), from.datatype().size())?;
            let end = blocks.last().expect("it has elements").end;
            let place = FilePlace { view: &bytes, offset: end, is_collective: false };
            self.inner.write(place, View::from_slice(&[self.rank as u8 + 1]), site)?;
        }
        Ok(())
    }

    fn size(&self, site: CallSite) -> Result<u64> {
        self.inner.size(site)
    }

    fn set_size(&self, bytes: u64, site: CallSite) -> Result<()> {
        if self.fault == FileFault::NoSetSize { Ok(()) } else { self.inner.set_size(bytes, site) }
    }

    fn sync(&self, site: CallSite) -> Result<()> {
        self.inner.sync(site)
    }

    fn close(self: Box<Self>, site: CallSite) -> Result<()> {
        self.inner.close(site)
    }
}
