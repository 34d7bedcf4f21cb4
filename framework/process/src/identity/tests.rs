//! The parts of an identity: a number, a start time and a table of processes.

use std::process::Command;

use super::*;

#[test]
fn a_process_has_ended_when_it_is_a_zombie_and_when_it_is_collected() {
    let mut child = Command::new("sleep").arg("60").spawn().expect("a process");
    let process = ProcessIdentity::of(child.id()).expect("it runs");
    assert!(process.is_visible() && !process.has_ended());
    child.kill().expect("it runs");
    while !Stat::of(child.id()).expect("not collected").has_ended() {
        std::thread::yield_now();
    }
    assert!(process.has_ended(), "a zombie");
    child.wait().expect("its end");
    assert!(process.has_ended() && ProcessIdentity::of(child.id()).is_none());
}

#[test]
fn another_process_with_the_same_number_is_another_one() {
    let own = ProcessIdentity::current();
    assert!(!own.has_ended());
    let earlier = ProcessIdentity { start: "0".into(), ..own.clone() };
    assert!(earlier.is_visible() && earlier.has_ended());
}

#[test]
fn of_a_process_on_another_host_nothing_is_known() {
    let own = ProcessIdentity::current();
    for table in ["a1da45f3.4026532000", "."] {
        let other = ProcessIdentity { number: 4_194_305, table: table.into(), ..own.clone() };
        assert!(!other.is_visible() && !other.has_ended(), "{other}");
    }
    let gone = ProcessIdentity { number: 4_194_305, ..own };
    assert!(gone.has_ended());
}

#[test]
fn an_identity_is_a_word_of_a_file_name_and_is_read_back() {
    let own = ProcessIdentity::current();
    let text = own.to_string();
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    assert!(text.chars().all(is_allowed) && text.split('-').count() == 3, "{text}");
    assert_eq!(text.parse(), Ok(own));
    for wrong in
        ["", "17", "17-4711", "17--boot.1", "x-4711-boot.1", "17-4711-", "17-4711-a/b", "17-4711-a-b"]
    {
        assert_eq!(wrong.parse::<ProcessIdentity>(), Err(NotAProcess(wrong.to_owned())), "{wrong}");
    }
}

#[test]
fn a_program_s_name_may_contain_anything() {
    let stat = |text: &str| Stat(text.to_owned());
    let odd = stat("7 (a) Z (b) S 1 2");
    assert_eq!((odd.name(), odd.has_ended()), (Some("a) Z (b"), false));
    assert_eq!(
        [" X 1", " Z 1", " R 1"].map(|rest| stat(&format!("7 (a){rest}")).has_ended()),
        [true, true, false]
    );
}

#[test]
fn every_namespace_has_a_table_of_its_own_and_a_process_of_this_one_has_this_one() {
    let table = process_table();
    let (boot, namespace) = table.split_once('.').expect("two parts");
    assert!(boot.len() == 32 && !namespace.is_empty(), "{table}");
    let read = |arguments: &[&str]| {
        let output = Command::new(arguments[0]).args(&arguments[1..]).output().expect("a program");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let of_child = read(&["readlink", "/proc/self/ns/pid"]).expect("it reads its own");
    assert_eq!(of_child, format!("pid:[{namespace}]"));
    let inside = ["unshare", "--user", "--pid", "--fork", "--mount-proc", "readlink", "/proc/self/ns/pid"];
    // Where namespaces are not allowed there is only one.
    if let Some(other) = read(&inside) {
        assert_ne!(other, of_child);
    }
}
