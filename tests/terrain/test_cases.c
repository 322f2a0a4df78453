/* The plain-text cases of tests/cases: a landscape, edits, and what is expected of it.
 * tests/cases/README says how they are written. */
#include "tests/terrain/ground.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "tests/terrain/ops.h"

enum { WORDS_MOST = 200 };

/* One line on its way through the words. */
struct line {
    const char *file;
    int number;
    char *words[WORDS_MOST];
    int count, at;
};

struct ground {
    struct view *view;
    double tolerance;
    int expectations;
};

static void wrong(const struct line *line, const char *what)
{
    fail_msg("%s:%d: %s (at word %d)", line->file, line->number, what, line->at + 1);
}

static bool number_next(const struct line *line)
{
    char *end;

    if (line->at >= line->count)
        return false;
    strtod(line->words[line->at], &end);
    return *end == '\0' && strcmp(line->words[line->at], "nan") != 0;
}

static double number(struct line *line)
{
    if (!number_next(line))
        wrong(line, "a number is missing");
    return strtod(line->words[line->at++], NULL);
}

static const char *word(struct line *line)
{
    if (line->at >= line->count)
        wrong(line, "a word is missing");
    return line->words[line->at++];
}

static void expect(struct line *line, const char *wanted)
{
    if (line->at >= line->count || strcmp(line->words[line->at], wanted) != 0)
        wrong(line, wanted);
    line->at++;
}

/* Landscapes */

static void make_landscape(struct ground *ground, struct line *line)
{
    struct layout layout;
    struct settings *settings;
    struct fault why = { 0 };

    layout.components[0] = (int32_t)number(line);
    layout.components[1] = (int32_t)number(line);
    layout.sections = (int32_t)number(line);
    layout.section_quads = (int32_t)number(line);
    if (!layout_check(&layout, &why))
        wrong(line, why.detail);
    settings = settings_new(&layout);
    view_drop(ground->view);
    ground->view = view_new(&settings, 1, 1, GRID_LEVEL_ZERO);
    ground->tolerance = 1e-9;
}

static void set_numbers(struct line *line, double numbers[3])
{
    for (int i = 0; i < 3; i++)
        numbers[i] = number(line);
}

/* Edits */

static bool set_member(struct op *op, struct line *line, const char *name)
{
    double numbers[128];
    size_t count = 0;

    while (count < 128 && number_next(line))
        numbers[count++] = number(line);
    if (strcmp(name, "path") == 0)
        return count % 2 == 0 && op_path(op, (const double(*)[2])numbers, count / 2);
    if (strcmp(name, "plane") == 0)
        return count == 9 && op_plane(op, (const double(*)[3])numbers);
    if (strcmp(name, "region") == 0)
        return count == 4 &&
               op_region(op, (struct rect){ (int32_t)numbers[0], (int32_t)numbers[1],
                                            (int32_t)numbers[2], (int32_t)numbers[3] });
    if (count == 3)
        return op_point3(op, name, numbers);
    if (count == 1)
        return op_real(op, name, numbers[0]) || op_integer(op, name, (int64_t)numbers[0]);
    if (count != 0)
        return false;
    return strcmp(line->words[line->at], "pick") == 0 ? line->at++ && op_real(op, name, NAN)
                                                      : op_word(op, name, word(line));
}

static void edit(struct ground *ground, struct line *line)
{
    struct op *op = op_new(word(line));
    struct fault why = { 0 };
    struct draft *draft = draft_new(ground->view, &why);
    struct change change;

    if (!op)
        wrong(line, "there is no such brush");
    while (line->at < line->count) {
        const char *name = word(line);

        if (line->at >= line->count || !set_member(op, line, name))
            wrong(line, name);
    }
    if (!brush_apply_all(draft, &op->variant, 1, &why))
        wrong(line, why.detail);
    ground->view = ground_finish(draft, ground->view, &change);
    op_free(op);
}

