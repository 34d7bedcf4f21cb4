//! What a backend finds in a run although all ranks return: the texts of each code.
use wb_comm::Code;
use wb_messages::{Lang, backend_finding as text};

/// The headline, of the number of findings, and the hint.
pub(crate) type Texts = (fn(Lang, usize) -> String, fn(Lang) -> String);

/// The texts of a code; `None` if a call returns it as its error, or if it is a part of another report.
pub(crate) fn texts(code: Code) -> Option<Texts> {
    use Code::*;
    Some(match code {
        CollectiveIncomplete => (text::unjoined, text::hint_unjoined),
        WindowRace => (text::races, text::hint_races),
        FileRace => (text::file_races, text::hint_file_races),
        UnreceivedMessage => (text::leftovers, text::hint_leftovers),
        RequestLeak => (text::requests_left, text::hint_requests_left),
        WindowLeak => (text::windows_left, text::hint_windows_left),
        FileLeak => (text::files_left, text::hint_files_left),
        // Why ranks wait.
        Deadlock | PartnerEnded | NearMiss => return None,
        // Found by `cargo wb check` only.
        BufferDependence | WildcardRace | ArrivalOrder => return None,
        // Errors of calls.
        Truncated | Rank | Tag | Count | Operation | RootBuffer | Range | PersistentState | Layout
        | FileOpen | FileAccess | CommunicatorArgument | CollectiveOrder | CollectiveRoot
        | CollectiveCount | CollectiveType | CollectiveOperation | CollectiveTopology | CollectiveFile
        | Type | Covered | AccessDisjoint | ExposureDisjoint | Overlap | FenceAlone | FenceCandidate
        | LockOrPost | Conflict | Paired | Free | Matched | Assertions | AttachedBuffer | NotReady
        | NotAssociative => return None,
    })
}
