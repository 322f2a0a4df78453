/* The rows of a helper's sandbox: which system calls it may make. See worker_sandbox. */
#ifndef TERRAIN_WORKER_SANDBOX_H
#define TERRAIN_WORKER_SANDBOX_H

#include <errno.h>
#include <linux/seccomp.h>
#include <stdint.h>

/* Refused calls fail with EPERM instead of killing: libraries probe, and a probe that fails is no
 * reason to lose the job. */
#define SANDBOX_REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define SANDBOX_UNKNOWN (SECCOMP_RET_ERRNO | ENOSYS)
#define SANDBOX_ALLOWED SECCOMP_RET_ALLOW
#define SANDBOX_SELF    UINT32_MAX /* as a value: this process's id */

/* The first rule that fits decides: one of this call whose argument, masked, has the value. A mask
 * of 0 is any argument. */
struct sandbox_rule {
    int call; /* negative: unknown to this processor's kernel */
    uint32_t action;
    int argument;
    uint32_t mask, value;
};

struct sandbox {
    const struct sandbox_rule *first, *rules; /* each ends with action 0; first: or NULL */
    uint32_t otherwise;
};

extern const struct sandbox sandbox_of_decoders, sandbox_of_renderers, sandbox_of_software;

#endif
