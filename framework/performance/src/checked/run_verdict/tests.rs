//! Tests of the module above.
use super::*;

fn outcome(ranks: Vec<RankVerdict>, findings: Vec<Finding>) -> JobOutcome {
    let ranks = ranks.into_iter().map(|said| RankTermination::Returned(Box::new(said))).collect();
    JobOutcome { ranks, blocked: vec![], calls: vec![], timed_out: false, findings }
}

#[test]
fn a_run_is_worth_what_its_ranks_say_and_errors_of_others_are_no_news() {
    let finding = |code| Finding { code, rank: 0, locations: vec![], details: vec![] };
    let mut refused = false;
    let mut judge = |ranks, findings| run_verdict(outcome(ranks, findings), &mut refused);
    let right = judge(vec![RankVerdict::Right(None), RankVerdict::Right(Some("[2]".into()))], vec![]);
    assert!(right.is_correct() && right.result.as_deref() == Some("rank 1: [2]\n"));
    let same = |one: RunVerdict, findings: Vec<Finding>| {
        assert_eq!((one.findings, one.failure), (findings, None));
    };
    let (tag, deadlock) = (wb_comm::Code::Tag, wb_comm::Code::Deadlock);
    let of_rank = judge(
        vec![RankVerdict::Found(finding(tag)), RankVerdict::Failed("of 0".into())],
        vec![finding(deadlock)],
    );
    same(of_rank, vec![finding(tag)]);
    let of_job = judge(vec![RankVerdict::Failed("waits".into())], vec![finding(deadlock)]);
    same(of_job, vec![finding(deadlock)]);
    let of_nobody = judge(vec![RankVerdict::Right(None), RankVerdict::Failed("waits".into())], vec![]);
    assert_eq!(of_nobody.failure.as_deref(), Some("rank 1: waits"));
    let of_oracle = judge(vec![RankVerdict::Wrong("3, not 4".into())], vec![]);
    assert_eq!(of_oracle.failure.as_deref(), Some("rank 0: 3, not 4"));
    assert!(judge(vec![RankVerdict::Rejected], vec![]).is_correct());
    assert!(refused);
}
