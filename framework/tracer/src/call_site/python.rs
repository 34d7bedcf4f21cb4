//! The current line of a Python program, through the functions of the interpreter in this process.
use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
};

use wb_record::LoggedSite;

type Object = *mut c_void;

/// A line of the code of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PythonLine {
    code: Object,
    line: c_int,
}

macro_rules! interpreter {
    ($($name:ident: $symbol:literal $signature:ty;)*) => {
        /// The functions of the interpreter.
        pub(super) struct Python { $($name: $signature,)* }

        impl Python {
            /// The interpreter of this process, if it has one.
            pub(super) fn find() -> Option<Self> {
                $(
                    // SAFETY: the name ends with a zero.
                    let $name = unsafe { libc::dlsym(libc::RTLD_DEFAULT, $symbol.as_ptr()) };
                )*
                if [$($name),*].contains(&ptr::null_mut()) {
                    return None;
                }
                // SAFETY: these are the signatures of the stable interface of Python 3.9 and later.
                unsafe { Some(Self { $($name: std::mem::transmute::<*mut c_void, $signature>($name),)* }) }
            }
        }
    };
}

interpreter! {
    is_initialised: c"Py_IsInitialized" unsafe extern "C" fn() -> c_int;
    lock: c"PyGILState_Ensure" unsafe extern "C" fn() -> c_int;
    unlock: c"PyGILState_Release" unsafe extern "C" fn(c_int);
    frame: c"PyEval_GetFrame" unsafe extern "C" fn() -> Object;
    line: c"PyFrame_GetLineNumber" unsafe extern "C" fn(Object) -> c_int;
    code: c"PyFrame_GetCode" unsafe extern "C" fn(Object) -> Object;
    attribute: c"PyObject_GetAttrString" unsafe extern "C" fn(Object, *const c_char) -> Object;
    text: c"PyUnicode_AsUTF8" unsafe extern "C" fn(Object) -> *const c_char;
    release: c"Py_DecRef" unsafe extern "C" fn(Object);
}

impl Python {
    /// The line that is executed; `None` if this thread executes no Python.
    pub(super) fn line(&self) -> Option<PythonLine> {
        self.locked(|| {
            // SAFETY: this thread has the lock of the interpreter, and the frame is its own.
            unsafe {
                let frame = (self.frame)();
                if frame.is_null() {
                    return None;
                }
                let code = (self.code)(frame);
                let line = (self.line)(frame);
                // The frame keeps the code alive.
                (self.release)(code);
                Some(PythonLine { code, line })
            }
        })
    }

    /// The place of the line that is executed. Its code stays alive, so that its address names no other code later.
    pub(super) fn site(&self, PythonLine { code, line }: PythonLine) -> LoggedSite {
        let file = self.locked(|| {
            // SAFETY: this thread has the lock of the interpreter, and executes this code.
            unsafe {
                (self.code)((self.frame)());
                let name = (self.attribute)(code, c"co_filename".as_ptr());
                let text = if name.is_null() { ptr::null() } else { (self.text)(name) };
                (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
            }
        });
        LoggedSite::Line { file: file.unwrap_or_default(), line: line.unsigned_abs() }
    }

    fn locked<R: Default>(&self, inside: impl FnOnce() -> R) -> R {
        // SAFETY: the interpreter is initialised; MPI's calls do not hold the lock, or hold it in this thread.
        unsafe {
            if (self.is_initialised)() == 0 {
                return R::default();
            }
            let state = (self.lock)();
            let result = inside();
            (self.unlock)(state);
            result
        }
    }
}
