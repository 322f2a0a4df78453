/* What a helper may still ask of the kernel once it has loaded what it needs. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "terrain/worker/worker.h"

/* Refused calls fail with EPERM instead of killing: libraries probe, and a probe
 * that fails is no reason to lose the job. */
#define REFUSED SCMP_ACT_ERRNO(EPERM)

/* A decoder turns bytes that it was handed into samples: memory, the socket, the clock.
 * No file can be opened at all, so whatever it needs must be open before. */
static const int decoder_calls[] = {
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(dup),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(memfd_create),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fcntl),
    SCMP_SYS(futex),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getrandom),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(tgkill),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcwd),
    SCMP_SYS(sysinfo),
};

/* A call that this processor's kernel does not have needs no rule. */
static bool rule(scmp_filter_ctx filter, uint32_t action, int call)
{
    int failed = seccomp_rule_add(filter, action, call, 0);

    return failed == 0 || failed == -EDOM;
}

static bool allow_decoding(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < sizeof decoder_calls / sizeof *decoder_calls; i++)
        if (!rule(filter, SCMP_ACT_ALLOW, decoder_calls[i]))
            return false;
    /* Memory, but never new code. */
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                            SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                            SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0;
}

/* A renderer's driver compiles code and starts threads; it may not reach out. */
static const int renderer_refusals[] = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmmsg),
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(creat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(truncate),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(chroot),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(openat2),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
};

static bool refuse_opening(scmp_filter_ctx filter, int call, unsigned flags_at)
{
    const scmp_datum_t writes[] = { O_WRONLY, O_RDWR };
    bool refused = true;

    for (int i = 0; i < 2; i++) {
        struct scmp_arg_cmp access = { flags_at, SCMP_CMP_MASKED_EQ, O_ACCMODE, writes[i] };

        refused = refused && seccomp_rule_add_array(filter, REFUSED, call, 1, &access) == 0;
    }
    return refused;
}

static bool refuse_reaching_out(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < sizeof renderer_refusals / sizeof *renderer_refusals; i++)
        if (!rule(filter, REFUSED, renderer_refusals[i]))
            return false;
    /* glibc starts threads with clone when clone3 is unknown; a clone that is no thread is a fork.
     */
    return refuse_opening(filter, SCMP_SYS(open), 1) &&
           refuse_opening(filter, SCMP_SYS(openat), 2) &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
           seccomp_rule_add(filter, REFUSED, SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) == 0;
}

bool worker_sandbox(enum worker_kind kind)
{
    bool decodes = kind == WORKER_DECODES;
    scmp_filter_ctx filter = seccomp_init(decodes ? REFUSED : SCMP_ACT_ALLOW);
    bool done = false;

    if (!filter)
        return false;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a filter may refuse it when the hello comes */
    if (decodes ? allow_decoding(filter) : refuse_reaching_out(filter))
        done = seccomp_load(filter) == 0;
    seccomp_release(filter);
    return done;
}