static void make_hole(struct ground *ground, struct line *line)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(ground->view, &why);
    struct rect to;
    struct change change;
    uint8_t *holes;

    to.x = (int32_t)number(line);
    to.y = (int32_t)number(line);
    to.width = (int32_t)number(line);
    to.height = (int32_t)number(line);
    if (!rect_inside(to, view_rect(ground->view)) || rect_empty(to))
        wrong(line, "the hole is not on the landscape");
    holes = malloc((size_t)rect_area(to));
    memset(holes, 1, (size_t)rect_area(to));
    assert_true(draft_write_holes(draft, to, holes, to.width, &why));
    free(holes);
    ground->view = ground_finish(draft, ground->view, &change);
}

/* Expectations */

static void compare(const struct ground *ground, struct line *line, double got)
{
    double wanted = number(line);

    if (!(fabs(got - wanted) <= ground->tolerance))
        fail_msg("%s:%d: %.12g where %.12g was expected", line->file, line->number, got, wanted);
}

static void expect_surface(const struct ground *ground, struct line *line, const char *what)
{
    double at[2];
    struct surface surface;
    struct fault why = { 0 };
    bool outside = strcmp(what, "outside") == 0;

    at[0] = number(line);
    at[1] = number(line);
    if (collide_surface(ground->view, at, &surface, &why) == outside)
        wrong(line, outside ? "there is ground" : why.detail);
    if (strcmp(what, "height") == 0) {
        expect(line, "=");
        compare(ground, line, surface.z);
    } else if (strcmp(what, "normal") == 0) {
        expect(line, "=");
        for (int axis = 0; axis < 3; axis++)
            compare(ground, line, surface.normal[axis]);
    } else if (!outside && surface.hole != (strcmp(what, "hole") == 0)) {
        wrong(line, surface.hole ? "there is a hole" : "there is no hole");
    }
}

static void run_line(struct ground *ground, struct line *line)
{
    const char *what = word(line);

    if (strcmp(what, "landscape") == 0)
        make_landscape(ground, line);
    else if (!ground->view)
        wrong(line, "a case begins with a landscape");
    else if (strcmp(what, "scale") == 0)
        set_numbers(line, ground->view->settings->grid.scale);
    else if (strcmp(what, "origin") == 0)
        set_numbers(line, ground->view->settings->grid.origin);
    else if (strcmp(what, "within") == 0)
        ground->tolerance = number(line);
    else if (strcmp(what, "edit") == 0)
        edit(ground, line);
    else if (strcmp(what, "dig") == 0)
        make_hole(ground, line);
    else if (strcmp(what, "height") == 0 || strcmp(what, "normal") == 0 ||
             strcmp(what, "hole") == 0 || strcmp(what, "solid") == 0 ||
             strcmp(what, "outside") == 0) {
        expect_surface(ground, line, what);
        ground->expectations++;
    } else
        wrong(line, what);
    if (line->at < line->count)
        wrong(line, "too many words");
}

static int run_file(const char *path)
{
    FILE *file = fopen(path, "r");
    struct ground ground = { 0 };
    char text[2000];

    assert_non_null(file);
    for (int number = 1; fgets(text, sizeof text, file); number++) {
        struct line line = { .file = path, .number = number };

        text[strcspn(text, "#")] = '\0';
        for (char *at = strtok(text, " \t\r\n"); at && line.count < WORDS_MOST;
             at = strtok(NULL, " \t\r\n"))
            line.words[line.count++] = at;
        if (line.count > 0)
            run_line(&ground, &line);
    }
    fclose(file);
    view_drop(ground.view);
    return ground.expectations;
}

static void every_case_holds(void **state)
{
    const char *folder = SOURCE_FOLDER "/tests/cases";
    DIR *cases = opendir(folder);
    struct dirent *entry;
    int files = 0;

    (void)state;
    assert_non_null(cases);
    while ((entry = readdir(cases))) {
        const char *end = strrchr(entry->d_name, '.');
        char path[1024];

        if (!end || strcmp(end, ".case") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (run_file(path) == 0)
            fail_msg("%s expects nothing", path);
        files++;
    }
    closedir(cases);
    assert_true(files >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
