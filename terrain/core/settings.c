#include "terrain/core/settings.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/field.h"
#include "terrain/base/form.h"

struct settings *settings_new(const struct layout *layout)
{
    struct settings *settings = calloc(1, sizeof *settings);

    if (!settings)
        return NULL;
    atomic_init(&settings->holders, 1);
    settings->stack = stack_new();
    if (!settings->stack) {
        free(settings);
        return NULL;
    }
    settings->layout = *layout;
    settings->grid = (struct grid){ .columns = layout_columns(layout),
                                    .rows = layout_rows(layout),
                                    .scale = { 1, 1, 1 } };
    settings->lod0_screen_size = 0.5;
    settings->lod0_distribution = 1.25;
    settings->lod_distribution = 3;
    return settings;
}

struct settings *settings_copy(const struct settings *settings)
{
    struct settings *copy = malloc(sizeof *copy);

    if (copy) {
        const size_t own = offsetof(struct settings, layout);

        /* Not the count: others may be holding and dropping just now. */
        memcpy((char *)copy + own, (const char *)settings + own, sizeof *copy - own);
        copy->stack = stack_hold(settings->stack);
        atomic_init(&copy->holders, 1);
    }
    return copy;
}

static bool same_numbers(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool settings_same_place(const struct settings *a, const struct settings *b)
{
    return same_numbers(a->grid.scale, b->grid.scale, 3) &&
           same_numbers(a->grid.origin, b->grid.origin, 3) && a->placed == b->placed &&
           same_numbers(a->bounds, b->bounds, 4) && a->padded[0] == b->padded[0] &&
           a->padded[1] == b->padded[1] && strcmp(a->crs, b->crs) == 0;
}

struct settings *settings_hold(const struct settings *settings)
{
    struct settings *held = (struct settings *)(uintptr_t)settings;

    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return held;
}

void settings_drop(struct settings *settings)
{
    if (!settings || atomic_fetch_sub_explicit(&settings->holders, 1, memory_order_acq_rel) != 1)
        return;
    stack_drop(settings->stack);
    free(settings);
}

void settings_data_bounds(const struct settings *settings, double bounds[4])
{
    const struct grid *grid = &settings->grid;
    double step_x = (settings->bounds[2] - settings->bounds[0]) / (grid->columns - 1);
    double step_y = (settings->bounds[3] - settings->bounds[1]) / (grid->rows - 1);

    bounds[0] = settings->bounds[0];
    bounds[1] = settings->bounds[1] + step_y * settings->padded[1];
    bounds[2] = settings->bounds[2] - step_x * settings->padded[0];
    bounds[3] = settings->bounds[3];
}

/* Checks; NaN fails each of them. */

static bool number_within(double value, double least, double most, const char *place,
                          struct fault *why)
{
    if (value >= least && value <= most)
        return true;
    fault_set(why, FAULT_INPUT, "%s must be from %g to %g, not %g", place + 1, least, most, value);
    return fault_at(why, "%s", place);
}

static bool check_grid(const struct settings *settings, struct fault *why)
{
    for (int i = 0; i < 3; i++) {
        char place[16] = "/scale/?";

        place[7] = (char)('0' + i);
        if (!number_within(settings->grid.scale[i], SETTINGS_SCALE_LEAST, SETTINGS_SCALE_MOST,
                           place, why))
            return false;
        memcpy(place, "/origin/", 8);
        place[8] = (char)('0' + i);
        place[9] = '\0';
        if (!number_within(settings->grid.origin[i], -SETTINGS_ORIGIN_MOST, SETTINGS_ORIGIN_MOST,
                           place, why))
            return false;
    }
    for (int i = 0; i < 2; i++) {
        int32_t side = i ? settings->grid.rows : settings->grid.columns;

        if (settings->padded[i] < 0 || settings->padded[i] >= side) {
            fault_set(why, FAULT_INPUT, "the pad is 0 to %d vertices, not %d", side - 1,
                      settings->padded[i]);
            return fault_at(why, "/padded/%d", i);
        }
    }
    return true;
}

/* A code, or WKT: never a text that names a file or a pipeline. */
static bool crs_form(const char *crs)
{
    static const char *const kinds[] = { "PROJCRS[", "GEOGCRS[" };
    size_t digits = strncmp(crs, "EPSG:", 5) == 0 ? strspn(crs + 5, "0123456789") : 0;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(crs, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return digits > 0 && digits < 8 && crs[5 + digits] == '\0';
}

static bool check_place(const struct settings *settings, struct fault *why)
{
    const double *bounds = settings->bounds;

    if (settings->crs[0] && !crs_form(settings->crs)) {
        fault_set(why, FAULT_INPUT, "crs must be EPSG: and a number, or WKT, not %.100s",
                  settings->crs);
        return fault_at(why, "/crs");
    }
    if (settings->placed && !settings->crs[0]) {
        fault_set(why, FAULT_INPUT, "bounds need a crs");
        return fault_at(why, "/crs");
    }
    if (!settings->placed)
        return true;
    for (int i = 0; i < 4; i++) {
        if (!number_within(bounds[i], -SETTINGS_BOUNDS_MOST, SETTINGS_BOUNDS_MOST, "/bounds", why))
            return false;
    }
    if (bounds[0] < bounds[2] && bounds[1] < bounds[3])
        return true;
    fault_set(why, FAULT_INPUT,
              "bounds are west, south, east, north with west < east and south < north, "
              "not %.17g, %.17g, %.17g, %.17g",
              bounds[0], bounds[1], bounds[2], bounds[3]);
    return fault_at(why, "/bounds");
}

static bool check_datum(const struct settings *settings, struct fault *why)
{
    if (!number_within(settings->ellipsoid_offset, -SETTINGS_RAISE_MOST, SETTINGS_RAISE_MOST,
                       "/ellipsoid_offset", why))
        return false;
    for (int i = 0; i < 2; i++)
        if (!number_within(settings->geoid_metres[i], -SETTINGS_RAISE_MOST, SETTINGS_RAISE_MOST,
                           "/geoid_metres", why))
            return false;
    if (!settings->geoid[0] || name_valid(settings->geoid))
        return true;
    fault_set(why, FAULT_INPUT,
              "the geoid is the name of an uploaded raster: 1 to 64 of A-Z a-z 0-9 . _ - without a "
              "dot in front");
    return fault_at(why, "/geoid");
}

bool settings_check(const struct settings *settings, struct fault *why)
{
    if (!layout_check(&settings->layout, why))
        return fault_within(why, "layout");
    if (!check_grid(settings, why) || !check_place(settings, why) || !check_datum(settings, why))
        return false;
    if (!number_within(settings->lod0_screen_size, 1e-3, 1e3, "/lod0_screen_size", why) ||
        !number_within(settings->lod0_distribution, 1, 1e3, "/lod0_distribution", why) ||
        !number_within(settings->lod_distribution, 1, 1e3, "/lod_distribution", why))
        return false;
    return number_within(settings->collision_mip, 0,
                         layout_lods(settings->layout.section_quads) - 1, "/collision_mip", why);
}

/* The byte form: a mark with the form's number, then little-endian numbers in the struct's
 * order, then the texts with one zero byte each, then what heights refer to, then the stack. Form 2
 * knows nothing of what heights refer to. */

static const char mark[8] = "lset\0\0\0\3", mark_before[8] = "lset\0\0\0\2";
enum { NUMBERS = 13 };

static void numbers_out(const struct settings *settings, double numbers[NUMBERS])
{
    memcpy(numbers, settings->grid.scale, 3 * sizeof *numbers);
    memcpy(numbers + 3, settings->grid.origin, 3 * sizeof *numbers);
    memcpy(numbers + 6, settings->bounds, 4 * sizeof *numbers);
    numbers[10] = settings->lod0_screen_size;
    numbers[11] = settings->lod0_distribution;
    numbers[12] = settings->lod_distribution;
}

static void numbers_in(struct settings *settings, const double numbers[NUMBERS])
{
    memcpy(settings->grid.scale, numbers, 3 * sizeof *numbers);
    memcpy(settings->grid.origin, numbers + 3, 3 * sizeof *numbers);
    memcpy(settings->bounds, numbers + 6, 4 * sizeof *numbers);
    settings->lod0_screen_size = numbers[10];
    settings->lod0_distribution = numbers[11];
    settings->lod_distribution = numbers[12];
}

static bool datum_write(const struct settings *settings, struct bytes *to, struct fault *why)
{
    return form_add_text(to, settings->vertical_datum, why) &&
           form_add_real(to, settings->ellipsoid_offset, why) &&
           form_add_text(to, settings->geoid, why) &&
           form_add_real(to, settings->geoid_metres[0], why) &&
           form_add_real(to, settings->geoid_metres[1], why);
}

bool settings_write(const struct settings *settings, struct bytes *to, struct fault *why)
{
    const struct layout *layout = &settings->layout;
    const int32_t integers[] = { layout->components[0],   layout->components[1],
                                 layout->sections,        layout->section_quads,
                                 settings->padded[0],     settings->padded[1],
                                 settings->collision_mip, settings->placed };
    double numbers[NUMBERS];
    size_t begin = to->length;
    bool whole;

    numbers_out(settings, numbers);
    whole = bytes_add(to, mark, sizeof mark, why);
    for (size_t i = 0; whole && i < sizeof integers / sizeof *integers; i++)
        whole = form_add_number(to, (uint32_t)integers[i], 4, why);
    for (int i = 0; whole && i < NUMBERS; i++)
        whole = form_add_real(to, numbers[i], why);
    whole = whole && form_add_text(to, settings->crs, why) &&
            form_add_text(to, settings->title, why) && datum_write(settings, to, why) &&
            stack_write(settings->stack, to, why);
    if (!whole)
        to->length = begin;
    return whole;
}

static void take_datum(struct form_reader *from, struct settings *settings)
{
    form_take_text(from, settings->vertical_datum, sizeof settings->vertical_datum);
    settings->ellipsoid_offset = form_take_real(from);
    form_take_text(from, settings->geoid, sizeof settings->geoid);
    settings->geoid_metres[0] = form_take_real(from);
    settings->geoid_metres[1] = form_take_real(from);
}

static void take_all(struct form_reader *from, struct settings *settings)
{
    struct layout *layout = &settings->layout;
    int32_t *const integers[] = { &layout->components[0],  &layout->components[1],
                                  &layout->sections,       &layout->section_quads,
                                  &settings->padded[0],    &settings->padded[1],
                                  &settings->collision_mip };
    double numbers[NUMBERS];

    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        *integers[i] = (int32_t)(uint32_t)form_take_number(from, 4);
    settings->placed = form_take_number(from, 4) != 0;
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = form_take_real(from);
    numbers_in(settings, numbers);
    form_take_text(from, settings->crs, sizeof settings->crs);
    form_take_text(from, settings->title, sizeof settings->title);
}

struct settings *settings_read(const void *data, size_t length, struct fault *why)
{
    struct form_reader from = { data, length, true };
    const bool before = length >= sizeof mark && memcmp(data, mark_before, sizeof mark) == 0;
    struct settings *settings = calloc(1, sizeof *settings);
    struct fault inner = { 0 };

    if (!settings) {
        fault_set(why, FAULT_MEMORY, "no memory for settings");
        return NULL;
    }
    atomic_init(&settings->holders, 1);
    if (!before && (length < sizeof mark || memcmp(data, mark, sizeof mark) != 0)) {
        fault_set(why, FAULT_STORAGE, "%zu bytes that do not begin as settings do", length);
        goto failed;
    }
    from.at += sizeof mark;
    from.left -= sizeof mark;
    take_all(&from, settings);
    if (!before)
        take_datum(&from, settings);
    if (from.whole) {
        settings->stack = stack_read(&from.at, &from.left, why);
        if (!settings->stack)
            goto failed;
    }
    if (!from.whole || from.left != 0) {
        fault_set(why, FAULT_STORAGE, "%zu bytes are not the length of settings", length);
        goto failed;
    }
    if (layout_check(&settings->layout, &inner)) {
        settings->grid.columns = layout_columns(&settings->layout);
        settings->grid.rows = layout_rows(&settings->layout);
    }
    if (!settings_check(settings, &inner)) {
        fault_set(why, FAULT_STORAGE, "stored settings: %s", inner.detail);
        goto failed;
    }
    return settings;

failed:
    settings_drop(settings);
    return NULL;
}
