/* A reader of quantized-mesh-1.0 for tests, written from the specification and not from the writer:
 * what it takes apart it also checks. Fails the test for anything that a client would stumble on.
 */
#ifndef TESTS_FORMAT_QUANTIZED_H
#define TESTS_FORMAT_QUANTIZED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct quantized {
    double center[3], sphere[4], occlusion[3];
    float minimum, maximum;
    uint32_t count, triangles;
    int32_t *u, *v, *h;
    uint32_t *indices;
    uint32_t edge_counts[4]; /* west, south, east, north */
    uint32_t *edges[4];
    const uint8_t *normals; /* two bytes a vertex, or NULL */
    const uint8_t *water;
    uint32_t water_bytes;
    const char *metadata;
    uint32_t metadata_bytes;
};

/* The bytes are lent to what is read. */
struct quantized quantized_read(const void *data, size_t length);
void quantized_free(struct quantized *tile);

/* As clients decode it, in double. */
double quantized_height(const struct quantized *tile, uint32_t vertex);

/* Of the mesh at a place in u and v, 0 .. 32767; and of one triangle, if it lies there. */
double quantized_height_at(const struct quantized *tile, double u, double v);
bool quantized_covers(const struct quantized *tile, uint32_t triangle, double u, double v,
                      double *height);

void quantized_normal(const struct quantized *tile, uint32_t vertex, double normal[3]);

/* Corners, edge lists, triangles: that the square is covered once, counter-clockwise, by triangles
 * with an area which meet edge to edge. */
void quantized_check(const struct quantized *tile);

/* The same of a tile with skirts: two triangles hang straight down from each side of the border and
 * face outwards, below every vertex of the edge lists so deep or deeper, and there are no others.
 */
void quantized_check_skirts(const struct quantized *tile, double deep);

#endif
