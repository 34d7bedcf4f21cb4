//! Definitions of C functions that do not depend on their arguments.
//!
//! Every argument of MPI's functions is an integer, an address or a handle: a word in a register or on the stack, by the ABI of the System V. A
//! trampoline stores the registers and calls a handler with the address of these words and with its return address, which is the place of the
//! call in the program.
use std::{
    ffi::{CStr, c_int},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use wb_text::{Lang, tracer as text};

/// The words of a call.
pub(crate) type Words = [usize; MAX_WORDS];

/// The largest number of arguments of a function.
pub(crate) const MAX_WORDS: usize = 14;

/// The arguments that are in registers; the others are on the stack.
const REGISTERS: usize = if cfg!(target_arch = "x86_64") { 6 } else { 8 };

/// The first arguments of a call.
///
/// # Safety
/// The function was called with `COUNT` arguments, of which `registers` and `stack` are the places.
pub(crate) unsafe fn arguments<const COUNT: usize>(registers: *const usize, stack: *const usize) -> Words {
    std::array::from_fn(|at| match at {
        // SAFETY: the trampoline stored all registers.
        _ if at < REGISTERS.min(COUNT) => unsafe { *registers.add(at) },
        // SAFETY: the caller has put these arguments on the stack.
        _ if at < COUNT => unsafe { *stack.add(at - REGISTERS) },
        _ => 0,
    })
}

/// A function of the next library.
pub(crate) struct Function {
    /// Its name in the programs of users.
    pub(crate) name: &'static str,
    symbol: &'static CStr,
    address: AtomicUsize,
}

impl Function {
    /// The function that programs call `name` and the linker `symbol`, which ends with a zero.
    pub(crate) const fn new(name: &'static str, symbol: &'static str) -> Self {
        let Ok(symbol) = CStr::from_bytes_with_nul(symbol.as_bytes()) else {
            panic!("a symbol ends with a zero")
        };
        Self { name, symbol, address: AtomicUsize::new(0) }
    }

    /// Calls it. Words that it does not read are ignored, by the ABI.
    ///
    /// # Safety
    /// The words are arguments that the function accepts.
    pub(crate) unsafe fn call(&self, words: &Words) -> c_int {
        let address = match self.address.load(Relaxed) {
            0 => self.find(),
            address => address,
        };
        type Any = unsafe extern "C" fn(
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
        ) -> c_int;
        // SAFETY: the linker found the address under the name of the function.
        let function = unsafe { std::mem::transmute::<usize, Any>(address) };
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = *words;
        // SAFETY: as the caller promises.
        unsafe { function(a, b, c, d, e, f, g, h, i, j, k, l, m, n) }
    }

    #[cold]
    fn find(&self) -> usize {
        // SAFETY: the name ends with a zero.
        let address = unsafe { libc::dlsym(libc::RTLD_NEXT, self.symbol.as_ptr()) } as usize;
        if address == 0 {
            eprintln!("{}", text::no_function(self.name).in_language(Lang::from_environment()));
            std::process::abort();
        }
        self.address.store(address, Relaxed);
        address
    }
}

/// Defines a function under its name and under that for profiling. The expression after `=>` is the value of the call `$call`; the named
/// arguments are its words.
macro_rules! functions {
    ($($name:ident($($argument:ident),*) => |$call:ident| $body:expr;)*) => {$(
        const _: () = {
            use std::ffi::c_int;
            use $crate::trampoline::{Function, arguments, trampoline};

            static FUNCTIONS: [Function; 2] = [
                Function::new(stringify!($name), concat!(stringify!($name), "\0")),
                Function::new(stringify!($name), concat!("P", stringify!($name), "\0")),
            ];

            #[allow(unused_variables, reason = "not all arguments are recorded")]
            extern "C" fn handler<const FUNCTION: usize>(registers: *const usize, stack: *const usize, caller: usize) -> c_int {
                const NAMES: &[&str] = &[$(stringify!($argument)),*];
                // SAFETY: the trampoline was called as this function of MPI, which has these arguments.
                let words = unsafe { arguments::<{ NAMES.len() }>(registers, stack) };
                $crate::recorder::observe(&FUNCTIONS[FUNCTION], words, caller, |$call| {
                    let [$($argument,)* ..] = words.map($crate::recorder::Word);
                    $body
                })
            }

            trampoline!(stringify!($name), handler::<0>);
            trampoline!(concat!("P", stringify!($name)), handler::<1>);
        };
    )*};
}
pub(crate) use functions;

/// A function with this name that calls `handler(registers, stack, caller)`.
macro_rules! trampoline {
    ($name:expr, $handler:expr) => {
        const _: () = {
            #[cfg(target_arch = "x86_64")]
            #[unsafe(naked)]
            #[unsafe(export_name = $name)]
            extern "C" fn trampoline() {
                std::arch::naked_asm!(
                    ".cfi_startproc",
                    "push r9", "push r8", "push rcx", "push rdx", "push rsi", "push rdi",
                    ".cfi_def_cfa_offset 56",
                    "mov rdi, rsp",
                    "lea rsi, [rsp + 56]",
                    "mov rdx, [rsp + 48]",
                    "sub rsp, 8",
                    ".cfi_def_cfa_offset 64",
                    "call {handler}",
                    "add rsp, 56",
                    ".cfi_def_cfa_offset 8",
                    "ret",
                    ".cfi_endproc",
                    handler = sym $handler,
                )
            }

            #[cfg(target_arch = "aarch64")]
            #[unsafe(naked)]
            #[unsafe(export_name = $name)]
            extern "C" fn trampoline() {
                std::arch::naked_asm!(
                    ".cfi_startproc",
                    "stp x29, x30, [sp, #-80]!",
                    ".cfi_def_cfa_offset 80",
                    ".cfi_offset 29, -80",
                    ".cfi_offset 30, -72",
                    "mov x29, sp",
                    "stp x0, x1, [sp, #16]", "stp x2, x3, [sp, #32]", "stp x4, x5, [sp, #48]", "stp x6, x7, [sp, #64]",
                    "add x0, sp, #16",
                    "add x1, sp, #80",
                    "mov x2, x30",
                    "bl {handler}",
                    "ldp x29, x30, [sp], #80",
                    ".cfi_restore 29", ".cfi_restore 30",
                    ".cfi_def_cfa_offset 0",
                    "ret",
                    ".cfi_endproc",
                    handler = sym $handler,
                )
            }
        };
    };
}
pub(crate) use trampoline;
