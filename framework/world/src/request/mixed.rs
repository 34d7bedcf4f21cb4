//! Requests of several kinds in one list.
use wb_comm::{CallSite, Result, Status, Wire};

use super::{CollectiveRequest, RecvRequest, Request, SendRequest, StartedOperation, StartedRequest};

/// A request of any kind, for lists of different ones; each kind converts into it.
#[must_use = "a request must be waited for"]
pub enum MixedRequest<T> {
    /// A started send.
    Send(SendRequest<T>),
    /// A started receive.
    Receive(RecvRequest<T>),
    /// A started collective operation that gives every rank a result.
    Collective(CollectiveRequest<Vec<T>>),
    /// A started collective operation that gives only some ranks a result.
    RootedCollective(CollectiveRequest<Option<Vec<T>>>),
    /// A started barrier.
    Barrier(CollectiveRequest<()>),
}

/// What the wait of a [`MixedRequest`] returns.
#[derive(Clone, Debug, PartialEq)]
pub enum CompletedRequest<T> {
    /// Of a send: the buffer.
    Sent(Vec<T>),
    /// Of a receive: the elements and their status.
    Received(Vec<T>, Status),
    /// Of a collective operation: the result, if this rank gets one.
    Collected(Option<Vec<T>>),
}

impl<T> StartedOperation for MixedRequest<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        match self {
            Self::Send(request) => request.started(),
            Self::Receive(request) => request.started(),
            Self::Collective(request) => request.started(),
            Self::RootedCollective(request) => request.started(),
            Self::Barrier(request) => request.started(),
        }
    }
}

impl<T: Wire> Request for MixedRequest<T> {
    type Output = CompletedRequest<T>;

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<CompletedRequest<T>> {
        use CompletedRequest::{Collected, Received, Sent};
        match self {
            Self::Send(request) => request.complete(site, begin).map(Sent),
            Self::Receive(request) => {
                request.complete(site, begin).map(|(data, status)| Received(data, status))
            }
            Self::Collective(request) => request.complete(site, begin).map(Some).map(Collected),
            Self::RootedCollective(request) => request.complete(site, begin).map(Collected),
            Self::Barrier(request) => request.complete(site, begin).map(|()| Collected(None)),
        }
    }
}

macro_rules! conversions {
    ($($kind:ident $request:ty),* $(,)?) => {
        $(
            impl<T> From<$request> for MixedRequest<T> {
                fn from(request: $request) -> Self {
                    Self::$kind(request)
                }
            }
        )*
    };
}
conversions! {
    Send SendRequest<T>,
    Receive RecvRequest<T>,
    Collective CollectiveRequest<Vec<T>>,
    RootedCollective CollectiveRequest<Option<Vec<T>>>,
    Barrier CollectiveRequest<()>,
}
