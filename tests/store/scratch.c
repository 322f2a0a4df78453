#include "tests/store/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terrain/edit/resize.h"

char *scratch_new(void)
{
    char path[] = "scratch-XXXXXX";

    assert_non_null(mkdtemp(path));
    return strdup(path);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

void scratch_remove(char *folder)
{
    assert_int_equal(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(folder);
}

struct view *scratch_flat(int32_t cx, int32_t cy, uint16_t code)
{
    struct layout layout = { { cx, cy }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *view;

    assert_non_null(settings);
    view = view_new(&settings, 0, 1, code);
    assert_non_null(view);
    return view;
}

static void write_rough(struct draft *draft, struct dice *dice, struct rect to)
{
    uint16_t *heights = malloc((size_t)rect_area(to) * sizeof *heights);
    uint16_t code = (uint16_t)dice_throw(dice);
    struct fault why = { 0 };

    for (int64_t i = 0; i < rect_area(to); i++)
        heights[i] = code = (uint16_t)(code + dice_between(dice, -40, 40));
    assert_true(draft_write_heights(draft, to, heights, to.width, &why));
    free(heights);
}

struct view *scratch_rough(int32_t cx, int32_t cy, uint64_t seed)
{
    struct view *flat = scratch_flat(cx, cy, 32768), *rough;
    struct dice dice = { seed };
    struct fault why = { 0 };
    struct draft *draft = draft_new(flat, &why);
    struct change change;

    assert_non_null(draft);
    write_rough(draft, &dice, view_rect(flat));
    rough = draft_finish(draft, &change, &why);
    assert_non_null(rough);
    draft_free(draft);
    view_drop(flat);
    return rough;
}

static void write_holes(struct draft *draft, struct dice *dice, struct rect to)
{
    uint8_t *holes = malloc((size_t)rect_area(to));
    struct fault why = { 0 };

    for (int64_t i = 0; i < rect_area(to); i++)
        holes[i] = dice_between(dice, 0, 3) == 0;
    assert_true(draft_write_holes(draft, to, holes, to.width, &why));
    free(holes);
}

static void write_title(struct draft *draft, struct dice *dice)
{
    struct settings *settings = settings_copy(draft_view(draft)->settings);
    struct fault why = { 0 };

    assert_non_null(settings);
    snprintf(settings->title, sizeof settings->title, "title %u", dice_throw(dice));
    assert_true(draft_settings(draft, &settings, &why));
}

/* One layer more, one less, or one that counts otherwise. */
static void write_stack(struct draft *draft, struct dice *dice)
{
    struct settings *settings = settings_copy(draft_view(draft)->settings);
    struct stack *stack = stack_copy(settings->stack);
    struct edit_layer *layer = &stack->edits[dice_between(dice, 0, stack->edit_count - 1)];
    struct fault why = { 0 };
    char name[32];

    snprintf(name, sizeof name, "layer-%u", stack->next_id);
    switch (dice_between(dice, 0, 4)) {
    case 0:
        assert_non_null(stack_add_edit(stack, name, &why));
        break;
    case 1:
        assert_non_null(stack_add_paint(stack, name, &why));
        break;
    case 2:
        layer->alpha = dice_between(dice, -4, 4) / 4.0;
        break;
    case 3:
        layer->visible = !layer->visible;
        break;
    default:
        if (layer->id == BASE_LAYER)
            break;
        memmove(layer, layer + 1,
                (size_t)(stack->edits + --stack->edit_count - layer) * sizeof *layer);
    }
    stack_drop(settings->stack);
    settings->stack = stack;
    assert_true(draft_settings(draft, &settings, &why));
}

static void choose_layer(struct draft *draft, struct dice *dice)
{
    const struct stack *stack = draft_view(draft)->settings->stack;
    struct fault why = { 0 };

    assert_true(
        draft_layer(draft, stack->edits[dice_between(dice, 0, stack->edit_count - 1)].name, &why));
}

/* Paints one of the layers in a block, so that all of it is this layer's. */
static void write_weights(struct draft *draft, struct dice *dice)
{
    const struct stack *stack = draft_view(draft)->settings->stack;
    uint8_t *rows[PAINT_LAYERS_MOST];
    struct rect valid = tree_block_rect(&draft_view(draft)->planes[PLANE_HEIGHTS], 0, 0);
    int paint = dice_between(dice, 0, stack->paint_count - 1);
    struct fault why = { 0 };

    assert_true(draft_weights_begin(draft, 0, 0, -1, rows, &why));
    for (int p = 0; p < stack->paint_count; p++)
        for (int32_t y = 0; y < valid.height / 2; y++)
            memset(rows[p] + y * BLOCK_SIDE, p == paint ? 255 : 0, (size_t)valid.width);
    draft_weights_end(draft, 0, 0, valid);
}

static void write_size(struct draft *draft, struct dice *dice)
{
    struct resize resize = { { dice_between(dice, 1, 3), dice_between(dice, 1, 3) },
                             RESIZE_RESAMPLE,
                             RESIZE_CENTER };
    struct fault why = { 0 };

    if (!resize_apply(draft, &resize, &why))
        fail_msg("%s", why.detail);
}

struct view *scratch_edit(const struct view *view, struct dice *dice, struct change *change)
{
    struct rect all = view_rect(view);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct view *next;

    assert_non_null(draft);
    write_rough(draft, dice, dice_rect(dice, all.width, all.height, 150));
    if (dice_between(dice, 0, 4) == 0)
        write_holes(draft, dice, dice_rect(dice, all.width - 1, all.height - 1, 40));
    if (dice_between(dice, 0, 4) == 0)
        write_title(draft, dice);
    next = draft_finish(draft, change, &why);
    assert_non_null(next);
    draft_free(draft);
    return next;
}

struct view *scratch_change(const struct view *view, struct dice *dice, struct change *change)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct rect all;
    struct view *next;

    assert_non_null(draft);
    if (dice_between(dice, 0, 9) == 0)
        write_size(draft, dice);
    if (dice_between(dice, 0, 2) == 0)
        write_stack(draft, dice);
    choose_layer(draft, dice);
    all = view_rect(draft_view(draft));
    if (dice_between(dice, 0, 3) != 0)
        write_rough(draft, dice, dice_rect(dice, all.width, all.height, 150));
    if (dice_between(dice, 0, 3) == 0)
        write_holes(draft, dice, dice_rect(dice, all.width - 1, all.height - 1, 40));
    if (dice_between(dice, 0, 2) == 0 && draft_view(draft)->settings->stack->paint_count)
        write_weights(draft, dice);
    next = draft_finish(draft, change, &why);
    assert_non_null(next);
    draft_free(draft);
    return next;
}

static void assert_same_settings(const struct view *a, const struct view *b)
{
    struct bytes forms[2] = { { 0 }, { 0 } };
    struct fault why = { 0 };

    assert_true(settings_write(a->settings, &forms[0], &why));
    assert_true(settings_write(b->settings, &forms[1], &why));
    assert_int_equal(forms[0].length, forms[1].length);
    assert_memory_equal(forms[0].data, forms[1].data, forms[0].length);
    bytes_free(&forms[0]);
    bytes_free(&forms[1]);
}

/* Where layers have been added up the loaded stamps may be later ones, never earlier. */
static void assert_same_plane(const struct tree *a, const struct tree *b, bool added_up)
{
    struct rect all = { 0, 0, a->columns, a->rows };
    uint16_t *values[2] = { calloc((size_t)rect_area(all), 2), calloc((size_t)rect_area(all), 2) };

    tree_read(a, all, values[0], all.width);
    tree_read(b, all, values[1], all.width);
    assert_memory_equal(values[0], values[1], (size_t)rect_area(all) * 2);
    free(values[0]);
    free(values[1]);
    for (int32_t by = 0; by < tree_blocks_down(a); by++)
        for (int32_t bx = 0; bx < tree_blocks_across(a); bx++) {
            struct summary one = tree_block(a, bx, by).summary;
            struct summary other = tree_block(b, bx, by).summary;

            if (added_up)
                assert_true(one.version <= other.version);
            else
                assert_int_equal(one.version, other.version);
            assert_int_equal(one.least, other.least);
            assert_int_equal(one.greatest, other.greatest);
        }
}

static void assert_same_weights(const struct view *a, const struct view *b, uint32_t paint)
{
    const struct grid *grid = view_grid(a);
    struct tree rest = tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 1);
    const struct tree *one = view_weights(a, paint), *other = view_weights(b, paint);

    assert_same_plane(one ? one : &rest, other ? other : &rest, true);
}

void scratch_assert_same(const struct view *a, const struct view *b)
{
    assert_int_equal(a->incarnation, b->incarnation);
    assert_int_equal(a->version, b->version);
    assert_int_equal(a->settings_version, b->settings_version);
    assert_same_settings(a, b);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        assert_same_plane(&a->planes[plane], &b->planes[plane], a->settings->stack->reshaped);
    for (int p = 0; p < a->settings->stack->paint_count; p++)
        assert_same_weights(a, b, a->settings->stack->paints[p].id);
    for (int32_t i = 0; i < a->layers_count; i++) {
        struct tree rest = channel_tree(a->settings, a->layers[i].key, 1);
        const struct tree *other = view_layer(b, a->layers[i].key);

        assert_same_plane(&a->layers[i].tree, other ? other : &rest, true);
    }
    ground_assert_sound(b);
}

char *scratch_ledger(const char *folder)
{
    char path[600], *found = NULL;
    const struct dirent *entry;
    DIR *listing;

    snprintf(path, sizeof path, "%s/landscapes", folder);
    listing = opendir(path);
    assert_non_null(listing);
    while ((entry = readdir(listing)))
        if (strlen(entry->d_name) == 19) {
            assert_null(found);
            assert_true(asprintf(&found, "%s/%s", path, entry->d_name) > 0);
        }
    closedir(listing);
    assert_non_null(found);
    return found;
}

void scratch_flip(const char *path, const void *run, size_t length)
{
    struct stat about;
    unsigned char *all, *at;
    int file = open(path, O_RDWR);

    assert_true(file >= 0);
    assert_int_equal(fstat(file, &about), 0);
    all = malloc((size_t)about.st_size);
    assert_int_equal(pread(file, all, (size_t)about.st_size, 0), about.st_size);
    at = memmem(all, (size_t)about.st_size, run, length);
    assert_non_null(at);
    at[length / 2] ^= 4;
    assert_int_equal(pwrite(file, at, length, at - all), length);
    free(all);
    close(file);
}
