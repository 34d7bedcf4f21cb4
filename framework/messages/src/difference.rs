//! The difference between an output and the expected one.
messages! {
    /// The whole value.
    instead(expected, got) { "expected {expected}, got {got}", "ожидалось {expected}, получено {got}" }
    /// An element of many.
    first(place, expected, got, differing, of) {
        "first differs at {place}: expected {expected}, got {got}; {differing} of {of} differ",
        "первое отличие в {place}: ожидалось {expected}, получено {got}; отличаются {differing} из {of}",
    }
    lengths(expected, got) {
        "it has {got} element(s), {expected} are expected",
        "элементов {got}, ожидалось {expected}",
    }
    lengths_at(place, expected, got) {
        "{place} has {got} element(s), {expected} are expected",
        "в {place} элементов {got}, ожидалось {expected}",
    }
    same_so_far(count) {
        "the first {count} are as expected",
        "с начала совпадает элементов: {count}",
    }
    tolerance(apart, allowed) { "apart by {apart}, allowed: {allowed}", "разность {apart}, допустимо: {allowed}" }
    allowed(allowed) { "allowed: {allowed}", "допустимо: {allowed}" }
    /// Rows of a table of neighbours.
    row_expected() { "expected", "ожидалось" }
    row_got() { "got", "получено" }
    /// Equal except for the order of additions.
    rounding() {
        "this may be rounding: sums depend on the order of their terms; .compare(|got, expected| Verdict::close(...)) in the test allows for it",
        "возможно, это округление: сумма зависит от порядка слагаемых; допуск задаёт .compare(|got, expected| Verdict::close(...)) в тесте",
    }
}
