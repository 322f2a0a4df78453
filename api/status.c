#include "api/status.h"

#include "api/json_write.h"

static const int statuses[] = {
    200,
#define FAULT(code, status, slug, title) status,
#include "terrain/base/faults.def"
#undef FAULT
};

_Static_assert(sizeof statuses / sizeof *statuses == FAULT_COUNT, "a status for each fault");

int status_of(enum fault_code code)
{
    return statuses[code];
}

bool problem_write(const struct fault *fault, struct bytes *to, struct fault *why)
{
    if (!bytes_print(to, why, "{\"type\":\"/problems/%s\",\"title\":", fault_slug(fault->code)) ||
        !json_write_text(fault_title(fault->code), to, why) ||
        !bytes_print(to, why, ",\"status\":%d,\"detail\":", status_of(fault->code)) ||
        !json_write_text(fault->detail, to, why))
        return false;
    if (fault->place[0] &&
        (!bytes_print(to, why, ",\"%s\":", fault->place[0] == '/' ? "pointer" : "parameter") ||
         !json_write_text(fault->place, to, why)))
        return false;
    return bytes_print(to, why, "}");
}
