/* Shadows, by following the sun's light over the ground.
 *
 * Parallel lines are laid over the samples, one for each sample across, and walked away from the
 * sun. Along each the height below which the sun is hidden sinks as the light falls, and is raised
 * by ground that reaches above it. So a sample costs the same however long shadows are. Ground far
 * towards the sun is walked at coarser levels, each for as many samples: there a sample looks no
 * wider than the sun's disc.
 *
 * The sun is a disc: heights are followed for its lower edge, above which all of it is seen, and
 * for its upper one, below which none is. */
#include <math.h>
#include <stdlib.h>

#include "render/samples.h"
#include "render/shade.h"
#include "terrain/base/angle.h"
#include "terrain/base/wide.h"
#include "terrain/lod/camera.h"

enum {
    BAND_ROWS = 128,       /* walked at a level before the next */
    BAND_LEVEL_COARSE = 5, /* the last: a sample of it takes as long as many cells */
    BANDS_MOST = TILE_LEVEL_MOST + 1,
    CHUNK_ROWS = 16, /* read at once */
    LINES_MOST = 2 * TILE_SIDE + 8
};

static const double disc_radius = 0.265;   /* degrees */
static const float nothing = -1e9f;        /* codes: below all ground */
static const double softest_samples = 1.0; /* an edge is at least so wide */

static double tangent(double degrees)
{
    return angle_sin(degrees) / angle_cos(degrees);
}

struct shade_sun shade_sun_of(const struct grid *grid, double azimuth, double elevation)
{
    double towards[3], east, south, flat, metre = 128 / grid->scale[2];
    double above = fmax(elevation, SHADE_ELEVATION_LEAST);
    struct shade_sun sun;

    camera_direction(azimuth, 0, towards);
    east = towards[0] / grid->scale[0];
    south = towards[1] / grid->scale[1];
    sun.east_west = fabs(east) > fabs(south);
    sun.mirrored = (sun.east_west ? east : south) < 0;
    flat = fabs(sun.east_west ? east : south);
    sun.slant = (sun.east_west ? south : east) / flat;
    /* Near the zenith the upper edge is beyond it; there no ground is so steep anyway. */
    sun.low = tangent(above - disc_radius) * metre / flat;
    sun.high = tangent(fmin(above + disc_radius, 89.9)) * metre / flat;
    return sun;
}

/* Samples of one level that are walked: rows `from` down to `to`, counted towards the sun. */
struct band {
    int32_t level, from, to;
    int32_t line, lines; /* the first line and how many there are */
};

struct walk {
    const struct view *view;
    const struct shade_sun *sun;
    float low[LINES_MOST], high[LINES_MOST];
    float heights[LINES_MOST + 1]; /* of a row, from the first line's place on it */
    uint16_t chunk[CHUNK_ROWS * (LINES_MOST + CHUNK_ROWS + 2)];
    struct rect chunk_samples;
};

static int32_t even_above(int32_t number)
{
    return number + (number & 1);
}

/* Lines of the tile's own level, those between and the first. */
struct lines {
    int32_t first, end;
};

static struct lines all_lines(const struct shade_sun *sun, int32_t first_row, int32_t first_column)
{
    int32_t last_row = first_row + TILE_SIDE - 1;
    double least = fmin(sun->slant * first_row, sun->slant * last_row);
    double most = fmax(sun->slant * first_row, sun->slant * last_row);

    return (struct lines){ (int32_t)floor(first_column - most) - 1,
                           (int32_t)ceil(first_column + TILE_SIDE - least) + 1 };
}

/* The tile's own rows and those of its own level before them, then the bands behind, `reach`
 * vertices far; how many. */
static int plan_bands(const struct shade_sun *sun, int32_t level, int32_t first_row,
                      struct lines lines, double reach, struct band bands[BANDS_MOST])
{
    int32_t last_row = first_row + TILE_SIDE - 1;
    double end = ((double)last_row + 1) * (1 << level) + reach; /* vertices */
    int32_t line = lines.first, line_end = lines.end, to = first_row;
    int32_t from = even_above(last_row + 1 + BAND_ROWS);
    int count = 0;

