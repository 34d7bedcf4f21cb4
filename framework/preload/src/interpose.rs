//! Definitions of MPI's functions that programs call instead of the library's.

/// Defines functions of MPI's C interface.
///
/// Each has the name of the library's function, its twin (the library's function under its name for profiling), the arguments of
/// both, and a body. In the body all arguments are in scope, and `pass_on()` calls the twin with them. The value of the body is the
/// return code.
///
/// ```text
/// interpose! {
///     fn MPI_Barrier = PMPI_Barrier (comm: MPI_Comm) does |pass_on| pass_on();
/// }
/// ```
macro_rules! interpose {
    ($(fn $name:ident = $twin:ident ($($argument:ident: $of:ty),* $(,)?) does |$pass_on:ident| $body:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of MPI's C interface.")]
        ///
        /// # Safety
        /// As of the library's function: the program passes what MPI's standard demands.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name($($argument: $of),*) -> ::std::ffi::c_int {
            // SAFETY: the arguments are those of the program, which called this function as the twin.
            let $pass_on = || unsafe { ::wb_mpi::ffi::$twin($($argument),*) };
            $body
        }
    )*};
}
pub(crate) use interpose;
