#include "api/jobs/shots_share.h"

#include <string.h>

#include "api/json_scan.h"
#include "api/member.h"

enum { GIVEN_VIEW = 1 << 1 };

/* To the value of the next member, whose name is *name; *more is false behind the last one. */
static bool member_step(struct scan *scan, bool *first, bool *more, struct slice *name,
                        struct fault *why)
{
    return scan_more(scan, '}', first, more, why) &&
           (!*more || (scan_text(scan, name, why) && scan_expect(scan, ':', why)));
}

/* To the list of views of a body that has been read before. */
static bool views_find(struct scan *scan, struct fault *why)
{
    static const char wanted[] = "views";
    bool first = true, more;
    struct slice name;

    if (!scan_open(scan, '{', why))
        return false;
    while (member_step(scan, &first, &more, &name, why) && more) {
        if (name.length == strlen(wanted) && !memcmp(name.text, wanted, name.length))
            return scan_open(scan, '[', why);
        if (!scan_skip(scan, why))
            return false;
    }
    return fault_set(why, FAULT_INTERNAL, "the views of a job were there");
}

static bool names_read(struct scan *scan, struct given *given, struct fault *why)
{
    bool first = true, more;
    struct member member;
    struct slice name;

    *given = (struct given){ { 0 } };
    if (!scan_open(scan, '{', why))
        return false;
    for (;;) {
        if (!member_step(scan, &first, &more, &name, why))
            return false;
        if (!more)
            return true;
        if (member_find(&drawing_body_shape, name.text, name.length, &member))
            given->bits[member.place / 64] |= (uint64_t)1 << member.place % 64;
        if (!scan_skip(scan, why))
            return false;
    }
}

static void take_on(const struct drawing_body *common, const struct given *own,
                    struct drawing_body *view)
{
    struct member member = { 0 };

    while (member_next(&drawing_body_shape, &member)) {
        const struct field *field = member.field;
        ptrdiff_t given = member.owner->given;
        uint64_t bit = (uint64_t)1 << member.index;

        if (own->bits[member.place / 64] >> member.place % 64 & 1)
            continue;
        memcpy(field_in(field, view), field_in(field, common), member_size(field));
        if (given >= 0) {
            uint64_t *to = (uint64_t *)((char *)view + given);

            *to = (*to & ~bit) | (*(const uint64_t *)((const char *)common + given) & bit);
        }
    }
}

bool shots_share(struct job_plan *plan, struct shots_asked *asked, struct fault *why)
{
    struct drawing_body *views = asked->views.items;
    bool first = true, more;
    struct given own;
    struct scan scan;

    if (!(asked->given & GIVEN_VIEW))
        return true;
    if (!scan_begin(&scan, plan->body, plan->length, &plan->arena, why) || !views_find(&scan, why))
        return false;
    for (size_t i = 0; i < asked->views.count; i++) {
        if (!scan_more(&scan, ']', &first, &more, why) || !names_read(&scan, &own, why))
            return false;
        take_on(&asked->view, &own, &views[i]);
    }
    return true;
}