    for (;;) {
        double rows = ceil(end / (1 << level)) + 1;
        bool last = rows <= from || level >= BAND_LEVEL_COARSE;

        from = last ? (int32_t)fmax(rows, to + 1) : from;
        bands[count++] = (struct band){ level, from, to, line, line_end - line };
        if (last)
            return count;
        /* Line j of a level lies at j / 2 + (slant - 1) / 4 of the next. */
        line = (int32_t)floor(line * 0.5 + (sun->slant - 1) / 4) - 1;
        line_end = (int32_t)ceil(line_end * 0.5 + (sun->slant - 1) / 4) + 2;
        to = from / 2;
        from = even_above(to + BAND_ROWS);
        level++;
    }
}

/* The samples of rows [to, from) where columns [left, right) are asked for. */
static struct rect samples_of(const struct shade_sun *sun, int32_t to, int32_t from, int32_t left,
                              int32_t right)
{
    int32_t first = sun->mirrored ? -from : to;

    return sun->east_west ? (struct rect){ first, left, from - to, right - left }
                          : (struct rect){ left, first, right - left, from - to };
}

/* The next rows, as far as there are any. */
static bool read_chunk(struct walk *walk, const struct band *band, int32_t row)
{
    const struct shade_sun *sun = walk->sun;
    int32_t to = row - CHUNK_ROWS + 1 > band->to ? row - CHUNK_ROWS + 1 : band->to;
    int32_t a = (int32_t)floor(sun->slant * row), b = (int32_t)floor(sun->slant * to);
    int32_t left = band->line + (a < b ? a : b);
    int32_t right = band->line + band->lines + 1 + (a < b ? b : a);

    walk->chunk_samples = rect_meet(samples_of(sun, to, row + 1, left, right),
                                    shade_samples(walk->view, band->level));
    return rect_empty(walk->chunk_samples) ||
           samples_heights(walk->view, band->level, walk->chunk_samples, walk->chunk,
                           walk->chunk_samples.width);
}

WIDE static void take_values(const uint16_t *restrict codes, int32_t count, float *restrict heights)
{
    for (int32_t i = 0; i < count; i++)
        heights[i] = codes[i];
}

/* The heights of a row, one more than there are lines; nothing where there is no landscape. False
 * when there is none at all. */
static bool take_row(struct walk *walk, const struct band *band, int32_t row)
{
    const struct rect *chunk = &walk->chunk_samples;
    bool east_west = walk->sun->east_west;
    int32_t column = band->line + (int32_t)floor(walk->sun->slant * row);
    int32_t main = walk->sun->mirrored ? -1 - row : row;
    int32_t main_at = main - (east_west ? chunk->x : chunk->y);
    int32_t from = (east_west ? chunk->y : chunk->x) - column;
    int32_t until = from + (east_west ? chunk->height : chunk->width);
    int32_t across = east_west ? chunk->width : 1, along = east_west ? 1 : chunk->width;
    int32_t first, end;
    const uint16_t *at;

    if (rect_empty(*chunk) || main_at < 0 || main_at >= (east_west ? chunk->width : chunk->height))
        return false;
    at = walk->chunk + main_at * along;
    first = from < 0 ? 0 : from > band->lines + 1 ? band->lines + 1 : from;
    end = until > band->lines + 1 ? band->lines + 1 : until < first ? first : until;
    for (int32_t i = 0; i < first; i++)
        walk->heights[i] = nothing;
    if (across == 1)
        take_values(at + first - from, end - first, walk->heights + first);
    else
        for (int32_t i = first; i < end; i++)
            walk->heights[i] = at[(i - from) * across];
    for (int32_t i = end; i <= band->lines; i++)
        walk->heights[i] = nothing;
    return true;
}

/* A row further from the sun: the ground there may hide more of it. */
WIDE static void pass_row(float *restrict low, float *restrict high, const float *restrict heights,
                          float part, float low_drop, float high_drop, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float height = heights[i] + (heights[i + 1] - heights[i]) * part;

        low[i] = (low[i] > height ? low[i] : height) - low_drop;
        high[i] = (high[i] > height ? high[i] : height) - high_drop;
    }
}

/* What each of so many samples sees, the lines to both sides of the first given. */
WIDE static void see_row(const float *restrict low, const float *restrict high,
                         const float *restrict heights, float part, float softest, int32_t count,
                         uint8_t *restrict shares)
{
    for (int32_t i = 0; i < count; i++) {
        float lower = low[i + 1] + (low[i] - low[i + 1]) * part;
        float upper = high[i + 1] + (high[i] - high[i + 1]) * part;
        float width = lower - upper > softest ? lower - upper : softest;
        float seen = 1 - (lower - heights[i]) / width;

        seen = seen < 0 ? 0 : seen > 1 ? 1 : seen;
        shares[i] = (uint8_t)(255 * seen * seen * (3 - 2 * seen) + 0.5f);
    }
}

