//! Quicksort (Hoare, 1962), which the sequential and the parallel version share.
//!
//! The pivot is the median of the first, the middle and the last number. The partition is Hoare's: both indices stop at
//! numbers that are equal to the pivot, so many equal numbers are divided evenly. Short parts are sorted by insertion.
//! Inputs that are divided badly many times are sorted by a heap (introsort: Musser, 1997), so that no input needs more than
//! n log n operations.

/// Parts of at most this many numbers are sorted by insertion.
const SHORT: usize = 24;

/// Sorts the numbers in ascending order.
pub fn quicksort(values: &mut [i32]) {
    let levels = 2 * (values.len().max(1).ilog2() + 1);
    sort_part(values, levels);
}

/// The time of a comparison of random numbers, in floating-point operations: the processor predicts every second branch
/// wrongly, and each time it loses the work of about fifteen cycles.
const OPERATIONS_OF_A_COMPARISON: u64 = 32;

/// The time of [`quicksort`] for `count` numbers, in floating-point operations: that of n log2 n comparisons.
pub fn operations(count: usize) -> u64 {
    OPERATIONS_OF_A_COMPARISON * count as u64 * u64::from(count.max(1).ilog2())
}

/// Sorts a part that may be divided `levels` times more. The longer half is sorted in the loop, so the recursion is not
/// deeper than log2 n.
fn sort_part(mut values: &mut [i32], mut levels: u32) {
    while values.len() > SHORT {
        if levels == 0 {
            return heap_sort(values);
        }
        levels -= 1;
        let middle = partition(values);
        let (low, high) = values.split_at_mut(middle);
        let (short, long) = if low.len() < high.len() { (low, high) } else { (high, low) };
        sort_part(short, levels);
        values = long;
    }
    insertion_sort(values);
}

/// Divides the numbers: none of the first part is larger than the pivot, none of the second part is smaller. Returns the
/// length of the first part; neither of them is empty.
fn partition(values: &mut [i32]) -> usize {
    let last = values.len() - 1;
    let pivot = median([values[0], values[last / 2], values[last]]);
    let (mut low, mut high) = (0, last);
    loop {
        while values[low] < pivot {
            low += 1;
        }
        while values[high] > pivot {
            high -= 1;
        }
        if low >= high {
            // Two of the three numbers are not larger and two not smaller than the median, so both parts have numbers.
            return low;
        }
        values.swap(low, high);
        low += 1;
        high -= 1;
    }
}

fn median([a, b, c]: [i32; 3]) -> i32 {
    a.max(b).min(a.min(b).max(c))
}

fn insertion_sort(values: &mut [i32]) {
    for end in 1..values.len() {
        let value = values[end];
        let mut at = end;
        while at > 0 && values[at - 1] > value {
            values[at] = values[at - 1];
            at -= 1;
        }
        values[at] = value;
    }
}

/// Sorts by a heap whose root is the largest number (Williams, 1964).
pub fn heap_sort(values: &mut [i32]) {
    for root in (0..values.len() / 2).rev() {
        sift_down(values, root);
    }
    for end in (1..values.len()).rev() {
        values.swap(0, end);
        sift_down(&mut values[..end], 0);
    }
}

/// Moves the number at `root` down until none of its children is larger.
fn sift_down(heap: &mut [i32], mut root: usize) {
    while 2 * root + 1 < heap.len() {
        let left = 2 * root + 1;
        let largest = if left + 1 < heap.len() && heap[left + 1] > heap[left] { left + 1 } else { left };
        if heap[root] >= heap[largest] {
            return;
        }
        heap.swap(root, largest);
        root = largest;
    }
}
