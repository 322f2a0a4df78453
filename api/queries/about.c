#include "api/queries/about.h"

#include <math.h>
#include <string.h>

#include "api/frame.h"
#include "api/member.h"
#include "api/service.h"
#include "terrain/query/collide.h"
#include "terrain/query/cover.h"
#include "terrain/query/landform.h"

static const struct field curvature_rows[] = {
    FIELD(struct about_curvature, plan, "1/m", 0, 0,
          "Of the contour line: above 0 where what flows down parts; null on level ground",
          .nullable = true),
    FIELD(struct about_curvature, profile, "1/m", 0, 0,
          "Down the slope: above 0 where it grows steeper; null on level ground", .nullable = true),
    FIELD(struct about_curvature, mean, "1/m", 0, 0,
          "Of the surface: half the sum of its principal curvatures, above 0 where it is convex"),
    { .kind = FIELD_END }
};

static const struct shape curvature_shape = { .name = "curvature",
                                              .size = sizeof(struct about_curvature),
                                              .fields = curvature_rows,
                                              .given = -1 };

#define ABOUT(kind, member, help, ...)                                                             \
    FIELD_AS(kind, struct about, member, help, .left_out = true, __VA_ARGS__)

const struct field about_rows[] = {
    ABOUT(FIELD_REALS, normal, "Unit normal of the triangle: east, south, up", .count = 3),
    ABOUT(FIELD_TEXT, layer, "The dominant paint layer", .nullable = true),
    ABOUT(FIELD_TEXT, physical_material, "That layer's", .nullable = true),
    ABOUT(FIELD_REAL, weight, "That layer's, of 255", .nullable = true),
    ABOUT(FIELD_BOOL, hole, "Whether the quad is a hole"),
    ABOUT(FIELD_REALS, smooth, "Unit normal of the vertices, by the place in the triangle",
          .count = 3),
    ABOUT(FIELD_INT64, triangle,
          "2 (row (columns - 1) + column), 1 more for the south-western one"),
    ABOUT(FIELD_REALS, barycentric,
          "Shares of the triangle's corners: north-west, the one beside, south-east", .count = 3),
    ABOUT(FIELD_REAL, slope, "From the horizontal", .unit = "degrees"),
    ABOUT(FIELD_REAL, aspect, "Clockwise from north of the way down; null on level ground",
          .unit = "degrees", .nullable = true),
    ABOUT(FIELD_OBJECT, curvature, "How the ground bends", .shape = &curvature_shape),
    { .name = "x",
      .kind = FIELD_REAL,
      .at = offsetof(struct about, at[0]),
      .left_out = true,
      .help = "The place, in the request's frame" },
    { .name = "y",
      .kind = FIELD_REAL,
      .at = offsetof(struct about, at[1]),
      .left_out = true,
      .help = "The place, in the request's frame" },
    { .kind = FIELD_END }
};

enum {
    NORMAL,
    LAYER,
    MATERIAL,
    WEIGHT,
    HOLE,
    SMOOTH,
    TRIANGLE,
    BARYCENTRIC,
    SLOPE,
    ASPECT,
    CURVATURE,
    X,
    Y,
    WORDS
};
_Static_assert(sizeof about_rows / sizeof *about_rows == WORDS + 1, "a word for each row");

const struct shape about_shape = {
    .name = "about", .size = sizeof(struct about), .fields = about_rows, .given = -1
};

const struct shape about_rest_shape = {
    .name = "about_rest", .size = sizeof(struct about), .fields = about_rows + SMOOTH, .given = -1
};

#define BIT(word) (UINT32_C(1) << (word))
static const uint32_t of_surface =
    BIT(NORMAL) | BIT(SMOOTH) | BIT(TRIANGLE) | BIT(BARYCENTRIC) | BIT(HOLE);
static const uint32_t of_cover = BIT(LAYER) | BIT(MATERIAL) | BIT(WEIGHT);
static const uint32_t of_form = BIT(SLOPE) | BIT(ASPECT) | BIT(CURVATURE);
static const uint32_t of_place = BIT(X) | BIT(Y);

static bool words_read(struct request *rq, const struct list *words, uint32_t *chosen)
{
    const char *names[WORDS + 1] = { 0 };

    for (int word = 0; word < WORDS; word++)
        names[word] = about_rows[word].name;
    *chosen = 0;
    for (size_t i = 0; i < words->count; i++) {
        const char *text = ((const char *const *)words->items)[i];
        int word = word_choose(names, text, strlen(text), &rq->fault);

        if (word < 0)
            return fault_at(&rq->fault, "fields");
        *chosen |= BIT(word);
    }
    return true;
}

