#include "api/rasters/plain_raster.h"

#include <math.h>
#include <string.h>

#include "api/json_write.h"
#include "terrain/format/png_write.h"

static uint8_t to_byte(double value)
{
    if (!(value > 0))
        return 0;
    return value >= 255 ? 255 : (uint8_t)floor(value + 0.5);
}

static void put_bytes(const struct plain_raster *raster, bool shaded, const double *values,
                      int32_t count, uint8_t *to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = to_byte(shaded && raster->shade && !isnan(values[i])
                            ? raster->shade(raster->context, values[i])
                            : values[i]);
}

/* Little-endian, whatever this machine is. */
static void put_little(uint64_t bits, int count, uint8_t *to)
{
    for (int k = 0; k < count; k++)
        to[k] = (uint8_t)(bits >> 8 * k);
}

static void put_floats(const double *values, int32_t count, uint8_t *to)
{
    for (int32_t i = 0; i < count; i++) {
        const float value = (float)values[i];
        uint32_t bits;

        memcpy(&bits, &value, sizeof bits);
        put_little(bits, 4, to + 4 * (size_t)i);
    }
}

static void put_doubles(const double *values, int32_t count, uint8_t *to)
{
    for (int32_t i = 0; i < count; i++) {
        uint64_t bits;

        memcpy(&bits, &values[i], sizeof bits);
        put_little(bits, 8, to + 8 * (size_t)i);
    }
}

static bool add_numbers(struct bytes *to, const double *values, int32_t count, struct fault *why)
{
    if (!bytes_reserve(to, (size_t)count * NUMBER_ROOM + 4, why))
        return false;
    for (int32_t i = 0; i < count; i++) {
        to->data[to->length++] = i ? ',' : '[';
        to->length += number_print(values[i], (char *)to->data + to->length);
    }
    to->data[to->length++] = ']';
    return true;
}

static bool write_json(struct request *rq, const struct plain_raster *raster, double *values)
{
    const struct export_window *window = &raster->window;
    const int32_t columns = export_columns(window), rows = export_rows(window);
    bool done = bytes_print(&rq->bytes, &rq->fault,
                            "{\"version\":%llu,\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d,"
                            "\"step\":%d,%s\"rows\":[",
                            (unsigned long long)rq->view->version, window->rect.x, window->rect.y,
                            window->rect.width, window->rect.height, window->step,
                            raster->members ? raster->members : "");

    for (int32_t j = 0; done && j < rows; j++)
        done = raster->row(raster->context, j, values, &rq->fault) &&
               (j == 0 || bytes_add(&rq->bytes, ",", 1, &rq->fault)) &&
               add_numbers(&rq->bytes, values, columns, &rq->fault);
    return done && bytes_add(&rq->bytes, "]}", 2, &rq->fault);
}

static bool write_binary(struct request *rq, enum plain_form form,
                         const struct plain_raster *raster, double *values)
{
    const int32_t columns = export_columns(&raster->window), rows = export_rows(&raster->window);
    const size_t each = form == PLAIN_R8 ? 1 : form == PLAIN_F32 ? 4 : 8;
    const size_t row = (size_t)columns * each;

    if (!bytes_reserve(&rq->bytes, row * (size_t)rows + 1, &rq->fault))
        return false;
    for (int32_t j = 0; j < rows; j++) {
        uint8_t *to = rq->bytes.data + rq->bytes.length;

        if (!raster->row(raster->context, j, values, &rq->fault))
            return false;
        if (form == PLAIN_R8)
            put_bytes(raster, false, values, columns, to);
        else if (form == PLAIN_F32)
            put_floats(values, columns, to);
        else
            put_doubles(values, columns, to);
        rq->bytes.length += row;
    }
    return true;
}

static bool write_png(struct request *rq, const struct plain_raster *raster, double *values)
{
    const int32_t columns = export_columns(&raster->window), rows = export_rows(&raster->window);
    uint8_t *pixels = arena_new(rq->arena, (size_t)columns);
    struct png_stream *stream;
    bool done = true;

    if (!pixels)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a row of %d pixels", columns);
    stream = png_open(PNG_GRAY8, columns, rows, &rq->bytes, &rq->fault);
    for (int32_t j = 0; stream && done && j < rows; j++) {
        done = raster->row(raster->context, j, values, &rq->fault);
        put_bytes(raster, true, values, done ? columns : 0, pixels);
        done = done && png_rows(stream, pixels, 1, &rq->fault);
    }
    png_close(stream);
    return stream && done;
}

bool plain_raster_write(struct request *rq, enum plain_form form, const struct plain_raster *raster)
{
    double *values = arena_new(rq->arena, (size_t)export_columns(&raster->window) * sizeof *values);

    if (!values)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a row of numbers");
    return form == PLAIN_JSON  ? write_json(rq, raster, values)
           : form == PLAIN_PNG ? write_png(rq, raster, values)
                               : write_binary(rq, form, raster, values);
}