/* From lines of a level to those of the one below it, and up to its first row, half one of its
 * own nearer to the sun. */
static void refine(struct walk *walk, const struct band *coarse, const struct band *fine)
{
    float low[LINES_MOST], high[LINES_MOST];
    double up = 0.5 * (1 << fine->level);

    for (int32_t i = 0; i < fine->lines; i++) {
        double at = (fine->line + i) * 0.5 + (walk->sun->slant - 1) / 4;
        int32_t line = (int32_t)floor(at), whole = line - coarse->line;
        float part = (float)(at - line);

        low[i] = walk->low[whole] + (walk->low[whole + 1] - walk->low[whole]) * part +
                 (float)(up * walk->sun->low);
        high[i] = walk->high[whole] + (walk->high[whole + 1] - walk->high[whole]) * part +
                  (float)(up * walk->sun->high);
    }
    for (int32_t i = 0; i < fine->lines; i++) {
        walk->low[i] = low[i];
        walk->high[i] = high[i];
    }
}

/* Where the samples of a row go in a tile, and how far apart. */
static uint8_t *row_shares(const struct shade_sun *sun, int32_t row, int32_t x, int32_t y,
                           uint8_t *shares, int32_t *apart)
{
    int32_t main = sun->mirrored ? -1 - row : row;

    *apart = 2 * (sun->east_west ? TILE_SIDE : 1);
    return shares + (sun->east_west ? 2 * (main - (x * 128 - TILE_MARGIN))
                                    : 2 * TILE_SIDE * (main - (y * 128 - TILE_MARGIN)));
}

/* Those samples of a row that are on the lines which are walked. */
static void see(const struct walk *walk, const struct band *band, int32_t row, int32_t x, int32_t y,
                uint8_t *shares)
{
    const struct shade_sun *sun = walk->sun;
    double aside = sun->slant * row;
    int32_t whole = (int32_t)floor(aside), apart, first, end;
    int32_t at = (sun->east_west ? y : x) * 128 - TILE_MARGIN - whole - band->line;
    double softest = (sun->low + sun->high) / 2 * (1 << band->level) * softest_samples;
    uint8_t seen[TILE_SIDE], *to = row_shares(sun, row, x, y, shares, &apart);

    first = at < 1 ? 1 - at : 0;
    end = band->lines - at < TILE_SIDE ? band->lines - at : TILE_SIDE;
    if (end <= first)
        return;
    at += first;
    see_row(walk->low + at - 1, walk->high + at - 1, walk->heights + at, (float)(aside - whole),
            (float)softest, end - first, seen);
    for (int32_t i = first; i < end; i++)
        to[i * apart] = seen[i - first];
}

/* Rows before `seen_end` are the tile's. */
static bool walk_band(struct walk *walk, const struct band *band, int32_t seen_end, int32_t x,
                      int32_t y, uint8_t *shares)
{
    const struct shade_sun *sun = walk->sun;
    int32_t step = 1 << band->level;
    float low_drop = (float)(sun->low * step), high_drop = (float)(sun->high * step);

    for (int32_t row = band->from - 1; row >= band->to; row--) {
        double aside = sun->slant * row;

        if ((band->from - 1 - row) % CHUNK_ROWS == 0 && !read_chunk(walk, band, row))
            return false;
        if (!take_row(walk, band, row))
            for (int32_t i = 0; i <= band->lines; i++)
                walk->heights[i] = nothing;
        if (row < seen_end)
            see(walk, band, row, x, y, shares);
        pass_row(walk->low, walk->high, walk->heights, (float)(aside - floor(aside)), low_drop,
                 high_drop, band->lines);
    }
    return true;
}

/* Bounds of whole blocks are known without a look into them. */
static struct rect whole_blocks(struct rect rect)
{
    int32_t right = (rect.x + rect.width + BLOCK_MASK) & ~BLOCK_MASK;
    int32_t bottom = (rect.y + rect.height + BLOCK_MASK) & ~BLOCK_MASK;
    int32_t left = rect.x & ~BLOCK_MASK, top = rect.y & ~BLOCK_MASK;

    return (struct rect){ left, top, right - left, bottom - top };
}

/* No height of the samples is lower. */
static int32_t lowest(const struct view *view, int32_t level, struct rect samples)
{
    struct rect here = rect_meet(samples_reach(level, samples), view_rect(view));

    return tree_bounds(&view->planes[PLANE_HEIGHTS], whole_blocks(here)).least;
}

