/* Archives, and the packing and checksums that they share with the store. */
#include "tests/store/scratch.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/store/archive.h"
#include "terrain/store/checksum.h"
#include "terrain/store/pack.h"
#include "tests/terrain/layering.h"

static const int64_t many = INT64_C(1) << 40;

static struct bytes archive_of(const struct view *view)
{
    struct bytes archive = { 0 };
    struct fault why = { 0 };

    assert_true(archive_write(view, &archive, &why));
    return archive;
}

static void a_checksum_is_the_castagnoli_crc(void **state)
{
    static const char nine[] = "123456789";
    unsigned char zeros[32] = { 0 };

    (void)state;
    assert_int_equal(checksum_add(0, nine, 9), 0xE3069283);
    assert_int_equal(checksum_add(checksum_add(0, nine, 4), nine + 4, 5), 0xE3069283);
    assert_int_equal(checksum_add(0, zeros, sizeof zeros), 0x8A9136AA); /* RFC 3720, B.4 */
    assert_int_equal(checksum_number(0, 0), checksum_add(0, zeros, 8));
}

static void both_ways_to_a_checksum_agree(void **state)
{
    unsigned char bytes[300];
    struct dice dice = { 6 };

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)dice_throw(&dice);
    for (size_t length = 0; length < sizeof bytes - 8; length++)
        assert_int_equal(checksum_add(77, bytes + length % 8, length),
                         checksum_add_plain(77, bytes + length % 8, length));
}

static void blocks_of_every_kind_come_back(void **state)
{
    struct fault why = { 0 };
    struct packer *packer = packer_new(&why);
    struct dice dice = { 3 };

    (void)state;
    assert_non_null(packer);
    for (int i = 0; i < 60; i++) {
        enum plane plane = i % 2 ? PLANE_HOLES : PLANE_HEIGHTS;
        struct block *block = block_new(plane, 0), *back;
        size_t length = plane_block_bytes(plane);
        unsigned char *values = block_writable(block);
        struct bytes packed = { 0 };
        struct rect all = { 0, 0, BLOCK_SIDE, BLOCK_SIDE };
        struct child child = { block, { 0 } };
        uint16_t flat;
        int kind = dice_between(&dice, 0, 2);

        for (size_t at = 0; at < length; at++)
            values[at] = (unsigned char)(kind == 0   ? dice_throw(&dice)
                                         : kind == 1 ? 255u * dice_between(&dice, 0, 1)
                                                     : at / 300);
        assert_true(packer_shut_block(packer, plane, child, &packed, &why));
        assert_true(
            packer_open_block(packer, plane, all, packed.data, packed.length, &back, &flat, &why));
        assert_memory_equal(block_values(back), values, length);
        bytes_free(&packed);
        block_drop(back);
        block_drop(block);
    }
    packer_free(packer);
}

static void what_lies_beyond_the_landscape_is_made_zero(void **state)
{
    struct fault why = { 0 };
    struct packer *packer = packer_new(&why);

    (void)state;
    for (int plane = 0; plane < RESOLVED_PLANES; plane++) {
        struct block *block =
            block_new((enum plane)plane, (uint16_t)((1 << plane_bits(plane)) - 1));
        struct block *back;
        struct bytes packed = { 0 };
        struct rect valid = { 0, 0, 70, 3 };
        struct child child = { block, { 0 } };
        uint16_t flat;

        assert_true(packer_shut_block(packer, (enum plane)plane, child, &packed, &why));
        assert_true(packer_open_block(packer, (enum plane)plane, valid, packed.data, packed.length,
                                      &back, &flat, &why));
        for (int32_t y = 0; y < BLOCK_SIDE; y++)
            for (int32_t x = 0; x < BLOCK_SIDE; x++)
                assert_int_equal(block_value(back, x, y),
                                 x < 70 && y < 3 ? (1 << plane_bits(plane)) - 1 : 0);
        bytes_free(&packed);
        block_drop(back);
        block_drop(block);
    }
    packer_free(packer);
}

static void an_archive_holds_everything(void **state)
{
    struct dice dice = { 21 };
    struct view *view = scratch_rough(3, 2, 5);

    (void)state;
    for (int i = 0; i < 12; i++) {
        struct bytes archive = archive_of(view);
        struct fault why = { 0 };
        struct view *back = archive_read(archive.data, archive.length, many, &why);
        struct bytes again;
        struct change change;
        struct view *next;

        if (!back)
            fail_msg("%s", why.detail);
        assert_int_equal(back->version, 1);
        assert_int_equal(view_newest(back, view_rect(back)), 1);
        ground_assert_sound(back);
        again = archive_of(back);
        assert_int_equal(again.length, archive.length);
        assert_memory_equal(again.data, archive.data, archive.length);
        bytes_free(&again);
        bytes_free(&archive);
        view_drop(back);
        next = scratch_edit(view, &dice, &change);
        view_drop(view);
        view = next;
    }
    view_drop(view);
}

