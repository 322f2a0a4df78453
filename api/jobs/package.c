#include "api/jobs/package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terrain/base/form.h"
#include "terrain/format/tar.h"
#include "terrain/store/mbtiles.h"

static bool out_add(struct job_work *work, const void *data, size_t length, struct fault *why)
{
    return job_writer_add(&work->writers[PACKAGE_OUT], data, length, why);
}

static const char TEXT[] = "text/plain", JSON[] = "application/json";

static bool manifest_result(struct job_work *work, struct fault *why)
{
    return job_result_move(work, PACKAGE_MANIFEST_PATH, "manifest.txt", TEXT, why);
}

/* A small file, whole. */
static bool file_read(int home, const char *path, struct bytes *to, struct fault *why)
{
    int64_t length;
    int file = job_file_open(home, path, &length, why);
    bool read_all = file >= 0 && bytes_reserve(to, (size_t)length + 1, why);

    while (read_all && to->length < (size_t)length) {
        ssize_t got = read(file, to->data + to->length, (size_t)length - to->length);

        read_all = got > 0 || fault_errno(why, FAULT_STORAGE, "reading %s", path);
        to->length += got > 0 ? (size_t)got : 0;
    }
    if (file >= 0)
        close(file);
    return read_all;
}

/* ---- tar: z/x/y.png, then what describes them, and manifest.txt ---- */

static bool tar_put(struct job_work *work, const char *name, const void *data, size_t length,
                    struct fault *why)
{
    static const unsigned char zeros[TAR_BLOCK];
    unsigned char head[TAR_BLOCK];

    tar_head(name, (int64_t)length, head);
    return out_add(work, head, sizeof head, why) && out_add(work, data, length, why) &&
           out_add(work, zeros, (size_t)tar_padding((int64_t)length), why);
}

static bool tar_tile(struct job_work *work, const char *name, const int32_t at[3],
                     const struct job_piece *piece, struct fault *why)
{
    (void)at;
    return tar_put(work, name, piece->bytes.data, piece->bytes.length, why);
}

static bool tar_finish(struct job_work *work, const struct package_about *about, struct fault *why)
{
    static const unsigned char end[TAR_END];
    struct bytes manifest = { 0 };
    char name[JOB_NAME_ROOM];
    bool done;

    snprintf(name, sizeof name, "%s.tar", about->name);
    done = file_read(work->home, PACKAGE_MANIFEST_PATH, &manifest, why) &&
           (!about->text || tar_put(work, about->file, about->text, strlen(about->text), why)) &&
           tar_put(work, "manifest.txt", manifest.data, manifest.length, why) &&
           out_add(work, end, sizeof end, why) &&
           job_result_move(work, PACKAGE_OUT_PATH, name, "application/x-tar", why) &&
           manifest_result(work, why);
    bytes_free(&manifest);
    return done;
}

/* ---- folder: each tile a result ---- */

static bool folder_tile(struct job_work *work, const char *name, const int32_t at[3],
                        const struct job_piece *piece, struct fault *why)
{
    char path[JOB_NAME_ROOM];

    (void)at;
    snprintf(path, sizeof path, "tiles/%s", name);
    return job_result_put(work, path, piece->media, piece->bytes.data, piece->bytes.length, why);
}

static bool folder_finish(struct job_work *work, const struct package_about *about,
                          struct fault *why)
{
    char path[JOB_NAME_ROOM];

    snprintf(path, sizeof path, "tiles/%s", about->file ? about->file : "");
    return (!about->text ||
            job_result_put(work, path, JSON, about->text, strlen(about->text), why)) &&
           manifest_result(work, why);
}

/* ---- MBTiles: spooled, and made of that at the end, so that a job may go on after a crash and its
 * file is the same to the byte. A tile's head is its level, column, row and length, 4 bytes each.
 */

enum { SPOOL_HEAD = 16 };

static bool spool_tile(struct job_work *work, const char *name, const int32_t at[3],
                       const struct job_piece *piece, struct fault *why)
{
    const uint32_t numbers[4] = { (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2],
                                  (uint32_t)piece->bytes.length };
    unsigned char head[SPOOL_HEAD];

    (void)name;
    for (int i = 0; i < SPOOL_HEAD; i++)
        head[i] = (unsigned char)(numbers[i / 4] >> (8 * (i % 4)));
    return out_add(work, head, sizeof head, why) &&
           out_add(work, piece->bytes.data, piece->bytes.length, why);
}

static bool spool_read(FILE *spool, struct mbtiles *mbtiles, struct bytes *room, struct fault *why)
{
    unsigned char head[SPOOL_HEAD];
    bool added = true;

    while (added && fread(head, 1, sizeof head, spool) == sizeof head) {
        struct form_reader reader = { head, sizeof head, true };
        int32_t at[3];
        size_t length;

        for (int i = 0; i < 3; i++)
            at[i] = (int32_t)form_take_number(&reader, 4);
        length = (size_t)form_take_number(&reader, 4);
        room->length = 0;
        added = bytes_reserve(room, length + 1, why) &&
                (fread(room->data, 1, length, spool) == length ||
                 fault_set(why, FAULT_STORAGE, "the tiles of a job cannot be read again")) &&
                mbtiles_add(mbtiles, at[0], at[1], at[2], room->data, length, why);
    }
    return added && (!ferror(spool) || fault_errno(why, FAULT_STORAGE, "reading a job's tiles"));
}

static bool mbtiles_fill(struct job_work *work, const struct package_about *about,
                         struct mbtiles *mbtiles, struct fault *why)
{
    int64_t length;
    int file = job_file_open(work->home, PACKAGE_OUT_PATH, &length, why);
    FILE *spool = file < 0 ? NULL : fdopen(file, "r");
    struct bytes room = { 0 };
    bool filled = spool != NULL;

    if (file >= 0 && !spool)
        fault_errno(why, FAULT_MEMORY, "reading a job's tiles");
    for (const char *(*word)[2] = about->metadata; filled && (*word)[0]; word++)
        filled = mbtiles_say(mbtiles, (*word)[0], (*word)[1], why);
    filled = filled && spool_read(spool, mbtiles, &room, why);
    if (spool)
        fclose(spool);
    else if (file >= 0)
        close(file);
    bytes_free(&room);
    return filled;
}

static bool mbtiles_finish(struct job_work *work, const struct package_about *about,
                           struct fault *why)
{
    struct mbtiles *mbtiles;
    char path[4200], name[JOB_NAME_ROOM];

    snprintf(path, sizeof path, "%s/work/made", work->path);
    snprintf(name, sizeof name, "%s.mbtiles", about->name);
    unlink(path); /* of a try before a crash */
    if (!mbtiles_begin(path, &mbtiles, why))
        return false;
    if (!mbtiles_fill(work, about, mbtiles, why)) {
        mbtiles_drop(mbtiles);
        return false;
    }
    return mbtiles_end(mbtiles, why) &&
           job_result_move(work, "work/made", name, "application/vnd.sqlite3", why) &&
           manifest_result(work, why);
}

const struct package packages[] = {
    { "tar", false, tar_tile, tar_finish },
    { "folder", false, folder_tile, folder_finish },
    { "mbtiles", true, spool_tile, mbtiles_finish },
};

const char *const package_words[] = { "tar", "folder", "mbtiles", NULL };
