/* The files of jobs, beside the landscapes: a home a job.
 *
 * DIR/jobs/ID/record  what the job is and how far it has come, whole and flushed or not at all
 * DIR/jobs/ID/list    a record of fixed size for each result, in their order
 * DIR/jobs/ID/files/  results, each complete
 * DIR/jobs/ID/work/   what is not complete yet
 *
 * Descriptors are the callers'. Whoever opens the shelf has taken the data folder (store_open). Any
 * thread; one at a time for one home.
 */
#ifndef TERRAIN_STORE_JOB_FILES_H
#define TERRAIN_STORE_JOB_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

/* DIR/jobs, made if need be; removals that were cut short are ended. -1 with STORAGE. */
int job_shelf_open(const char *folder, struct fault *why);
/* Every home's name; false stops it. */
bool job_shelf_each(int shelf, bool (*visit)(void *context, const char *id), void *context,
                    struct fault *why);

/* A new home, or one that is there; -1 with CONFLICT, MISSING or STORAGE. */
int job_home_make(int shelf, const char *id, struct fault *why);
int job_home_open(int shelf, const char *id, struct fault *why);
/* Gone with all that is in it, under its name at once. */
bool job_home_remove(int shelf, const char *id, struct fault *why);
/* Empties its work folder, or all that the job has made. */
bool job_home_clear(int home, bool results, struct fault *why);

/* Flushed, the folder too, when it returns true. Read: fails with STORAGE where it is no record. */
bool job_record_write(int home, const struct bytes *record, struct fault *why);
bool job_record_read(int home, struct bytes *record, struct fault *why);

/* A file that grows at its end, with the CRC-32C of all of it. */
struct job_writer {
    int file; /* descriptor; -1 when closed */
    int64_t length;
    uint32_t checksum;
};

/* One that is `length` bytes long and has that checksum so far; what lies behind, from before a
 * crash, is cut off. Fails with MISSING when it is not there or shorter. A length of 0 begins it.
 */
bool job_writer_open(int home, const char *path, int64_t length, uint32_t checksum,
                     struct job_writer *writer, struct fault *why);
bool job_writer_add(struct job_writer *writer, const void *data, size_t length, struct fault *why);
bool job_writer_flush(struct job_writer *writer, struct fault *why);
void job_writer_close(struct job_writer *writer);

/* A whole file, its folders made; not flushed. One that cannot be written whole is removed. */
bool job_file_put(int home, const char *path, const void *data, size_t length, struct fault *why);
/* Under another name, at once; its folders are made. Not flushed. */
bool job_file_place(int home, const char *from, const char *to, struct fault *why);
/* From work to files, flushed. */
bool job_file_move(int home, const char *from, const char *to, struct fault *why);
/* To be read; -1 with MISSING or STORAGE. */
int job_file_open(int home, const char *path, int64_t *length, struct fault *why);
/* How long, and its CRC-32C. */
bool job_file_sum(int home, const char *path, int64_t *length, uint32_t *checksum,
                  struct fault *why);

/* All that was written to the filesystem is on the disk. */
bool job_home_flush(int home, struct fault *why);

#endif