static int32_t highest(const struct view *view)
{
    return view->planes[PLANE_HEIGHTS].root.summary.greatest;
}

/* Vertices towards the sun beyond which nothing is, or is high enough to matter to these where no
 * height is greater than `high`. */
static double reach_of(const struct view *view, const struct shade_sun *sun, int32_t level,
                       struct rect samples, int32_t high)
{
    const struct grid *grid = view_grid(view);
    int32_t side = sun->east_west ? grid->columns : grid->rows;
    struct rect here = samples_reach(level, samples);
    int32_t low = lowest(view, level, samples);
    int32_t first = sun->east_west ? here.x : here.y;
    double edge = sun->mirrored ? first : side - first - (TILE_SIDE << level);

    return fmax(fmin(edge, high > low ? (high - low) / sun->low : 0), 0);
}

static int32_t first_row(const struct shade_sun *sun, struct rect samples)
{
    int32_t first = sun->east_west ? samples.x : samples.y;

    return sun->mirrored ? -first - TILE_SIDE : first;
}

/* Samples that there are not see what the nearest one does. */
static void repeat_border(struct rect tile, struct rect there, uint8_t *shares)
{
    struct rect inside = rect_meet(tile, there);

    if (inside.width == tile.width && inside.height == tile.height)
        return;
    for (int32_t row = 0; row < TILE_SIDE; row++)
        for (int32_t i = 0; i < TILE_SIDE; i++) {
            int32_t x = shade_nearest(inside.x, inside.width, tile.x + i) - tile.x;
            int32_t y = shade_nearest(inside.y, inside.height, tile.y + row) - tile.y;

            shares[2 * (row * TILE_SIDE + i)] =
                rect_empty(inside) ? 255 : shares[2 * (y * TILE_SIDE + x)];
        }
}

static bool walk_lines(const struct view *view, const struct shade_sun *sun, int32_t level,
                       int32_t x, int32_t y, struct lines lines, uint8_t *shares)
{
    struct rect samples = tile_samples(x, y);
    struct walk *walk = malloc(sizeof *walk);
    struct band bands[BANDS_MOST];
    int32_t row = first_row(sun, samples);
    int count;
    bool made = walk;

    if (!walk)
        return false;
    walk->view = view;
    walk->sun = sun;
    for (int i = 0; i < LINES_MOST; i++)
        walk->low[i] = walk->high[i] = nothing;
    count = plan_bands(sun, level, row, lines, reach_of(view, sun, level, samples, highest(view)),
                       bands);
    for (int i = count - 1; made && i >= 0; i--) {
        if (i < count - 1)
            refine(walk, &bands[i + 1], &bands[i]);
        made = walk_band(walk, &bands[i], i == 0 ? row + TILE_SIDE : bands[i].to, x, y, shares);
    }
    if (made)
        repeat_border(samples, shade_samples(view, level), shares);
    free(walk);
    return made;
}

static struct lines tile_lines(const struct shade_sun *sun, struct rect samples)
{
    return all_lines(sun, first_row(sun, samples), sun->east_west ? samples.y : samples.x);
}

bool shade_sun_make(const struct view *view, const struct shade_sun *sun, int32_t level, int32_t x,
                    int32_t y, uint8_t *shares)
{
    return walk_lines(view, sun, level, x, y, tile_lines(sun, tile_samples(x, y)), shares);
}

/* The vertices of a band's samples, and those that the means of a coarse one may lie in. */
static struct rect band_rect(const struct shade_sun *sun, const struct band *band)
{
    double a = sun->slant * band->to, b = sun->slant * band->from;
    int32_t left = band->line + (int32_t)floor(fmin(a, b)) - 1;
    int32_t right = band->line + band->lines + (int32_t)ceil(fmax(a, b)) + 2;
    struct rect samples = samples_of(sun, band->to, band->from + 1, left, right);

    return samples_reach(band->level, samples);
}

uint64_t shade_sun_newest(const struct view *view, const struct shade_sun *sun, int32_t level,
                          struct rect samples)
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    double reach = reach_of(view, sun, level, samples, highest(view));
    struct band bands[BANDS_MOST];
    int32_t row = first_row(sun, samples);
    int count = plan_bands(sun, level, row, tile_lines(sun, samples), reach, bands);
    double low = lowest(view, level, samples);
    uint64_t newest = 0;

    for (int i = 0; i < count; i++) {
        struct rect over = whole_blocks(rect_meet(band_rect(sun, &bands[i]), view_rect(view)));
        double away = i == 0 ? 0
                             : (double)(bands[i].to - 1) * (1 << bands[i].level) -
                                   (double)(row + TILE_SIDE) * (1 << level);
        uint64_t there = rect_empty(over) ? 0 : tree_newest(tree, over);

        if (there > newest && tree_bounds(tree, over).greatest - away * sun->low >= low)
            newest = there;
    }
    return newest;
}

