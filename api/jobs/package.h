/* What a pyramid of tiles is put into: a row each. One thread at a time. */
#ifndef API_JOBS_PACKAGE_H
#define API_JOBS_PACKAGE_H

#include "api/jobs/job_kind.h"

/* Of the whole package. */
struct package_about {
    const char *name;          /* of its file, without an ending: "hills-terrain-rgb" */
    const char *file, *text;   /* what describes them: its name, and what it says; or NULL */
    const char *manifest_path; /* of the finished manifest, in the job's home */
    /* what MBTiles say; ends with NULL */
    const char *(*metadata)[2];
};

struct package {
    const char *name;
    bool map; /* takes tiles on the world's Web Mercator grid alone */
    /* One tile, in order. The name has its level, column, row and ending: "11/544/800.png". */
    bool (*add)(struct job_work *work, const char *name, const int32_t at[3],
                const struct job_piece *piece, struct fault *why);
    /* The rest, and its results: the first of the job's, but for those of `add`. */
    bool (*finish)(struct job_work *work, const struct package_about *about, struct fault *why);
};

extern const struct package packages[];
extern const char *const package_words[]; /* ends with NULL */

/* The writers of jobs whose output is a package: what grows, and the manifest. */
enum { PACKAGE_OUT, PACKAGE_MANIFEST };
#define PACKAGE_OUT_PATH      "work/out"
#define PACKAGE_MANIFEST_PATH "work/manifest.txt"

#endif