static bool has(const struct field *rows, size_t count, const char *name)
{
    while (count > 0)
        if (!strcmp(rows[--count].name, name))
            return true;
    return false;
}

bool about_choose(struct request *rq, const struct list *words, const struct shape *own, size_t at,
                  struct about_choice *choice)
{
    struct member member = { 0 };
    size_t count = 0, first;

    if (!words_read(rq, words, &choice->words))
        return false;
    while (member_next(own, &member))
        choice->rows[count++] = *member.field;
    first = count;
    for (int word = 0; word < WORDS; word++) {
        if (!(choice->words & BIT(word)) || has(choice->rows, first, about_rows[word].name))
            continue;
        choice->rows[count] = about_rows[word];
        choice->rows[count].at += at;
        choice->rows[count++].left_out = false;
    }
    choice->rows[count] = (struct field){ .kind = FIELD_END };
    choice->shape =
        (struct shape){ .name = own->name, .size = own->size, .fields = choice->rows, .given = -1 };
    return true;
}

bool about_count(struct request *rq, const struct about_choice *choice, size_t items)
{
    const int64_t most = rq->service->limits.query_details;
    const int words = __builtin_popcount(choice->words);

    if (!words || items <= (uint64_t)most / (uint64_t)words)
        return true;
    REFUSE(rq, FAULT_LIMIT,
           "%d fields of %zu items were asked for; at most %lld are told "
           "(query_details)",
           words, items, (long long)most);
    return fault_at(&rq->fault, "fields");
}

static void surface_tell(const struct surface *surface, struct about *about)
{
    memcpy(about->normal, surface->normal, sizeof about->normal);
    memcpy(about->smooth, surface->smooth, sizeof about->smooth);
    memcpy(about->barycentric, surface->shares, sizeof about->barycentric);
    about->triangle = surface->triangle;
    about->hole = surface->hole;
}

static void cover_tell(const struct view *view, const double at[2], struct about *about)
{
    const struct paint_layer *paints = view->settings->stack->paints;
    struct cover cover;

    about->layer = about->physical_material = NULL;
    about->weight = NAN;
    if (!cover_at(view, at, 0, &cover) || cover.first < 0)
        return;
    about->layer = paints[cover.first].name;
    if (paints[cover.first].physical_material[0])
        about->physical_material = paints[cover.first].physical_material;
    about->weight = cover.first_weight;
}

static void form_tell(const struct view *view, const double at[2], struct about *about)
{
    double forms[LANDFORMS] = { 0 };

    landform_at(view, at, forms);
    about->slope = forms[LANDFORM_SLOPE];
    about->aspect = forms[LANDFORM_ASPECT];
    about->curvature.plan = forms[LANDFORM_PLAN];
    about->curvature.profile = forms[LANDFORM_PROFILE];
    about->curvature.mean = forms[LANDFORM_MEAN];
}

static bool place_tell(const struct request *rq, const double at[2], struct about *about,
                       struct fault *why)
{
    static const struct field rows[] = { FIELD_AS(FIELD_POINT, struct about, at, ""),
                                         { .kind = FIELD_END } };

    memcpy(about->at, at, sizeof about->at);
    return frame_from_grid(SHAPE(struct about, rows), about, rq->frame, rq->view->settings, why);
}

bool about_fill(const struct request *rq, int64_t triangle, const double at[2], uint32_t words,
                struct about *about, struct fault *why)
{
    const struct grid *grid = view_grid(rq->view);
    const double on[2] = { fmin(fmax(at[0], 0), grid->columns - 1),
                           fmin(fmax(at[1], 0), grid->rows - 1) };
    struct surface surface;

    if (words & of_surface) {
        if (!(triangle < 0 ? collide_surface(rq->view, on, &surface, why)
                           : collide_on_triangle(rq->view, triangle, on, &surface, why)))
            return false;
        surface_tell(&surface, about);
    }
    if (words & of_cover)
        cover_tell(rq->view, on, about);
    if (words & of_form)
        form_tell(rq->view, on, about);
    return !(words & of_place) || place_tell(rq, at, about, why);
}

const char *const status_words[] = {
    [RAY_HIT] = "hit",         [RAY_MISS] = "miss",   [RAY_HOLE] = "hole",
    [RAY_OUTSIDE] = "outside", [RAY_WRONG] = "wrong", NULL
};

struct list status_list(struct arena *arena, const uint8_t *statuses, size_t count)
{
    const char **words = arena_new(arena, count * sizeof *words + 1);

    for (size_t i = 0; words && i < count; i++)
        words[i] = status_words[statuses[i]];
    return (struct list){ count, words };
}
