#include "api/rasters/rows_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/json_scan.h"
#include "api/number.h"

static bool write_row(const struct grid *grid, const uint16_t *codes, int32_t count,
                      struct bytes *to, struct fault *why)
{
    if (!bytes_reserve(to, (size_t)count * NUMBER_ROOM + 4, why))
        return false;
    for (int32_t i = 0; i < count; i++) {
        to->data[to->length++] = i ? ',' : '[';
        to->length += number_print(grid_metres(grid, codes[i]), (char *)to->data + to->length);
    }
    to->data[to->length++] = ']';
    return true;
}

bool rows_json_write(const struct view *view, const struct export_window *window, struct bytes *to,
                     struct fault *why)
{
    int32_t columns = export_columns(window), rows = export_rows(window);
    uint16_t *codes = malloc((size_t)window->rect.width * 2 * sizeof *codes);
    bool done;

    if (!codes)
        return fault_set(why, FAULT_MEMORY, "no memory for a row of %d heights", columns);
    done = bytes_print(
        to, why, "{\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d,\"step\":%d,\"rows\":[",
        window->rect.x, window->rect.y, window->rect.width, window->rect.height, window->step);
    for (int32_t j = 0; done && j < rows; j++) {
        export_codes(view, window, j, codes, codes + window->rect.width);
        done = (j == 0 || bytes_add(to, ",", 1, why)) &&
               write_row(view_grid(view), codes, columns, to, why);
    }
    free(codes);
    return done && bytes_add(to, "]}", 2, why);
}

/* Numbers as they come; how many there will be is not known before. */
struct numbers {
    double *values;
    size_t count, room;
    struct arena *arena;
};

static bool numbers_add(struct numbers *numbers, double value, struct fault *why)
{
    if (numbers->count == numbers->room) {
        size_t room = numbers->room ? 2 * numbers->room : 4096;
        double *values = arena_new(numbers->arena, room * sizeof *values);

        if (!values)
            return fault_set(why, FAULT_LIMIT,
                             "more than %zu heights are too many for JSON; send "
                             "application/x-f32 or application/x-r16",
                             numbers->count);
        if (numbers->count)
            memcpy(values, numbers->values, numbers->count * sizeof *values);
        numbers->values = values;
        numbers->room = room;
    }
    numbers->values[numbers->count++] = value;
    return true;
}

static bool read_row(struct scan *scan, struct numbers *numbers, struct fault *why)
{
    size_t before = numbers->count;
    bool first = true, more;

    if (!scan_open(scan, '[', why))
        return false;
    for (;;) {
        double value;

        if (!scan_more(scan, ']', &first, &more, why))
            return false;
        if (!more)
            return true;
        if (!scan_number(scan, &value, why))
            return fault_at(why, "/%zu", numbers->count - before);
        if (!numbers_add(numbers, value, why))
            return false;
    }
}

static bool read_rows(struct scan *scan, struct rows_json *rows, struct fault *why)
{
    struct numbers numbers = { .arena = scan->arena };
    size_t width = 0, count = 0;
    bool first = true, more;

    if (!scan_open(scan, '[', why))
        return false;
    for (;; count++) {
        size_t before = numbers.count;

        if (!scan_more(scan, ']', &first, &more, why))
            return false;
        if (!more)
            break;
        if (!read_row(scan, &numbers, why))
            return fault_within(why, "/%zu", count);
        width = count == 0 ? numbers.count : width;
        if (numbers.count - before != width) {
            fault_set(why, FAULT_INPUT, "the row has %zu heights where the first has %zu",
                      numbers.count - before, width);
            return fault_at(why, "/%zu", count);
        }
    }
    if (width == 0 || count == 0 || width > INT32_MAX || count > INT32_MAX)
        return fault_set(why, FAULT_INPUT, "there must be at least one row of one height");
    rows->metres = numbers.values;
    rows->width = (int32_t)width;
    rows->height = (int32_t)count;
    return true;
}

static const char *const names[] = { "x", "y", "width", "height", "step", "rows" };
enum { NAME_STEP = 4, NAME_ROWS = 5, NAMES = 6 };

static int name_index(const struct slice *name)
{
    for (int i = 0; i < NAMES; i++)
        if (strlen(names[i]) == name->length && memcmp(names[i], name->text, name->length) == 0)
            return i;
    return -1;
}

static bool read_whole(struct scan *scan, double *value, struct fault *why)
{
    if (!scan_number(scan, value, why))
        return false;
    if (*value >= 0 && *value <= 65536 && *value == floor(*value))
        return true;
    return fault_set(why, FAULT_INPUT, "%.9g is not a whole number from 0 to 65536", *value);
}

static bool read_member(struct scan *scan, struct rows_json *rows, double numbers[NAMES],
                        struct fault *why)
{
    struct slice name;
    int which;

    if (!scan_text(scan, &name, why))
        return false;
    which = name_index(&name);
    if (which < 0)
        return fault_set(why, FAULT_INPUT,
                         "unknown member \"%.*s\"; heights have x, y, width, height, step and "
                         "rows",
                         (int)(name.length < 64 ? name.length : 64), name.text);
    if (numbers[which] >= 0) {
        fault_set(why, FAULT_INPUT, "the member %s stands twice", names[which]);
        return fault_at(why, "/%s", names[which]);
    }
    numbers[which] = 0;
    if (!scan_expect(scan, ':', why))
        return false;
    return (which == NAME_ROWS ? read_rows(scan, rows, why)
                               : read_whole(scan, &numbers[which], why)) ||
           fault_within(why, "/%s", names[which]);
}

/* What the body says beside its rows has to agree with them. */
static bool agree(struct rows_json *rows, const double numbers[NAMES], struct fault *why)
{
    const int32_t sizes[2] = { rows->width, rows->height };

    for (int i = 0; i < 2; i++)
        if (numbers[2 + i] >= 0 && (int32_t)numbers[2 + i] != sizes[i]) {
            fault_set(why, FAULT_INPUT, "%s is %.9g, but the rows say %d", names[2 + i],
                      numbers[2 + i], sizes[i]);
            return fault_at(why, "/%s", names[2 + i]);
        }
    if (numbers[NAME_STEP] >= 0 && numbers[NAME_STEP] != 1) {
        fault_set(why, FAULT_INPUT, "heights are written at every vertex; step must be 1, not %.9g",
                  numbers[NAME_STEP]);
        return fault_at(why, "/step");
    }
    rows->x = (int32_t)numbers[0];
    rows->y = (int32_t)numbers[1];
    return true;
}

bool rows_json_read(const char *text, size_t length, struct arena *arena, struct rows_json *rows,
                    struct fault *why)
{
    double numbers[NAMES] = { -1, -1, -1, -1, -1, -1 };
    struct scan scan;
    bool first = true, more = true;

    *rows = (struct rows_json){ 0 };
    if (!scan_begin(&scan, text, length, arena, why) || !scan_open(&scan, '{', why))
        return false;
    while (more) {
        if (!scan_more(&scan, '}', &first, &more, why))
            return false;
        if (more && !read_member(&scan, rows, numbers, why))
            return false;
    }
    if (!scan_end(&scan, why))
        return false;
    if (!rows->metres) {
        fault_set(why, FAULT_INPUT, "the rows of heights are missing");
        return fault_at(why, "/rows");
    }
    return agree(rows, numbers, why);
}
