/* What a helper may still ask of the kernel once it has loaded what it needs: a filter of system
 * calls, written here as the kernel's own little program (seccomp(2)), so that a helper needs
 * no library for it. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "terrain/worker/sandbox.h"
#include "terrain/worker/worker.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

enum { INSTRUCTIONS_MOST = 1024, FOREIGN_CALLS = 0x40000000 /* x32's, on x86-64 */ };

#ifdef OWN_ARCHITECTURE

/* Instructions as they are appended; what does not fit makes the whole void. */
struct program {
    struct sock_filter at[INSTRUCTIONS_MOST];
    unsigned short count;
};

static void add(struct program *program, uint16_t code, uint8_t yes, uint8_t no, uint32_t value)
{
    if (program->count < INSTRUCTIONS_MOST)
        program->at[program->count] = (struct sock_filter){ code, yes, no, value };
    program->count++;
}

static void add_load(struct program *program, size_t from)
{
    add(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)from);
}

static void add_return(struct program *program, uint32_t action)
{
    add(program, BPF_RET | BPF_K, 0, 0, action);
}

/* Arguments are looked at by their low half: those that the rows ask about are ints. Both
 * processors store the low half first. */
static void add_rule(struct program *program, const struct sandbox_rule *rule, uint32_t self)
{
    uint32_t value = rule->value == SANDBOX_SELF ? self : rule->value;

    if (rule->mask == 0) {
        add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)rule->call);
        add_return(program, rule->action);
        return;
    }
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)rule->call);
    add_load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)rule->argument);
    add(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, rule->mask);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    add_return(program, rule->action);
    add_load(program, offsetof(struct seccomp_data, nr));
}

static void add_rules(struct program *program, const struct sandbox_rule *rules)
{
    for (const struct sandbox_rule *rule = rules; rule && rule->action; rule++)
        if (rule->call >= 0) /* else this processor's kernel does not have it */
            add_rule(program, rule, (uint32_t)getpid());
}

static void write_program(struct program *program, const struct sandbox *sandbox)
{
    add_load(program, offsetof(struct seccomp_data, arch));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCHITECTURE);
    add_return(program, SECCOMP_RET_KILL_PROCESS);
    add_load(program, offsetof(struct seccomp_data, nr));
    add(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, FOREIGN_CALLS);
    add_return(program, SANDBOX_REFUSED);
    add_rules(program, sandbox->first);
    add_rules(program, sandbox->rules);
    add_return(program, sandbox->otherwise);
}

static bool install(const struct sock_fprog *filter, unsigned flags)
{
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, filter) == 0;
}

bool worker_sandbox(enum worker_kind kind)
{
    static const struct sandbox *const kinds[] = { [WORKER_DECODES] = &sandbox_of_decoders,
                                                   [WORKER_RENDERS] = &sandbox_of_renderers,
                                                   [WORKER_PAINTS] = &sandbox_of_software };
    struct program program = { .count = 0 };
    struct sock_fprog filter = { .filter = program.at };

    write_program(&program, kinds[kind]);
    filter.len = program.count;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a filter may refuse it when the hello comes */
    if (program.count > INSTRUCTIONS_MOST || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return false;
    /* With the threads that a driver has started already, where the kernel can. */
    return install(&filter, SECCOMP_FILTER_FLAG_TSYNC) || install(&filter, 0);
}

#else

bool worker_sandbox(enum worker_kind kind)
{
    (void)kind;
    return false;
}

#endif
