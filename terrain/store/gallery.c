#include "terrain/store/gallery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terrain/base/bytes.h"
#include "terrain/base/field.h"
#include "terrain/store/gallery_file.h"

/* A picture's samples in memory: kept by the gallery until others need the room, and by whoever
 * holds it. */
struct kept {
    struct picture_held held; /* first, so that one is the other */
    int32_t holders;
    bool known;                 /* is the gallery's newest of that name */
    struct kept *older, *newer; /* among those that are known, by last use */
};

struct gallery {
    struct gallery_limits limits;
    int folder;
    pthread_mutex_t writing;     /* taken first: one change at a time */
    pthread_mutex_t lock;        /* all below */
    struct picture_about *table; /* in byte order of names */
    size_t count, room;
    int64_t disk_bytes;
    struct kept *newest, *oldest;
    int64_t memory_bytes; /* of those that are known */
};

/* The table */

/* Where the name is, or would be. */
static size_t place_of(const struct gallery *gallery, const char *name, bool *there)
{
    size_t first = 0, end = gallery->count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (strcmp(gallery->table[middle].name, name) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    *there = first < gallery->count && strcmp(gallery->table[first].name, name) == 0;
    return first;
}

static bool table_grow(struct gallery *gallery, struct fault *why)
{
    size_t room = gallery->room ? gallery->room * 2 : 16;
    struct picture_about *table;

    if (gallery->count < gallery->room)
        return true;
    table = realloc(gallery->table, room * sizeof *table);
    if (!table)
        return fault_set(why, FAULT_MEMORY, "no memory for a list of rasters");
    gallery->table = table;
    gallery->room = room;
    return true;
}

/* In place of what has its name, or as one more: table_grow comes first. */
static void table_set(struct gallery *gallery, const struct picture_about *about)
{
    bool there;
    size_t place = place_of(gallery, about->name, &there);

    if (there) {
        gallery->disk_bytes -= gallery->table[place].disk_bytes;
    } else {
        memmove(gallery->table + place + 1, gallery->table + place,
                (gallery->count - place) * sizeof *gallery->table);
        gallery->count++;
    }
    gallery->table[place] = *about;
    gallery->disk_bytes += about->disk_bytes;
}

static void table_remove(struct gallery *gallery, const char *name)
{
    bool there;
    size_t place = place_of(gallery, name, &there);

    if (!there)
        return;
    gallery->disk_bytes -= gallery->table[place].disk_bytes;
    gallery->count--;
    memmove(gallery->table + place, gallery->table + place + 1,
            (gallery->count - place) * sizeof *gallery->table);
}

static bool missing(const struct gallery *gallery, const char *name, struct fault *why)
{
    const char **names = malloc((gallery->count + 1) * sizeof *names), *near = NULL;

    for (size_t i = 0; names && i < gallery->count; i++)
        names[i] = gallery->table[i].name;
    if (names)
        near = word_nearest(name, names, gallery->count);
    free(names);
    if (near)
        return fault_set(why, FAULT_MISSING, "there is no raster %s; did you mean %s?", name, near);
    return fault_set(why, FAULT_MISSING, "there is no raster %s", name);
}

/* Of a name; under the lock. */
static bool look_up(const struct gallery *gallery, const char *name, struct picture_about *about,
                    struct fault *why)
{
    bool there;
    size_t place = place_of(gallery, name, &there);

    if (!there)
        return missing(gallery, name, why);
    *about = gallery->table[place];
    return true;
}

/* Opening */

static bool note_file(struct gallery *gallery, const char *name, struct fault *why)
{
    struct picture_about about = { .damaged = true };

    if (!name_valid(name)) /* . and .. , and whatever else is not ours */
        return true;
    memcpy(about.name, name, strlen(name) + 1);
    about.damaged = !gallery_file_about(gallery->folder, name, &about, &(struct fault){ 0 });
    if (!table_grow(gallery, why))
        return false;
    table_set(gallery, &about);
    return true;
}

static bool note_files(struct gallery *gallery, struct fault *why)
{
    int again = openat(gallery->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again < 0 ? NULL : fdopendir(again);
    const struct dirent *entry;
    bool noted = true;

    if (!listing) {
        if (again >= 0)
            close(again);
        return fault_errno(why, FAULT_STORAGE, "reading the folder of rasters");
    }
    while (noted && (entry = readdir(listing)))
        noted = note_file(gallery, entry->d_name, why);
    closedir(listing);
    return noted;
}

/* DIR/rasters, made if need be and flushed. */
static int open_folder(const char *path, struct fault *why)
{
    int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder = -1;
    bool flushed =
        root >= 0 && (mkdirat(root, "rasters", 0700) < 0 ? errno == EEXIST : fsync(root) == 0);

    if (flushed)
        folder = openat(root, "rasters", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder < 0)
        fault_errno(why, FAULT_STORAGE, "opening the folder %s/rasters", path);
    if (root >= 0)
        close(root);
    return folder;
}

bool gallery_open(const char *folder, const struct gallery_limits *limits, struct gallery **gallery,
                  struct fault *why)
{
    struct gallery *made = calloc(1, sizeof *made);

    if (!made)
        return fault_set(why, FAULT_MEMORY, "no memory for the rasters");
    made->limits = *limits;
    pthread_mutex_init(&made->writing, NULL);
    pthread_mutex_init(&made->lock, NULL);
    made->folder = open_folder(folder, why);
    if (made->folder < 0 || !gallery_file_tidy(made->folder, why) || !note_files(made, why)) {
        gallery_close(made);
        return false;
    }
    *gallery = made;
    return true;
}

/* Samples in memory */

static void kept_free(struct kept *kept)
{
    free((void *)(uintptr_t)kept->held.samples);
    free(kept);
}

static void line_take(struct gallery *gallery, struct kept *kept)
{
    *(kept->older ? &kept->older->newer : &gallery->oldest) = kept->newer;
    *(kept->newer ? &kept->newer->older : &gallery->newest) = kept->older;
}

static void line_put(struct gallery *gallery, struct kept *kept)
{
    kept->newer = NULL;
    kept->older = gallery->newest;
    *(gallery->newest ? &gallery->newest->newer : &gallery->oldest) = kept;
    gallery->newest = kept;
}

/* The gallery lets go of it; so may its last holder later. */
static void forget(struct gallery *gallery, struct kept *kept)
{
    line_take(gallery, kept);
    gallery->memory_bytes -= kept->held.about.bytes;
    kept->known = false;
    if (kept->holders == 0)
        kept_free(kept);
}

static void forget_named(struct gallery *gallery, const char *name)
{
    for (struct kept *kept = gallery->newest, *next; kept; kept = next) {
        next = kept->older;
        if (!strcmp(kept->held.about.name, name))
            forget(gallery, kept);
    }
}

static void make_room(struct gallery *gallery)
{
    for (struct kept *kept = gallery->oldest, *next;
         kept && gallery->memory_bytes > gallery->limits.memory_bytes; kept = next) {
        next = kept->newer;
        if (kept->holders == 0)
            forget(gallery, kept);
    }
}

/* One in memory, held; under the lock. */
static struct kept *hold_known(struct gallery *gallery, const struct picture_about *about)
{
    for (struct kept *kept = gallery->newest; kept; kept = kept->older) {
        if (kept->held.about.revision != about->revision ||
            strcmp(kept->held.about.name, about->name) != 0)
            continue;
        line_take(gallery, kept);
        line_put(gallery, kept);
        kept->holders++;
        return kept;
    }
    return NULL;
}

/* What has been read becomes known, unless another was quicker or the name has moved on. */
static struct kept *make_known(struct gallery *gallery, struct kept *read)
{
    struct picture_about now;
    struct kept *there;

    if (!look_up(gallery, read->held.about.name, &now, &(struct fault){ 0 }) ||
        now.revision != read->held.about.revision)
        return read;
    there = hold_known(gallery, &now);
    if (there) {
        kept_free(read);
        return there;
    }
    read->known = true;
    line_put(gallery, read);
    gallery->memory_bytes += read->held.about.bytes;
    make_room(gallery);
    return read;
}

void gallery_close(struct gallery *gallery)
{
    if (!gallery)
        return;
    while (gallery->newest)
        forget(gallery, gallery->newest);
    if (gallery->folder >= 0)
        close(gallery->folder);
    pthread_mutex_destroy(&gallery->writing);
    pthread_mutex_destroy(&gallery->lock);
    free(gallery->table);
    free(gallery);
}

static bool load(struct gallery *gallery, const struct picture_about *about, struct kept *to,
                 struct fault *why)
{
    void *samples;

    if (about->damaged)
        return fault_set(why, FAULT_STORAGE, "the raster %s is damaged; put it again", about->name);
    if (!gallery_file_read(gallery->folder, about->name, about, &samples, why))
        return false;
    to->held = (struct picture_held){ *about, samples };
    to->holders = 1;
    return true;
}

/* While a file is being replaced it may not be what the table says: then it is read again when that
 * has ended. */
static bool load_settled(struct gallery *gallery, const char *name, struct kept *to,
                         struct fault *why)
{
    struct picture_about about;
    bool loaded;

    pthread_mutex_lock(&gallery->writing);
    loaded = gallery_find(gallery, name, &about, why) && load(gallery, &about, to, why);
    pthread_mutex_unlock(&gallery->writing);
    return loaded;
}

static struct kept *load_newest(struct gallery *gallery, const struct picture_about *about,
                                struct fault *why)
{
    struct kept *kept = calloc(1, sizeof *kept);

    if (!kept) {
        fault_set(why, FAULT_MEMORY, "no memory for a raster");
        return NULL;
    }
    if (load(gallery, about, kept, why) || load_settled(gallery, about->name, kept, why))
        return kept;
    free(kept);
    return NULL;
}

const struct picture_held *gallery_hold(struct gallery *gallery, const char *name,
                                        struct fault *why)
{
    struct picture_about about;
    struct kept *kept = NULL;
    bool there;

    pthread_mutex_lock(&gallery->lock);
    there = look_up(gallery, name, &about, why);
    if (there)
        kept = hold_known(gallery, &about);
    pthread_mutex_unlock(&gallery->lock);
    if (!there)
        return NULL;
    if (!kept) {
        kept = load_newest(gallery, &about, why);
        if (!kept)
            return NULL;
        pthread_mutex_lock(&gallery->lock);
        kept = make_known(gallery, kept);
        pthread_mutex_unlock(&gallery->lock);
    }
    return &kept->held;
}

void gallery_drop(struct gallery *gallery, const struct picture_held *held)
{
    struct kept *kept = (struct kept *)(uintptr_t)held;

    if (!held)
        return;
    pthread_mutex_lock(&gallery->lock);
    kept->holders--;
    if (kept->holders == 0 && !kept->known)
        kept_free(kept);
    else
        make_room(gallery);
    pthread_mutex_unlock(&gallery->lock);
}

/* Asking */

size_t gallery_list(struct gallery *gallery, const char *after, size_t most,
                    struct picture_about *abouts)
{
    size_t place, count;
    bool there;

    pthread_mutex_lock(&gallery->lock);
    place = place_of(gallery, after, &there);
    place += there;
    count = gallery->count - place < most ? gallery->count - place : most;
    if (count)
        memcpy(abouts, gallery->table + place, count * sizeof *abouts);
    pthread_mutex_unlock(&gallery->lock);
    return count;
}

bool gallery_find(struct gallery *gallery, const char *name, struct picture_about *about,
                  struct fault *why)
{
    bool there;

    pthread_mutex_lock(&gallery->lock);
    there = look_up(gallery, name, about, why);
    pthread_mutex_unlock(&gallery->lock);
    return there;
}

/* Changing: `writing` is held, so that the table stands still while files are written */

static bool condition_holds(struct gallery *gallery, const char *name,
                            const struct gallery_condition *condition, bool *there,
                            struct fault *why)
{
    struct picture_about now;

    pthread_mutex_lock(&gallery->lock);
    *there = look_up(gallery, name, &now, &(struct fault){ 0 });
    pthread_mutex_unlock(&gallery->lock);
    return !condition || condition->holds(condition->context, *there ? &now : NULL, why);
}

/* Whether one more, or another in its place, keeps within the limits; then there is a place. */
static bool room_for(struct gallery *gallery, const struct picture_about *about, struct fault *why)
{
    struct picture_about now = { 0 };
    bool there, fits = false;

    pthread_mutex_lock(&gallery->lock);
    there = look_up(gallery, about->name, &now, &(struct fault){ 0 });
    if (!there && (int64_t)gallery->count >= gallery->limits.pictures)
        fault_set(why, FAULT_LIMIT,
                  "there are %zu rasters already; at most %lld are kept (rasters)", gallery->count,
                  (long long)gallery->limits.pictures);
    else if (gallery->disk_bytes - now.disk_bytes + about->disk_bytes > gallery->limits.disk_bytes)
        fault_set(why, FAULT_FULL,
                  "with this raster of %lld bytes all would have more than %lld (rasters_bytes)",
                  (long long)about->disk_bytes, (long long)gallery->limits.disk_bytes);
    else
        fits = table_grow(gallery, why);
    pthread_mutex_unlock(&gallery->lock);
    return fits;
}

static bool draw_revision(uint64_t *revision, struct fault *why)
{
    return getrandom(revision, sizeof *revision, 0) == sizeof *revision ||
           fault_errno(why, FAULT_INTERNAL, "drawing a random number");
}

/* After a failure the file under the name may be either: what is there is looked at. */
static void settle(struct gallery *gallery, const char *name)
{
    struct picture_about now = { .damaged = true };
    struct fault why = { 0 };

    memcpy(now.name, name, strlen(name) + 1);
    now.damaged = !gallery_file_about(gallery->folder, name, &now, &why);
    pthread_mutex_lock(&gallery->lock);
    forget_named(gallery, name);
    if (faccessat(gallery->folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        table_set(gallery, &now);
    else
        table_remove(gallery, name);
    pthread_mutex_unlock(&gallery->lock);
}

static bool put(struct gallery *gallery, const void *samples, struct picture_about *about,
                struct fault *why)
{
    struct bytes file = { 0 };
    bool done = draw_revision(&about->revision, why) &&
                gallery_file_make(samples, about, &file, why) && room_for(gallery, about, why);

    if (done) {
        done = gallery_file_write(gallery->folder, about->name, &file, why);
        settle(gallery, about->name);
    }
    bytes_free(&file);
    return done;
}

bool gallery_put(struct gallery *gallery, const char *name, int32_t width, int32_t height,
                 int32_t channels, const void *samples, const struct gallery_condition *condition,
                 struct picture_about *about, bool *replaced, struct fault *why)
{
    bool done;

    *about = (struct picture_about){ .width = width,
                                     .height = height,
                                     .channels = channels,
                                     .bytes = picture_bytes(width, height, channels) };
    memcpy(about->name, name, strlen(name) + 1);
    pthread_mutex_lock(&gallery->writing);
    done = condition_holds(gallery, name, condition, replaced, why) &&
           put(gallery, samples, about, why);
    pthread_mutex_unlock(&gallery->writing);
    return done;
}

bool gallery_remove(struct gallery *gallery, const char *name,
                    const struct gallery_condition *condition, struct fault *why)
{
    struct picture_about about;
    bool there, done;

    pthread_mutex_lock(&gallery->writing);
    done = condition_holds(gallery, name, condition, &there, why) &&
           gallery_find(gallery, name, &about, why);
    if (done) {
        done = gallery_file_remove(gallery->folder, name, why);
        settle(gallery, name);
    }
    pthread_mutex_unlock(&gallery->writing);
    return done;
}
