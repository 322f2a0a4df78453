/* Settings: what they may be, and their bytes. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <string.h>

static const struct layout layout = { { 3, 2 }, 2, 31 };

static struct settings *placed(void)
{
    struct settings *settings = settings_new(&layout);

    settings->placed = true;
    settings->padded[0] = 7;
    settings->padded[1] = 3;
    memcpy(settings->bounds, (const double[4]){ 10, 20, 196, 144 }, sizeof settings->bounds);
    strcpy(settings->crs, "EPSG:25832");
    strcpy(settings->title, "Hügel");
    settings->grid.scale[1] = 2.5;
    settings->grid.origin[2] = -33.25;
    settings->collision_mip = 2;
    strcpy(settings->vertical_datum, "EPSG:5773");
    strcpy(settings->geoid, "undulation");
    settings->ellipsoid_offset = -0.5;
    settings->geoid_metres[0] = -106.5;
    settings->geoid_metres[1] = 85.5;
    return settings;
}

static void defaults_are_allowed_and_follow_from_the_layout(void **state)
{
    struct settings *settings = settings_new(&layout), *held = settings_hold(settings);
    struct fault why = { 0 };

    (void)state;
    assert_true(settings_check(settings, &why));
    assert_int_equal(settings->grid.columns, 187);
    assert_int_equal(settings->grid.rows, 125);
    assert_float_equal(settings->grid.scale[2], 1, 0);
    settings_drop(settings);
    assert_int_equal(held->grid.rows, 125);
    settings_drop(held);
    settings_drop(NULL);
}

static void data_bounds_leave_out_the_pad(void **state)
{
    struct settings *settings = placed();
    double bounds[4];

    (void)state;
    settings_data_bounds(settings, bounds);
    assert_float_equal(bounds[0], 10, 1e-9);
    assert_float_equal(bounds[1], 23, 1e-9);
    assert_float_equal(bounds[2], 189, 1e-9);
    assert_float_equal(bounds[3], 144, 1e-9);
    settings_drop(settings);
}

static void settings_come_back_from_their_bytes(void **state)
{
    struct settings *settings = placed(), *back;
    struct bytes bytes = { 0 }, again = { 0 };
    struct fault why = { 0 };

    (void)state;
    assert_true(settings_write(settings, &bytes, &why));
    back = settings_read(bytes.data, bytes.length, &why);
    assert_non_null(back);
    assert_string_equal(back->title, "Hügel");
    assert_string_equal(back->crs, "EPSG:25832");
    assert_int_equal(back->grid.columns, 187);
    assert_int_equal(back->layout.components[1], 2);
    assert_int_equal(back->padded[0], 7);
    assert_float_equal(back->grid.origin[2], -33.25, 0);
    assert_string_equal(back->vertical_datum, "EPSG:5773");
    assert_string_equal(back->geoid, "undulation");
    assert_float_equal(back->ellipsoid_offset, -0.5, 0);
    assert_float_equal(back->geoid_metres[1], 85.5, 0);
    assert_true(settings_write(back, &again, &why));
    assert_int_equal(again.length, bytes.length);
    assert_memory_equal(again.data, bytes.data, bytes.length);
    bytes_free(&bytes);
    bytes_free(&again);
    settings_drop(back);
    settings_drop(settings);
}

/* Form 2 is form 3 without what heights refer to. */
static void bytes_of_the_form_before_are_read(void **state)
{
    struct settings *settings = placed(), *back;
    const size_t datum = sizeof "EPSG:5773" + 8 + sizeof "undulation" + 16;
    struct bytes bytes = { 0 };
    struct fault why = { 0 };
    unsigned char *at;

    (void)state;
    assert_true(settings_write(settings, &bytes, &why));
    at = memmem(bytes.data, bytes.length, "EPSG:5773", sizeof "EPSG:5773");
    assert_non_null(at);
    memmove(at, at + datum, bytes.length - (size_t)(at - bytes.data) - datum);
    bytes.data[7] = 2;
    back = settings_read(bytes.data, bytes.length - datum, &why);
    assert_non_null(back);
    assert_string_equal(back->title, "Hügel");
    assert_string_equal(back->vertical_datum, "");
    assert_string_equal(back->geoid, "");
    assert_float_equal(back->ellipsoid_offset, 0, 0);
    assert_int_equal(back->collision_mip, 2);
    bytes_free(&bytes);
    settings_drop(back);
    settings_drop(settings);
}

static void cut_and_bent_bytes_are_refused_or_read_as_settings(void **state)
{
    struct settings *settings = placed();
    struct bytes bytes = { 0 };
    struct fault why = { 0 };

    (void)state;
    assert_true(settings_write(settings, &bytes, &why));
    for (size_t length = 0; length < bytes.length; length++) {
        why = (struct fault){ 0 };
        assert_null(settings_read(bytes.data, length, &why));
        assert_int_equal(why.code, FAULT_STORAGE);
    }
    for (size_t bit = 0; bit < 8 * bytes.length; bit++) {
        struct settings *read;

        bytes.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        why = (struct fault){ 0 };
        read = settings_read(bytes.data, bytes.length, &why);
        if (read)
            assert_true(settings_check(read, &why));
        else
            assert_int_equal(why.code, FAULT_STORAGE);
        settings_drop(read);
        bytes.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    bytes_free(&bytes);
    settings_drop(settings);
}

static void refused_at(struct settings *settings, const char *place)
{
    struct fault why = { 0 };

    assert_false(settings_check(settings, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_string_equal(why.place, place);
    settings_drop(settings);
}

static void wrong_numbers_are_refused_at_their_members(void **state)
{
    struct settings *settings;

    (void)state;
    settings = placed();
    settings->layout.section_quads = 8;
    refused_at(settings, "/layout/section_quads");
    settings = placed();
    settings->grid.scale[1] = 0;
    refused_at(settings, "/scale/1");
    settings = placed();
    settings->grid.scale[2] = NAN;
    refused_at(settings, "/scale/2");
    settings = placed();
    settings->grid.origin[0] = -INFINITY;
    refused_at(settings, "/origin/0");
    settings = placed();
    settings->padded[1] = 125;
    refused_at(settings, "/padded/1");
    settings = placed();
    settings->padded[0] = -1;
    refused_at(settings, "/padded/0");
    settings = placed();
    strcpy(settings->crs, "EPSG:");
    refused_at(settings, "/crs");
    settings = placed();
    strcpy(settings->crs, "ESRI:54009");
    refused_at(settings, "/crs");
    settings = placed();
    settings->crs[0] = '\0';
    refused_at(settings, "/crs");
    settings = placed();
    settings->bounds[2] = settings->bounds[0];
    refused_at(settings, "/bounds");
    settings = placed();
    settings->bounds[1] = NAN;
    refused_at(settings, "/bounds");
    settings = placed();
    settings->lod0_screen_size = 0;
    refused_at(settings, "/lod0_screen_size");
    settings = placed();
    settings->lod0_distribution = 0.5;
    refused_at(settings, "/lod0_distribution");
    settings = placed();
    settings->lod_distribution = INFINITY;
    refused_at(settings, "/lod_distribution");
    settings = placed();
    settings->collision_mip = 5;
    refused_at(settings, "/collision_mip");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_allowed_and_follow_from_the_layout),
        cmocka_unit_test(data_bounds_leave_out_the_pad),
        cmocka_unit_test(settings_come_back_from_their_bytes),
        cmocka_unit_test(bytes_of_the_form_before_are_read),
        cmocka_unit_test(cut_and_bent_bytes_are_refused_or_read_as_settings),
        cmocka_unit_test(wrong_numbers_are_refused_at_their_members),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
