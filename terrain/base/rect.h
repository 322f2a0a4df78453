/* A rectangle of vertices, half open: columns [x, x + width), rows [y, y + height). */
#ifndef TERRAIN_BASE_RECT_H
#define TERRAIN_BASE_RECT_H

#include <stdbool.h>
#include <stdint.h>

struct rect {
    int32_t x, y, width, height;
};

static inline bool rect_empty(struct rect r)
{
    return r.width <= 0 || r.height <= 0;
}

static inline struct rect rect_meet(struct rect a, struct rect b)
{
    int32_t x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int32_t x1 = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int32_t y1 = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;

    return x1 > x0 && y1 > y0 ? (struct rect){ x0, y0, x1 - x0, y1 - y0 } : (struct rect){ 0 };
}

/* The smallest rectangle around both; an empty one adds nothing. */
static inline struct rect rect_join(struct rect a, struct rect b)
{
    int32_t x0, y0, x1, y1;

    if (rect_empty(a))
        return b;
    if (rect_empty(b))
        return a;
    x0 = a.x < b.x ? a.x : b.x;
    y0 = a.y < b.y ? a.y : b.y;
    x1 = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    y1 = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct rect){ x0, y0, x1 - x0, y1 - y0 };
}

static inline bool rect_inside(struct rect inner, struct rect outer)
{
    return inner.x >= outer.x && inner.y >= outer.y &&
           (int64_t)inner.x + inner.width <= (int64_t)outer.x + outer.width &&
           (int64_t)inner.y + inner.height <= (int64_t)outer.y + outer.height;
}

static inline int64_t rect_area(struct rect r)
{
    return rect_empty(r) ? 0 : (int64_t)r.width * r.height;
}

#endif
