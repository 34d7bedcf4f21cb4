//! The system calls that programs in a sandbox do not have, as a filter of the kernel (seccomp).
//!
//! Two kinds are refused: those that make namespaces, because a user namespace of one's own has all capabilities, also to mount;
//! and those that make shared memory outside of a file system, because only private memory and file systems have limits. Each
//! answers "not implemented", for which programs have another way: libraries of MPI share memory through files in `/dev/shm`.
use std::{collections::BTreeMap, env::consts::ARCH, io};

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// What makes or enters namespaces and mounts. `clone3` hides its flags from a filter; libraries then call `clone`.
const NAMESPACES: [c_long; 13] = [
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_clone3,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
];

/// What reads another process, or a part of the kernel that no program of a course needs.
const KERNEL: [c_long; 14] = [
    libc::SYS_ptrace,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_setup,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
];

/// What makes memory that no limit counts: it belongs to no process and to no file system with a size.
const SHARED_MEMORY: [c_long; 4] =
    [libc::SYS_memfd_create, libc::SYS_memfd_secret, libc::SYS_shmget, libc::SYS_msgget];

/// The flags of `clone` that make namespaces.
const NAMESPACE_FLAGS: [libc::c_int; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// The argument of `clone` with its flags.
const CLONE_FLAGS: u8 = 0;

/// The argument of `mmap` with its flags.
const MMAP_FLAGS: u8 = 3;

/// The bit of a call by the second table of x86-64, which has the same calls under other numbers.
const X32: c_long = 0x4000_0000;

/// The filter, in the bytes that the kernel reads.
///
/// # Errors
/// On a processor for which filters cannot be made.
pub(crate) fn filter() -> io::Result<Vec<u8>> {
    let program = compile().map_err(io::Error::other)?;
    let bytes = program.iter().flat_map(|step| {
        let [code, [jump_true, jump_false]] = [step.code.to_ne_bytes(), [step.jt, step.jf]];
        [code[0], code[1], jump_true, jump_false].into_iter().chain(step.k.to_ne_bytes())
    });
    Ok(bytes.collect())
}

fn compile() -> Result<BpfProgram, BackendError> {
    let always = NAMESPACES.iter().chain(&KERNEL).chain(&SHARED_MEMORY);
    let mut rules: BTreeMap<c_long, Vec<SeccompRule>> = always.map(|&call| (call, vec![])).collect();
    let namespaces = NAMESPACE_FLAGS.map(|flag| has_flags(CLONE_FLAGS, flag));
    rules.insert(libc::SYS_clone, namespaces.into_iter().collect::<Result<_, _>>()?);
    let shared_memory = has_flags(MMAP_FLAGS, libc::MAP_SHARED | libc::MAP_ANONYMOUS)?;
    rules.insert(libc::SYS_mmap, vec![shared_memory]);
    if ARCH == "x86_64" {
        let second: Vec<_> = rules.iter().map(|(call, rules)| (call | X32, rules.clone())).collect();
        rules.extend(second);
    }
    let missing = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, missing, TargetArch::try_from(ARCH)?)?.try_into()
}

/// The rule for calls whose argument has all these flags.
fn has_flags(argument: u8, flags: libc::c_int) -> Result<SeccompRule, BackendError> {
    let flags = u64::from(flags.cast_unsigned());
    let comparison = SeccompCmpOp::MaskedEq(flags);
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, flags)?])
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::*;

    #[test]
    fn calls_are_refused_under_both_of_their_numbers() {
        let compared: Vec<u32> = compile().expect("a filter").iter().map(|step| step.k).collect();
        for call in [libc::SYS_unshare, libc::SYS_clone, libc::SYS_mmap].map(|call| call as u32) {
            let has_both = compared.contains(&call) && compared.contains(&(call | X32 as u32));
            assert!(has_both, "call {call} is compared under one number only: {compared:?}");
        }
    }
}
