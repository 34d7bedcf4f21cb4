//! Attempts to leave through the network.
use std::net::TcpListener;

use wb_process::sandbox::Sandbox;

use crate::{bash, inside, run, text};

pub(crate) fn no_connection_leaves_the_sandbox_and_no_server_outside_is_reached(sandbox: &Sandbox) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected");
    assert!(text(&bash(&script).output().expect("bash")).contains("connected"), "outside it connects");
    let tried = inside(sandbox, &run(), &script);
    assert!(!text(&tried).contains("connected"), "{}", text(&tried));
    let tried = inside(sandbox, &run(), "exec 3<>/dev/tcp/192.0.2.1/80 && echo connected");
    assert!(text(&tried).contains("unreachable"), "{}", text(&tried));
}

pub(crate) fn loopback_works_inside_as_mpi_needs_it(sandbox: &Sandbox) {
    let tried = inside(
        sandbox,
        &run(),
        "cat /sys/class/net/lo/operstate /proc/net/dev; exec 3<>/dev/tcp/127.0.0.1/9",
    );
    let shown = text(&tried);
    // Refused by the interface itself, and there is no other interface.
    assert!(shown.contains("Connection refused"), "{shown}");
    assert_eq!(shown.lines().filter(|line| line.trim_start().contains(":  ")).count(), 1, "{shown}");
}

pub(crate) fn names_of_machines_are_not_resolved(sandbox: &Sandbox) {
    let tried =
        inside(sandbox, &run(), "ls /etc/resolv.conf /etc/hosts; getent hosts example.org && echo resolved");
    assert!(!text(&tried).contains("resolved"), "{}", text(&tried));
    assert_eq!(text(&tried).matches("cannot access").count(), 2, "{}", text(&tried));
}
