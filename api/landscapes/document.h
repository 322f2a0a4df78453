/* The landscape document: what most endpoints of this folder answer, and what the bodies that
 * make and change one have in common. */
#ifndef API_LANDSCAPES_DOCUMENT_H
#define API_LANDSCAPES_DOCUMENT_H

#include "api/endpoint.h"
#include "terrain/core/settings.h"

struct document_layout {
    int32_t components[2], sections_per_component, section_quads;
};
extern const struct field document_layout_rows[];

struct document_links {
#define LINK(member, path, help) const char *member;
#include "api/landscapes/document_links.def"
#undef LINK
};

struct document {
    const char *id;
    uint64_t version;
    const char *title;
    struct document_layout layout;
    int32_t size[2];
    double scale[3], origin[3];
    const char *crs;
    double bounds[4], data_bounds[4];
    double height_range[2];
    int64_t memory_bytes;
    double lod0_screen_size, lod0_distribution, lod_distribution;
    int32_t collision_mip;
    const char *vertical_datum;
    double ellipsoid_offset;
    const char *geoid;
    double geoid_metres[2];
    struct list layers, edit_layers;
    struct document_links links;
};
extern const struct shape document_shape;

/* The document of a view, in the request's arena. Fails with MEMORY. */
bool document_fill(struct request *rq, const char *id, const struct view *view,
                   struct document *document);

/* As document_fill, of the newest version; sets Landscape-Version. */
bool document_of(struct request *rq, struct landscape *landscape, struct document *document);

/* "/v1/landscapes/ID"; NULL when the arena is exhausted. */
const char *document_path(struct request *rq, const char *id);

/* Where a landscape lies: with a CRS and bounds both, or with neither. Fills crs, bounds, and the
 * first two numbers of scale; `scale` is what was asked for, NULL when nothing was. Places faults
 * at the body's members. */
bool document_place(struct settings *settings, const double *scale, struct fault *why);

/* Sides, vertices and the number of landscapes against the limits. */
bool document_limits(struct request *rq, const struct settings *settings);
/* The same for one that is there and becomes another size. */
bool document_size(struct request *rq, const struct settings *settings);

/* The body as it came, kept for the log; NULL when the arena is exhausted. */
const char *document_request(struct request *rq);

#endif
