//! The assignment itself: its laws, and the outputs that it refuses. A solution is `tasks/nalitov_d_broadcast`.
use assignment_2_1_broadcast::Broadcasting;
use workbench::{TypedVec, assignment_laws::check_assignment};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Broadcasting>(&[
        ("zeros", |_, output| match output {
            TypedVec::Int(data) => TypedVec::Int(vec![0; data.len()]),
            other => other,
        }),
        ("another type", |_, output| match output {
            TypedVec::Float(data) => TypedVec::Double(data.into_iter().map(f64::from).collect()),
            other => other,
        }),
        ("the sign of zero", |_, output| match output {
            TypedVec::Double(data) => TypedVec::Double(data.into_iter().map(|x| x + 0.0).collect()),
            other => other,
        }),
        ("one element too few", |_, output| output.slice(0..output.count().max(1) - 1)),
        ("rounded to float", |_, output| match output {
            TypedVec::Double(data) => {
                TypedVec::Double(data.into_iter().map(|x| f64::from(x as f32)).collect())
            }
            other => other,
        }),
    ]);
}
