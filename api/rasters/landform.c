#include "api/rasters/landform.h"

#include <math.h>
#include <string.h>

#include "api/service.h"

static const struct field rows[] = {
    FIELD(struct landform_asked, ignore_holes, NULL, 0, 0,
          "Whether vertices whose quad is a hole have the numbers of the ground beneath"),
    { .kind = FIELD_END }
};

const struct shape landform_shape = { .name = "landform",
                                      .size = sizeof(struct landform_asked),
                                      .fields = rows,
                                      .base = &window_steps_shape,
                                      .given = -1 };

const char *const landform_media[] = { "image/png", "application/x-f32", "application/x-f64",
                                       "application/json", NULL };
const char *const landform_formats[] = { "png", "f32", "f64", "json", NULL };
static const enum plain_form forms[] = { PLAIN_PNG, PLAIN_F32, PLAIN_F64, PLAIN_JSON };

/* Rows are worked out a band at a time, in pieces of some columns, which the executor shares out.
 */
enum { BAND_ROWS = 32, PIECE = 128 };

struct writing {
    struct request *rq;
    const struct landform_asked *asked;
    const struct landform_answer *answer;
    struct export_window window;
    int32_t columns, first, some; /* the rows of the band */
    double *band;
};

static void cut_holes(const struct view *view, int32_t y, int32_t x, int32_t count, double *values)
{
    const struct grid *grid = view_grid(view);
    const int32_t last = grid->columns - 2;
    const int32_t from = x < last ? x : last, to = x + count - 1 < last ? x + count - 1 : last;
    struct rect quads = { from, y < grid->rows - 2 ? y : grid->rows - 2, to - from + 1, 1 };
    uint8_t holes[PIECE];

    view_read_holes(view, quads, holes, quads.width);
    for (int32_t i = 0; i < count; i++)
        if (holes[x + i < last ? x + i - from : last - from])
            values[i] = NAN;
}

static void piece_row(struct writing *writing, int32_t j, int32_t x, int32_t count)
{
    const struct view *view = writing->rq->view;
    const struct export_window *window = &writing->window;
    const int32_t y = window->rect.y + (writing->first + j) * window->step;
    const int32_t step = window->step, skipped = x - window->rect.x;
    double codes[3][PIECE + 2], values[PIECE];
    double *to = writing->band + (size_t)j * (size_t)writing->columns;

    landform_read(view, (struct rect){ x - 1, y - 1, count + 2, 3 }, codes[0], PIECE + 2);
    landform_row(writing->answer->what, view_grid(view), codes[0], codes[1], codes[2], count,
                 values);
    if (!writing->asked->ignore_holes)
        cut_holes(view, y, x, count, values);
    for (int32_t i = (step - skipped % step) % step; i < count; i += step)
        to[(skipped + i) / step] =
            writing->answer->convert ? writing->answer->convert(values[i]) : values[i];
}

static void piece_run(void *context, size_t piece)
{
    struct writing *writing = context;
    const struct rect rect = writing->window.rect;
    const int32_t x = rect.x + (int32_t)piece * PIECE, left = rect.x + rect.width - x;

    for (int32_t j = 0; j < writing->some; j++)
        piece_row(writing, j, x, left < PIECE ? left : PIECE);
}

static bool row(void *context, int32_t j, double *values, struct fault *why)
{
    struct writing *writing = context;
    const size_t columns = (size_t)writing->columns;

    (void)why;
    if (j == writing->first + writing->some) {
        const int32_t left = export_rows(&writing->window) - j;

        writing->first = j;
        writing->some = left < BAND_ROWS ? left : BAND_ROWS;
        executor_run(writing->rq->service->executor,
                     (size_t)(writing->window.rect.width + PIECE - 1) / PIECE, piece_run, writing);
    }
    memcpy(values, writing->band + (size_t)(j - writing->first) * columns,
           columns * sizeof *values);
    return true;
}

static double shade(void *context, double value)
{
    const struct writing *writing = context;

    return writing->answer->shade((void *)(uintptr_t)writing->answer, value);
}

static bool window_of(struct request *rq, const struct landform_asked *asked,
                      struct export_window *window)
{
    return window_steps(rq, &asked->steps, view_rect(rq->view), window, &rq->fault);
}

bool landform_newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct export_window window;
    struct rect around;

    if (!window_of(rq, asked, &window))
        return false;
    around = (struct rect){ window.rect.x - 2, window.rect.y - 2, window.rect.width + 4,
                            window.rect.height + 4 };
    *version = view_newest(rq->view, rect_meet(around, view_rect(rq->view)));
    return true;
}

bool landform_write(struct request *rq, const struct landform_asked *asked,
                    const struct landform_answer *answer)
{
    struct writing writing = { .rq = rq, .asked = asked, .answer = answer };
    struct plain_raster raster = {
        .row = row, .shade = shade, .context = &writing, .members = answer->members
    };

    if (!window_of(rq, asked, &writing.window))
        return false;
    raster.window = writing.window;
    writing.columns = export_columns(&writing.window);
    writing.band = arena_new(rq->arena, (size_t)writing.columns * BAND_ROWS * sizeof *writing.band);
    if (!writing.band)
        return REFUSE(rq, FAULT_MEMORY, "no memory for rows of %d numbers", writing.columns);
    return plain_raster_write(rq, forms[rq->media_out], &raster);
}