static void an_archive_holds_layers_of_every_kind(void **state)
{
    struct view *view = layering_on(scratch_rough(3, 2, 8), 20, 8);
    struct dice dice = { 22 };

    (void)state;
    for (int i = 0; i < 60; i++) {
        const char *what = "";
        struct fault why = { 0 };
        struct bytes archive;
        struct view *back;

        view = layering_changed(view, &dice, &what);
        if (i % 6)
            continue;
        archive = archive_of(view);
        back = archive_read(archive.data, archive.length, many, &why);
        if (!back)
            fail_msg("%s", why.detail);
        layering_assert_same(back, view);
        layering_assert_resolved(back, view);
        bytes_free(&archive);
        view_drop(back);
    }
    view_drop(view);
}

static void a_flat_landscape_is_a_short_archive(void **state)
{
    struct view *view = scratch_flat(20, 20, 4711), *back;
    struct bytes archive = archive_of(view);
    struct fault why = { 0 };

    (void)state;
    assert_true(archive.length < 1000);
    back = archive_read(archive.data, archive.length, many, &why);
    assert_non_null(back);
    assert_int_equal(view_height(back, 1000, 1000), 4711);
    view_drop(back);
    view_drop(view);
    bytes_free(&archive);
}

static void no_byte_can_be_changed_unnoticed(void **state)
{
    struct view *view = scratch_rough(1, 1, 8);
    struct bytes archive = archive_of(view);
    struct dice dice = { 77 };

    (void)state;
    for (size_t i = 0; i < 3000; i++) {
        size_t at = i < 300   ? i
                    : i < 600 ? archive.length - 1 - (i - 300)
                              : dice_throw(&dice) % archive.length;
        unsigned char bit = (unsigned char)(1 << dice_between(&dice, 0, 7));
        struct fault why = { 0 };

        archive.data[at] ^= bit;
        assert_null(archive_read(archive.data, archive.length, many, &why));
        assert_int_equal(why.code, FAULT_INPUT);
        archive.data[at] ^= bit;
    }
    bytes_free(&archive);
    view_drop(view);
}

static void a_cut_or_longer_archive_is_refused(void **state)
{
    struct view *view = scratch_rough(1, 1, 9);
    struct bytes archive = archive_of(view);
    struct fault why = { 0 };

    (void)state;
    for (size_t length = 0; length < archive.length; length += length < 400 ? 1 : 97) {
        unsigned char *copy = malloc(length + 1); /* so that a sanitizer sees the end */

        memcpy(copy, archive.data, length);
        assert_null(archive_read(copy, length, many, &why));
        assert_int_equal(why.code, FAULT_INPUT);
        free(copy);
    }
    assert_true(bytes_add(&archive, "", 1, &why));
    assert_null(archive_read(archive.data, archive.length, many, &why));
    assert_non_null(strstr(why.detail, "follows"));
    bytes_free(&archive);
    view_drop(view);
}

static void too_many_vertices_are_refused_before_any_memory(void **state)
{
    struct view *view = scratch_flat(50, 50, 1);
    struct bytes archive = archive_of(view);
    struct fault why = { 0 };

    (void)state;
    assert_null(archive_read(archive.data, archive.length, 1000000, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    bytes_free(&archive);
    view_drop(view);
}

static void another_form_is_named(void **state)
{
    struct view *view = scratch_flat(1, 1, 1);
    struct bytes archive = archive_of(view);
    struct fault why = { 0 };

    (void)state;
    archive.data[7] = 9;
    assert_null(archive_read(archive.data, archive.length, many, &why));
    assert_non_null(strstr(why.detail, "form 9"));
    bytes_free(&archive);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_checksum_is_the_castagnoli_crc),
        cmocka_unit_test(both_ways_to_a_checksum_agree),
        cmocka_unit_test(blocks_of_every_kind_come_back),
        cmocka_unit_test(what_lies_beyond_the_landscape_is_made_zero),
        cmocka_unit_test(an_archive_holds_everything),
        cmocka_unit_test(an_archive_holds_layers_of_every_kind),
        cmocka_unit_test(a_flat_landscape_is_a_short_archive),
        cmocka_unit_test(no_byte_can_be_changed_unnoticed),
        cmocka_unit_test(a_cut_or_longer_archive_is_refused),
        cmocka_unit_test(too_many_vertices_are_refused_before_any_memory),
        cmocka_unit_test(another_form_is_named),
    };

    return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
