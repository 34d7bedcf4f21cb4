/* Ranks of MPICH with UCX that share cores: a waiting rank gives its core to another one. MPICH 4.0 has no setting for that
   (MPIR_CVAR_POLLS_BEFORE_YIELD has no effect: the library never calls sched_yield). A waiting rank calls ucp_worker_progress in a loop;
   preloaded, this library yields where the call has done nothing. It is not a part of any build: docs/contributor.md says how to use it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
unsigned ucp_worker_progress(void *worker) {
    static unsigned (*real)(void *);
    if (!real) real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned count = real(worker);
    if (!count) sched_yield();
    return count;
}
