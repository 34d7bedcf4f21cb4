//! Lines of the user: at each instruction of a function, those included to which the compiler gives no line, and at panics.
#![cfg(target_os = "linux")]
use wb_comm::{call_stack::innermost_user_frame, panic_place};

/// Both branches end with the same store. The compiler makes one of the two stores, and gives it no line.
#[inline(never)]
fn halve_until_one(number: &mut u64) {
    while *std::hint::black_box(&mut *number) != 1 {
        if std::hint::black_box(*number).is_multiple_of(2) {
            *number = std::hint::black_box(*number / 2);
        } else {
            *number = std::hint::black_box(*number * 3 + 1);
        }
    }
}

const FIRST_LINE: u32 = 7;
const LAST_LINE: u32 = 15;

/// The function at this return address, and whether debug information has a line for it.
fn function_and_has_line(address: usize) -> (String, bool) {
    let mut found = (String::new(), false);
    backtrace::resolve(address as *mut _, |symbol| {
        let name = symbol.name().map(|name| name.to_string()).unwrap_or_default();
        found = (name, symbol.lineno().is_some());
    });
    found
}

#[test]
fn each_instruction_of_the_users_code_has_a_line() {
    halve_until_one(&mut 1024);
    let start = halve_until_one as *const () as usize + 1;
    let (name, _) = function_and_has_line(start);
    assert!(name.contains("halve_until_one"), "{name}");
    let mut without_line = 0;
    for address in start.. {
        let (function, has_line) = function_and_has_line(address);
        if function != name {
            break;
        }
        without_line += usize::from(!has_line);
        let line = innermost_user_frame(&[address], file!()).line.expect("a line of this function");
        assert!(line.file.ends_with("framework/process/tests/call_stack.rs"), "{line}");
        assert!((FIRST_LINE..=LAST_LINE).contains(&line.line), "{line}");
    }
    assert!(without_line > 0, "the compiler gave each instruction a line: this test shows nothing");
}

/// A function of the standard library that panics is not the user's line.
#[test]
fn a_panic_in_the_library_is_described_with_the_line_that_led_there() {
    panic_place::note_panics();
    let line = line!() + 1;
    let payload = std::panic::catch_unwind(|| Vec::<u8>::new().swap_remove(3)).expect_err("a panic");
    let described = panic_place::RankPanic::caught(&*payload).text;
    assert!(described.contains(&format!("framework/process/tests/call_stack.rs:{line}:")), "{described}");
}
