#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "terrain/worker/sandbox.h"

/* Calls of older processors, which newer ones do without. */
#ifndef SYS_open
#define SYS_open      -1
#define SYS_creat     -1
#define SYS_fork      -1
#define SYS_vfork     -1
#define SYS_rename    -1
#define SYS_unlink    -1
#define SYS_link      -1
#define SYS_symlink   -1
#define SYS_mkdir     -1
#define SYS_rmdir     -1
#define SYS_mknod     -1
#define SYS_chmod     -1
#define SYS_chown     -1
#define SYS_lchown    -1
#define SYS_poll      -1
#define SYS_time      -1
#define SYS_utime     -1
#define SYS_utimes    -1
#define SYS_futimesat -1
#endif
#ifndef SYS_kexec_file_load
#define SYS_kexec_file_load -1
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr -1
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease -1
#endif

#define ANY(name)                                                                                  \
    {                                                                                              \
        SYS_##name, SANDBOX_ALLOWED, 0, 0, 0                                                       \
    }
#define NONE(name)                                                                                 \
    {                                                                                              \
        SYS_##name, SANDBOX_REFUSED, 0, 0, 0                                                       \
    }
/* Of this process alone: a helper has its daemon's rights over other processes. */
#define OWN(name, argument)                                                                        \
    { SYS_##name, SANDBOX_ALLOWED, argument, UINT32_MAX, SANDBOX_SELF }, NONE(name)
#define OWN_OR_0(name, argument)                                                                   \
    { SYS_##name, SANDBOX_ALLOWED, argument, UINT32_MAX, 0 }, OWN(name, argument)

/* A decoder turns bytes that it was handed into samples: memory, the socket, the clock.
 * No file can be opened at all, so whatever it needs must be open before. */
static const struct sandbox_rule decoder_rules[] = {
    ANY(read),
    ANY(readv),
    ANY(pread64),
    ANY(write),
    ANY(writev),
    ANY(lseek),
    ANY(close),
    ANY(fstat),
    ANY(newfstatat),
    ANY(dup),
    ANY(sendmsg),
    ANY(recvmsg),
    ANY(poll),
    ANY(ppoll),
    ANY(munmap),
    ANY(mremap),
    ANY(madvise),
    ANY(brk),
    ANY(memfd_create),
    ANY(ftruncate),
    ANY(fcntl),
    ANY(futex),
    ANY(exit),
    ANY(exit_group),
    ANY(rt_sigreturn),
    ANY(rt_sigprocmask),
    ANY(rt_sigaction),
    ANY(sigaltstack),
    ANY(restart_syscall),
    ANY(clock_gettime),
    ANY(clock_nanosleep),
    ANY(nanosleep),
    ANY(gettimeofday),
    ANY(time),
    ANY(getrandom),
    ANY(getpid),
    ANY(gettid),
    ANY(sched_yield),
    ANY(sched_getaffinity),
    ANY(getcwd),
    ANY(sysinfo),
    OWN(tgkill, 0), /* abort() */
    /* Memory, but never new code. */
    { SYS_mmap, SANDBOX_ALLOWED, 2, PROT_EXEC, 0 },
    { SYS_mprotect, SANDBOX_ALLOWED, 2, PROT_EXEC, 0 },
    { 0, 0, 0, 0, 0 },
};

/* A call that opens files may only read them. Its flags are that argument. */
#define READ_ONLY(name, flags)                                                                     \
    { SYS_##name, SANDBOX_REFUSED, flags, O_ACCMODE, O_WRONLY },                                   \
        { SYS_##name, SANDBOX_REFUSED, flags, O_ACCMODE, O_RDWR },                                 \
        { SYS_##name, SANDBOX_REFUSED, flags, O_ACCMODE, O_ACCMODE }, /* for ioctl alone */        \
        { SYS_##name, SANDBOX_REFUSED, flags, O_CREAT, O_CREAT },                                  \
    {                                                                                              \
        SYS_##name, SANDBOX_REFUSED, flags, O_TRUNC, O_TRUNC                                       \
    }

/* A renderer's driver compiles code and starts threads; it may not reach out. */
static const struct sandbox_rule renderer_rules[] = {
    /* glibc starts threads with clone when clone3 is unknown; a clone that is no thread is a fork.
     */
    { SYS_clone3, SANDBOX_UNKNOWN, 0, 0, 0 },
    { SYS_clone, SANDBOX_REFUSED, 0, CLONE_THREAD, 0 },
    READ_ONLY(open, 1),
    READ_ONLY(openat, 2),
    { SYS_ioctl, SANDBOX_REFUSED, 1, UINT32_MAX, TIOCSTI },
    OWN(tgkill, 0),
    OWN(rt_sigqueueinfo, 0),
    OWN(rt_tgsigqueueinfo, 0),
    OWN_OR_0(prlimit64, 0),
    NONE(socket),
    NONE(socketpair),
    NONE(connect),
    NONE(bind),
    NONE(listen),
    NONE(accept),
    NONE(accept4),
    NONE(sendto),
    NONE(sendmmsg),
    NONE(execve),
    NONE(execveat),
    NONE(fork),
    NONE(vfork),
    NONE(ptrace),
    NONE(process_vm_readv),
    NONE(process_vm_writev),
    NONE(process_madvise),
    NONE(process_mrelease),
    NONE(kcmp),
    NONE(kill),
    NONE(tkill),
    NONE(pidfd_open),
    NONE(pidfd_getfd),
    NONE(pidfd_send_signal),
    NONE(setpriority),
    NONE(sched_setparam),
    NONE(sched_setscheduler),
    NONE(sched_setattr),
    NONE(migrate_pages),
    NONE(move_pages),
    NONE(creat),
    NONE(openat2),
    NONE(open_by_handle_at),
    NONE(rename),
    NONE(renameat),
    NONE(renameat2),
    NONE(unlink),
    NONE(unlinkat),
    NONE(link),
    NONE(linkat),
    NONE(symlink),
    NONE(symlinkat),
    NONE(mkdir),
    NONE(mkdirat),
    NONE(rmdir),
    NONE(mknod),
    NONE(mknodat),
    NONE(truncate),
    NONE(chmod),
    NONE(fchmod),
    NONE(fchmodat),
    NONE(chown),
    NONE(fchown),
    NONE(lchown),
    NONE(fchownat),
    NONE(utime),
    NONE(utimes),
    NONE(futimesat),
    NONE(utimensat),
    NONE(setxattr),
    NONE(lsetxattr),
    NONE(fsetxattr),
    NONE(removexattr),
    NONE(lremovexattr),
    NONE(fremovexattr),
    NONE(shmget),
    NONE(shmat),
    NONE(shmctl),
    NONE(semget),
    NONE(msgget),
    NONE(mq_open),
    NONE(mq_unlink),
    NONE(chroot),
    NONE(mount),
    NONE(umount2),
    NONE(open_tree),
    NONE(move_mount),
    NONE(fsopen),
    NONE(fsconfig),
    NONE(fsmount),
    NONE(fspick),
    NONE(mount_setattr),
    NONE(pivot_root),
    NONE(unshare),
    NONE(setns),
    NONE(bpf),
    NONE(perf_event_open),
    NONE(userfaultfd),
    NONE(keyctl),
    NONE(add_key),
    NONE(request_key),
    NONE(io_uring_setup),
    NONE(io_uring_enter),
    NONE(io_uring_register),
    NONE(init_module),
    NONE(finit_module),
    NONE(delete_module),
    NONE(kexec_load),
    NONE(kexec_file_load),
    NONE(reboot),
    NONE(sethostname),
    NONE(setdomainname),
    NONE(settimeofday),
    NONE(clock_settime),
    NONE(clock_adjtime),
    NONE(adjtimex),
    NONE(swapon),
    NONE(swapoff),
    NONE(acct),
    NONE(quotactl),
    NONE(syslog),
    NONE(ioprio_set),
    { 0, 0, 0, 0, 0 },
};

/* Who draws in software has loaded all by then, and with the rights of the daemon's user a file to
 * be read may be anything: the daemon's memory as well. A GPU's driver goes on opening files. */
static const struct sandbox_rule no_file[] = {
    NONE(open),
    NONE(openat),
    { 0, 0, 0, 0, 0 },
};

const struct sandbox sandbox_of_decoders = { NULL, decoder_rules, SANDBOX_REFUSED };
const struct sandbox sandbox_of_renderers = { NULL, renderer_rules, SANDBOX_ALLOWED };
const struct sandbox sandbox_of_software = { no_file, renderer_rules, SANDBOX_ALLOWED };
