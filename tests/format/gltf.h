/* A reader of GLB files that knows nothing of ours, and takes nothing on trust: what a strict
 * client would make of the bytes. */
#ifndef TESTS_FORMAT_GLTF_H
#define TESTS_FORMAT_GLTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;

struct gltf {
    size_t vertices, triangles;
    double (*at)[3];     /* glTF's axes, translation added */
    float (*normals)[3]; /* NULL when there are none */
    uint32_t *corners;   /* three a triangle */
    int index_type;      /* 5123 or 5125; 0 without a mesh */
    double translation[3];
    struct json_t *json;
    size_t json_length; /* without its padding */
};

/* Fails the test unless the file is sound: lengths, padding, alignment, indices, bounds equal to
 * the bit, normals of length 1. */
void gltf_read(const void *data, size_t length, struct gltf *gltf);
void gltf_free(struct gltf *gltf);

/* A number of asset.extras; NaN when there is none. */
double gltf_extra(const struct gltf *gltf, const char *name);

/* Fails the test unless every triangle turns counter-clockwise seen from above (local frame) and
 * has an area. Curtains hang, so `steep` ones may stand upright. */
void gltf_assert_upward(const struct gltf *gltf, bool steep);

#endif
