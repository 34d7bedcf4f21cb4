#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>
static void made(const char *what, long result) { if (result != -1) printf("made %s\n", what); }
static void child(const char *what, long pid) {
    if (pid == 0) _exit(0);
    made(what, pid);
}
int main(void) {
    alarm(20);
    int rw = PROT_READ | PROT_WRITE, size = 1 << 20;
    made("memfd", memfd_create("x", 0));
    made("segment", shmget(IPC_PRIVATE, size, 0600));
    made("shared", (long)mmap(NULL, size, rw, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    made("zeros", (long)mmap(NULL, size, rw, MAP_SHARED, open("/dev/zero", O_RDWR), 0));
    struct clone_args args = { .flags = CLONE_NEWUSER, .exit_signal = SIGCHLD };
    child("clone3", syscall(SYS_clone3, &args, sizeof args));
    child("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    made("space", unshare(CLONE_NEWUSER));
    long traced = fork();
    if (traced == 0) { pause(); _exit(0); }
    made("trace", ptrace(PTRACE_SEIZE, traced, 0, 0));
    kill(traced, SIGKILL);
    made("private", (long)mmap(NULL, size, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    child("process", fork());
    return 0;
}
