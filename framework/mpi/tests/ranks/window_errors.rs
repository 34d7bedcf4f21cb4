//! Arguments that windows refuse.
use super::*;

pub(crate) fn bad_arguments(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    for kind in KINDS {
        let window = open(world, kind, Datatype::I64, rank);
        window.lock_all(NONE, site(Verb::LockAll)).expect("shared");
        let last = size - 1;
        assert_eq!(window.count(size), 0);
        let refused = put(&*window, last, last, &[1i64]);
        let range = Error::Range { verb: Verb::Put, target: last, at: last, count: 1, opened: last };
        assert_eq!(refused, Err(range));
        let get = |target, at, count| window.get(target, at, count, site(Verb::Get)).map(drop);
        assert!(matches!(get(last, usize::MAX, 1), Err(Error::Range { verb: Verb::Get, .. })));
        assert_eq!(get(size, 0, 1), Err(Error::Rank { role: "target", rank: size as i64, size }));
        let error = put(&*window, last, 0, &[1.0f64; 0]).expect_err("another type").to_string();
        assert_eq!(error, "put: elements of type f64 on a window of type i64");
        let word = window.fetch_and_update_word(0, 0, WordUpdate::Keep, site(Verb::FetchAndOp));
        assert!(matches!(word, Err(Error::Range { opened: 0, .. })), "{word:?}");
        let fetch = |data: &[i64]| {
            let op = Accumulation::Replace;
            window.fetch_and_op(last, 0, View::from_slice(data), op, site(Verb::FetchAndOp)).map(drop)
        };
        assert!(matches!(fetch(&[1, 2]), Err(Error::Count { got: 2, expected: 1, .. })));
        let beyond = window.wait_until(size, 0, Until::Equal(0), site(Verb::WaitUntil));
        assert!(matches!(beyond, Err(Error::Rank { .. })));
        assert!(window.flush(Some(size), site(Verb::Flush)).is_err());
        window.unlock_all(site(Verb::UnlockAll)).expect("locked");
        let outside = window.read(rank, ViewMut::from_slice(&mut [0i64]));
        assert!(matches!(outside, Err(Error::Range { verb: Verb::WindowRead, .. })));
        let group = window.post(&[size], NONE, site(Verb::Post));
        assert!(matches!(group, Err(Error::Rank { .. })));
        assert!(window.start(&[0, 0], NONE, site(Verb::Start)).is_err());
        assert!(window.lock(LockKind::Shared, size, NONE, site(Verb::Lock)).is_err());
        barrier(world);
        free(window);
    }
    undefined(world);
}

fn undefined(world: &dyn Transport) {
    let window = open(world, WindowKind::Allocate, Datatype::F64, 1);
    window.lock_all(NONE, site(Verb::LockAll)).expect("shared");
    let or = Accumulation::With(Operation::BitOr);
    let refused = window.accumulate(0, 0, View::from_slice(&[1.0]), or, site(Verb::Accumulate));
    assert_eq!(refused, Err(Error::Operation { operation: Operation::BitOr, datatype: Datatype::F64 }));
    let one = [1.0];
    let swap = window.compare_and_swap(
        0,
        0,
        View::from_slice(&one),
        View::from_slice(&one),
        site(Verb::CompareAndSwap),
    );
    assert!(swap.is_err());
    assert!(window.fetch_and_update_word(0, 0, WordUpdate::Keep, site(Verb::FetchAndOp)).is_err());
    let early = get(&*window, 0, 0, 1);
    let error = early.take().expect_err("nothing completed it").to_string();
    assert!(error.contains("is not there yet"), "{error}");
    window.unlock_all(site(Verb::UnlockAll)).expect("locked");
    barrier(world);
    free(window);
}
