#include "terrain/format/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/decode.h"
#include "terrain/format/export_grid.h"
#include "terrain/format/png_write.h"

enum { BAND_ROWS = 64 }; /* written at once */

int32_t export_columns(const struct export_window *window)
{
    return (window->rect.width + window->step - 1) / window->step;
}

int32_t export_rows(const struct export_window *window)
{
    return (window->rect.height + window->step - 1) / window->step;
}

struct rect export_data_rect(const struct settings *settings)
{
    return (struct rect){ 0, 0, settings->grid.columns - settings->padded[0],
                          settings->grid.rows - settings->padded[1] };
}

void export_codes(const struct view *view, const struct export_window *window, int32_t j,
                  uint16_t *codes, uint16_t *scratch)
{
    struct rect row = { window->rect.x, window->rect.y + j * window->step, window->rect.width, 1 };
    int32_t columns = export_columns(window);

    if (window->step == 1) {
        view_read_heights(view, row, codes, row.width);
        return;
    }
    view_read_heights(view, row, scratch, row.width);
    for (int32_t i = 0; i < columns; i++)
        codes[i] = scratch[i * window->step];
}

static void swap_to_little(uint16_t *codes, size_t count)
{
    const uint16_t one = 1;

    if (*(const unsigned char *)&one == 0)
        for (size_t i = 0; i < count; i++)
            codes[i] = (uint16_t)(codes[i] << 8 | codes[i] >> 8);
}

/* Rows of codes, and what a format makes of a band of them. */
struct band {
    const struct view *view;
    const struct export_window *window;
    uint16_t *codes, *scratch;
};

static bool band_init(struct band *band, const struct view *view,
                      const struct export_window *window, struct fault *why)
{
    size_t columns = (size_t)export_columns(window);

    *band = (struct band){ view, window, malloc(BAND_ROWS * columns * sizeof(uint16_t)),
                           malloc((size_t)window->rect.width * sizeof(uint16_t)) };
    if (band->codes && band->scratch)
        return true;
    return fault_set(why, FAULT_MEMORY, "no memory for %zu columns of heights", columns);
}

static void band_fini(struct band *band)
{
    free(band->codes);
    free(band->scratch);
}

/* Fills it from row j on; how many rows it holds. */
static int32_t band_read(struct band *band, int32_t j)
{
    int32_t columns = export_columns(band->window), rows = export_rows(band->window) - j;
    const struct export_window *window = band->window;

    rows = rows < BAND_ROWS ? rows : BAND_ROWS;
    if (window->step == 1) {
        struct rect all = { window->rect.x, window->rect.y + j, window->rect.width, rows };

        view_read_heights(band->view, all, band->codes, columns);
        return rows;
    }
    for (int32_t i = 0; i < rows; i++)
        export_codes(band->view, window, j + i, band->codes + (size_t)i * (size_t)columns,
                     band->scratch);
    return rows;
}

static bool write_r16(struct band *band, struct bytes *to, struct fault *why)
{
    size_t columns = (size_t)export_columns(band->window);
    int32_t rows = export_rows(band->window), some;

    if (!bytes_reserve(to, columns * (size_t)rows * sizeof(uint16_t), why))
        return false;
    for (int32_t j = 0; j < rows; j += some) {
        some = band_read(band, j);
        swap_to_little(band->codes, columns * (size_t)some);
        if (!bytes_add(to, band->codes, columns * (size_t)some * sizeof(uint16_t), why))
            return false;
    }
    return true;
}

static bool write_png(struct band *band, struct bytes *to, struct fault *why)
{
    int32_t columns = export_columns(band->window), rows = export_rows(band->window), some;
    struct png_stream *stream;
    bool done = true;

    if (rows <= BAND_ROWS) {
        band_read(band, 0);
        return png_write(PNG_GRAY16, columns, rows, band->codes, PNG_SMALL, to, why);
    }
    stream = png_open(PNG_GRAY16, columns, rows, to, why);
    if (!stream)
        return false;
    for (int32_t j = 0; done && j < rows; j += some) {
        some = band_read(band, j);
        done = png_rows(stream, band->codes, some, why);
    }
    png_close(stream);
    return done;
}