/* Vertices towards the sun at which a rectangle begins. */
static int32_t begins(const struct shade_sun *sun, struct rect over)
{
    int32_t first = sun->east_west ? over.x : over.y;

    return sun->mirrored ? -first - (sun->east_west ? over.width : over.height) : first;
}

/* Whether a band has a sample of the rectangle, or one beside it. */
static bool band_meets(const struct shade_sun *sun, const struct band *band, struct rect over)
{
    double step = 1 << band->level, across = sun->east_west ? over.y : over.x;
    double far = across + (sun->east_west ? over.height : over.width);
    double along = sun->east_west ? over.width : over.height;
    double first = fmax(floor(begins(sun, over) / step) - 1, band->to);
    double last = fmin(ceil((begins(sun, over) + along) / step) + 1, band->from);
    double a = sun->slant * first, b = sun->slant * last;

    return first <= last && floor(across / step) - 2 - fmax(a, b) <= band->line + band->lines + 1 &&
           ceil(far / step) + 2 - fmin(a, b) >= band->line;
}

/* The coarsest level at which a change is in the way of a tile's light; -1: at none. */
static int32_t level_touched(const struct view *view, const struct shade_sun *sun, int32_t level,
                             struct rect samples, const struct view_change *change)
{
    int32_t high = highest(view) > change->greatest ? highest(view) : change->greatest;
    int32_t row = first_row(sun, samples), touched = -1;
    double end = (double)(row + TILE_SIDE) * (1 << level), low = lowest(view, level, samples);
    struct band bands[BANDS_MOST];
    int count = plan_bands(sun, level, row, tile_lines(sun, samples),
                           reach_of(view, sun, level, samples, high), bands);

    for (int i = 0; i < count; i++) {
        double away = fmax(begins(sun, change->over) - (2 << bands[i].level) - end, 0);

        if (change->greatest - away * sun->low >= low && band_meets(sun, &bands[i], change->over))
            touched = bands[i].level;
    }
    return touched;
}

bool shade_sun_touched(const struct view *view, const struct shade_sun *sun, int32_t level,
                       struct rect samples, const struct view_change *change)
{
    return level_touched(view, sun, level, samples, change) >= 0;
}

/* Lines of the tile's level on which a change lies, as seen by samples of up to the coarsest level
 * that has it. */
static struct lines lines_over(const struct shade_sun *sun, int32_t level, int32_t coarsest,
                               struct rect over)
{
    double step = 1 << level, more = 3 << (coarsest - level);
    double along = sun->east_west ? over.width : over.height;
    double first = floor(begins(sun, over) / step) - more;
    double last = ceil((begins(sun, over) + along) / step) + more;
    double across = sun->east_west ? over.y : over.x;
    double far = across + (sun->east_west ? over.height : over.width);
    double a = sun->slant * first, b = sun->slant * last;

    return (struct lines){ (int32_t)(floor(across / step) - more - fmax(a, b)) - 2,
                           (int32_t)(ceil(far / step) + more - fmin(a, b)) + 3 };
}

bool shade_sun_mend(const struct view *view, const struct shade_sun *sun, int32_t level, int32_t x,
                    int32_t y, const struct view_change *changes, int count, uint8_t *shares)
{
    struct rect samples = tile_samples(x, y);
    struct lines all = tile_lines(sun, samples), some = { all.end, all.first };

    for (int i = 0; i < count; i++) {
        int32_t coarsest = rect_empty(changes[i].over)
                               ? -1
                               : level_touched(view, sun, level, samples, &changes[i]);
        struct lines lines;

        if (coarsest < 0)
            continue;
        lines = lines_over(sun, level, coarsest, changes[i].over);
        some.first = lines.first < some.first ? lines.first : some.first;
        some.end = lines.end > some.end ? lines.end : some.end;
    }
    some.first = some.first > all.first ? some.first : all.first;
    some.end = some.end < all.end ? some.end : all.end;
    return some.end <= some.first || walk_lines(view, sun, level, x, y, some, shares);
}