/* Metres of every code: most landscapes have more vertices than there are codes. */
static float *metres_table(const struct view *view, struct fault *why)
{
    float *metres = malloc(65536 * sizeof *metres);

    if (!metres)
        fault_set(why, FAULT_MEMORY, "no memory for a table of heights");
    for (int32_t code = 0; metres && code < 65536; code++)
        metres[code] = (float)grid_metres(view_grid(view), code);
    return metres;
}

static void store_little(const float *metres, size_t count, unsigned char *to)
{
    for (size_t i = 0; i < count; i++, to += 4) {
        uint32_t bits;

        memcpy(&bits, &metres[i], sizeof bits);
        to[0] = (unsigned char)bits;
        to[1] = (unsigned char)(bits >> 8);
        to[2] = (unsigned char)(bits >> 16);
        to[3] = (unsigned char)(bits >> 24);
    }
}

static bool write_f32(struct band *band, struct bytes *to, struct fault *why)
{
    size_t columns = (size_t)export_columns(band->window);
    int32_t rows = export_rows(band->window), some;
    float *table = metres_table(band->view, why);
    float *row = malloc(columns * sizeof *row);
    bool done = table && bytes_reserve(to, columns * (size_t)rows * sizeof(float), why);

    if (done && !row)
        done = fault_set(why, FAULT_MEMORY, "no memory for a row of heights");
    for (int32_t j = 0; done && j < rows; j += some) {
        some = band_read(band, j);
        for (int32_t k = 0; k < some; k++, to->length += columns * sizeof(float)) {
            for (size_t i = 0; i < columns; i++)
                row[i] = table[band->codes[(size_t)k * columns + i]];
            store_little(row, columns, to->data + to->length);
        }
    }
    free(table);
    free(row);
    return done;
}

static void read_metres(struct band *band, const float *table, uint8_t *scratch, float *metres)
{
    int32_t columns = export_columns(band->window), rows = export_rows(band->window);
    uint8_t *voids = scratch + 2 * ((size_t)band->window->rect.width + 1);
    int32_t some;

    for (int32_t j = 0; j < rows; j += some) {
        some = band_read(band, j);
        for (int32_t k = 0; k < some; k++) {
            float *to = metres + (size_t)(j + k) * (size_t)columns;

            export_voids(band->view, band->window, j + k, voids, scratch);
            for (int32_t i = 0; i < columns; i++)
                to[i] = voids[i] ? NAN : table[band->codes[(size_t)k * (size_t)columns + i]];
        }
    }
}

static bool write_tiff(struct band *band, struct worker_pool *decoders, struct bytes *to,
                       struct fault *why)
{
    const struct settings *settings = band->view->settings;
    struct raster *raster = calloc(1, sizeof *raster);
    struct raster_limits none = { INT32_MAX, INT64_MAX };
    float *table = metres_table(band->view, why), *metres = NULL;
    uint8_t *scratch = malloc(3 * ((size_t)band->window->rect.width + 1));
    struct export_grid grid;
    bool done = false;

    if (!raster || !table || !scratch) {
        fault_set(why, FAULT_MEMORY, "no memory for a GeoTIFF");
        goto done;
    }
    metres = raster_take(raster, &raster_heap, &none, RASTER_FLOATS, export_columns(band->window),
                         export_rows(band->window), why);
    if (!metres)
        goto done;
    export_grid_of(band->view, band->window, &grid);
    read_metres(band, table, scratch, metres);
    raster->stepped = true;
    raster->west = grid.west;
    raster->north = grid.north;
    raster->step_x = grid.step_x;
    raster->step_y = grid.step_y;
    if (settings->placed)
        memcpy(raster->crs, settings->crs, sizeof settings->crs);
    done = decode_tiff(decoders, raster, grid.nodata, to, why);

done:
    if (raster)
        raster_free(raster);
    free(raster);
    free(table);
    free(scratch);
    return done;
}

bool export_write(const struct view *view, const struct export_window *window,
                  enum export_format format, struct worker_pool *decoders, struct bytes *to,
                  struct fault *why)
{
    struct band band;
    bool done = false;

    if (format == EXPORT_ASC)
        return export_asc(view, window, to, why);
    if (band_init(&band, view, window, why))
        done = format == EXPORT_R16     ? write_r16(&band, to, why)
               : format == EXPORT_PNG16 ? write_png(&band, to, why)
               : format == EXPORT_F32   ? write_f32(&band, to, why)
                                        : write_tiff(&band, decoders, to, why);
    band_fini(&band);
    return done;
}
