/* What requests of pictures may say, and what a server without a renderer draws all the same:
 * maps. Nothing here has a worker. */
#include "tests/api/shop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/modes.h"
#include "render/renderer.h"

#define PICTURE LAND "/render.png?width=96&height=80"
#define ABOVE   PICTURE "&elevation=90"
#define ROOMY   LAND "/render.png?width=480&height=360&elevation=90&mode=height"

static struct renderer *maps_alone;

static int renderer_begin(void **group)
{
    struct renderer_options options = { .waiting_most = 8, .pixels_most = 1 << 24 };
    struct fault why = { 0 };

    if (!renderer_start(&options, &maps_alone, &why))
        fail_msg("%s", why.detail);
    return caller_decoders_start(group);
}

static int renderer_end(void **group)
{
    renderer_stop(maps_alone);
    return caller_decoders_stop(group);
}

static struct caller *begin(void **state)
{
    struct caller *caller = land_begin_with_all(state);

    caller->service.renderer = maps_alone;
    return caller;
}

static int ask(struct caller *caller, const char *format, const char *more)
{
    char target[400];

    snprintf(target, sizeof target, "%s%s", format, more);
    return call(caller, "GET", target, NULL);
}

static char *picture(struct caller *caller, const char *of, const char *more, size_t *length)
{
    char target[400];

    snprintf(target, sizeof target, "%s%s", of, more);
    return land_take(caller, target, length);
}

/* ---- the options of modes ---- */

static const struct {
    const char *name, *query, *body;
    unsigned hears; /* 0: of modes with values */
} options[] = {
    { "ramp", "gray", "\"gray\"", 0 },
    { "range", "1,2", "[1,2]", 0 },
    { "interval", "5", "5", MODE_HEARS_INTERVAL },
    { "layer", "top", "\"top\"", MODE_HEARS_LAYER },
    { "against", "1", "1", MODE_HEARS_AGAINST },
    { "mip", "1", "1", MODE_HEARS_MIP },
    { "multidirectional", "true", "true", MODE_HEARS_MANY },
};

static bool heard(const struct render_mode *mode, unsigned hears)
{
    return hears ? mode->hears & hears : mode->values != MODE_NO_VALUES;
}

static void an_option_that_a_mode_has_no_use_for_is_refused(void **state)
{
    struct caller *caller = begin(state);
    int refused = 0, taken = 0;

    for (int m = 0; m < RENDER_MODES; m++)
        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
            const struct render_mode *mode = render_modes[m];
            char more[120], body[200];

            snprintf(more, sizeof more, "&mode=%s&%s=%s", mode->name, options[i].name,
                     options[i].query);
            snprintf(body, sizeof body, "{\"mode\":\"%s\",\"%s\":%s}", mode->name, options[i].name,
                     options[i].body);
            for (int by = 0; by < 3; by++) { /* a query, a body, a tile's query */
                const bool by_body = by == 1;
                char place[40];

                snprintf(place, sizeof place, "%s%s", by_body ? "/" : "", options[i].name);
                if (by_body)
                    call(caller, "POST", LAND "/render", body);
                else
                    ask(caller, by ? LAND "/tiles/render/0/0/0.png?" : PICTURE, more);
                if (!heard(mode, options[i].hears)) {
                    assert_refused(caller, 400, place);
                    assert_non_null(strstr(caller->body, mode->name));
                    refused++;
                    continue;
                }
                /* What the mode needs besides, or that there is no renderer, is told elsewhere. */
                snprintf(place, sizeof place, "\"%s%s\"", by_body ? "/" : "", options[i].name);
                if (caller->status == 400 && strstr(caller->body, place))
                    fail_msg("%s %s: %s", mode->name, options[i].name, caller->body);
                taken++;
            }
        }
    assert_true(refused > 150 && taken > 45);
}

/* ---- overlays ---- */

static const char *const overlays[] = {
#define OVERLAY(name, where, summary) #name,
#include "render/overlays.def"
#undef OVERLAY
};

static void members_and_list_are_the_same_overlays(void **state)
{
    struct caller *caller = begin(state);
    size_t bare_length, lengths[2];
    char *bare;

    land_edit(caller, "{\"tool\":\"raise\",\"path\":[[60,60]],\"radius\":55,\"amount\":90}");
    bare = picture(caller, ROOMY, "", &bare_length);

    for (size_t i = 0; i < sizeof overlays / sizeof *overlays; i++) {
        const bool metres = strcmp(overlays[i], "grid") == 0;
        char more[2][120], *drawn[2];

        snprintf(more[0], sizeof more[0], "&overlays=%s", overlays[i]);
        snprintf(more[1], sizeof more[1], "&%s=%s", overlays[i], metres ? "auto" : "true");
        for (int k = 0; k < 2; k++)
            drawn[k] = picture(caller, ROOMY, more[k], &lengths[k]);
        assert_int_equal(lengths[0], lengths[1]);
        assert_memory_equal(drawn[0], drawn[1], lengths[0]);
        print_message("%s\n", overlays[i]);
        assert_true(lengths[0] != bare_length || memcmp(drawn[0], bare, bare_length) != 0);
        free(drawn[0]);
        free(drawn[1]);
    }
    free(bare);
}

static void what_no_overlay_can_be_is_refused_at_its_place(void **state)
{
    static const struct {
        const char *body, *place, *says;
    } wrong[] = {
        { "{\"overlays\":[\"grid\",\"bordrs\"]}", "/overlays/1", "did you mean \\\"borders\\\"" },
        { "{\"overlays\":[\"contour_labels\"]}", "/overlays/0", "elevation 90" },
        { "{\"contour_labels\":true}", "/contour_labels", "elevation 90" },
        { "{\"scale_bar\":true,\"camera\":{\"panorama\":[9,9,9]}}", "/scale_bar", "panorama" },
        { "{\"overlays\":[\"north_arrow\"],\"camera\":{\"panorama\":[9,9,9]}}", "/overlays/0",
          "panorama" },
    };
    struct caller *caller = begin(state);

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        print_message("%s\n", wrong[i].body);
        call(caller, "POST", LAND "/render", wrong[i].body);
        assert_refused(caller, 400, wrong[i].place);
        assert_non_null(strstr(caller->body, wrong[i].says));
    }
    ask(caller, ABOVE, "&overlays=grid,bordrs");
    assert_refused(caller, 400, "overlays");
}

/* ---- who draws ---- */

static void whoever_wants_c_is_told_what_is_no_map(void **state)
{
    static const char *const wrong[] = {
        "\"mode\":\"lit\",\"camera\":{\"fit\":true,\"elevation\":90}",
        "\"mode\":\"height\"",
        "\"mode\":\"height\",\"camera\":{\"panorama\":[9,9,9]}",
        "\"mode\":\"height\",\"geometry\":\"full\",\"camera\":{\"fit\":true,\"elevation\":90}",
        ("\"mode\":\"height\",\"output\":\"depth\",\"format\":\"raw\",\"camera\":{\"fit\":true,"
         "\"elevation\":90}"),
    };
    struct caller *caller = begin(state);
    char body[240];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        print_message("%s\n", wrong[i]);
        snprintf(body, sizeof body, "{\"draw_by\":\"c\",%s}", wrong[i]);
        call(caller, "POST", LAND "/render", body);
        assert_refused(caller, 400, "/draw_by");
    }
    assert_int_equal(ask(caller, ABOVE, "&mode=slope&draw_by=c"), 200);
    assert_string_equal(caller_header(caller, "Landscape-Renderer"), "flat");
    assert_int_equal(ask(caller, ABOVE, "&mode=slope&draw_by=gl"), 503);
    ask(caller, ABOVE, "&mode=slope&draw_by=cc");
    assert_refused(caller, 400, "draw_by");
}

static void without_a_renderer_maps_are_drawn(void **state)
{
    struct caller *caller = begin(state);
    int drawn = 0;

    assert_int_equal(call(caller, "POST", LAND "/layers", "{\"name\":\"top\"}"), 201);
    for (int m = 0; m < RENDER_MODES; m++) {
        const struct render_mode *mode = render_modes[m];
        char more[120];

        snprintf(more, sizeof more, "&mode=%s%s%s", mode->name,
                 mode->hears & MODE_HEARS_LAYER ? "&layer=top" : "",
                 mode->hears & MODE_HEARS_AGAINST ? "&against=1" : "");
        assert_int_equal(ask(caller, ABOVE, more), mode->flat ? 200 : 503);
        if (!mode->flat)
            assert_non_null(strstr(caller->body, "the mode hillshade from right above"));
        assert_int_equal(ask(caller, LAND "/tiles/render/0/0/0.png?", more),
                         mode->flat ? 200 : 503);
        assert_int_equal(ask(caller, PICTURE, more), 503);
        assert_non_null(strstr(caller->body, "without a renderer"));
        drawn += mode->flat != NULL;
    }
    assert_true(drawn >= 8);
    assert_int_equal(call(caller, "GET", "/v1/info", NULL), 200);
    assert_string_equal(caller_text(caller, "renderer.draws"), "maps");
    assert_true(json_is_null(caller_member(caller, "renderer.backend")));
    assert_non_null(strstr(caller_text(caller, "renderer.reason"), "without a renderer"));
    assert_non_null(strstr(caller_text(caller, "renderer.map_modes"), "hillshade"));
}

static void jobs_of_maps_need_no_renderer(void **state)
{
    struct caller *caller = begin(state);
    size_t length, expected;
    char *made, *asked;

    shop_make(caller, "{\"kind\":\"render\",\"id\":\"a\",\"landscape\":\"land\",\"views\":[{"
                      "\"width\":96,\"height\":80,\"mode\":\"slope\",\"camera\":{\"fit\":true,"
                      "\"elevation\":90,\"azimuth\":0}}]}");
    made = shop_result(caller, "a", "0.png", &length);
    assert_non_null(made);
    asked = picture(caller, ABOVE, "&mode=slope", &expected);
    assert_int_equal(length, expected);
    assert_memory_equal(made, asked, length);
    free(made);
    free(asked);
    call(caller, "POST", "/v1/jobs",
         "{\"kind\":\"render\",\"landscape\":\"land\",\"views\":[{\"mode\":\"slope\",\"camera\":{"
         "\"fit\":true,\"elevation\":90}},{}]}");
    assert_refused(caller, 503, "/views/1");
}

/* ---- names of pictures ---- */

static void note_tag(struct caller *caller, const char *more, char tag[96])
{
    assert_int_equal(ask(caller, ABOVE, more), 200);
    snprintf(tag, 96, "%s", caller_header(caller, "ETag"));
    assert_string_equal(caller_header(caller, "Cache-Control"), "no-cache");
}

static void the_same_options_have_the_same_name(void **state)
{
    static const struct {
        const char *one, *other;
        bool same;
    } pairs[] = {
        { "&mode=height&ramp=gray", "&ramp=gray&mode=height", true },
        { "&mode=height", "&mode=height&ramp=auto&geometry=auto&draw_by=auto&quality=85", true },
        { "&mode=height", "&mode=height&fov=30&transparent=false&scale_bar=false&grid=0", true },
        { "&mode=height", "&mode=height&overlays=", true },
        { "&mode=height&range=1,2", "&mode=height&range=1.0,2e0", true },
        { "&mode=height", "&mode=height&range=1,2", false },
        { "&mode=height", "&mode=height&overlays=borders", false },
        { "&mode=height", "&mode=height&azimuth=202.5", false },
        { "&mode=height&azimuth=0", "&mode=height&azimuth=90", false },
    };
    struct caller *caller = begin(state);

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char one[96], other[96];

        print_message("%s and %s\n", pairs[i].one, pairs[i].other);
        note_tag(caller, pairs[i].one, one);
        note_tag(caller, pairs[i].other, other);
        assert_int_equal(strcmp(one, other) == 0, pairs[i].same);
    }
}

static void a_picture_that_is_known_is_not_sent_again(void **state)
{
    static const char target[] = ABOVE "&mode=height";
    struct caller *caller = begin(state);
    char tag[96], length[32];
    const char *said;

    note_tag(caller, "&mode=height", tag);
    snprintf(length, sizeof length, "%zu", caller->length);
    caller->if_none_match = tag;
    assert_int_equal(call(caller, "GET", target, NULL), 304);
    assert_int_equal(caller->length, 0);
    assert_string_equal(caller_header(caller, "ETag"), tag);
    caller->if_none_match = tag;
    assert_int_equal(call(caller, "HEAD", target, NULL), 304);
    assert_int_equal(call(caller, "HEAD", target, NULL), 200);
    assert_string_equal(caller_header(caller, "ETag"), tag);
    said = caller_header(caller, "Content-Type");
    assert_string_equal(said, "image/png");
    caller->if_none_match = "\"other\"";
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    land_edit(caller, "{\"tool\":\"raise\",\"path\":[[60,60]],\"radius\":9,\"amount\":5}");
    caller->if_none_match = tag;
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), tag);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, caller_begin, caller_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(an_option_that_a_mode_has_no_use_for_is_refused),
        EACH(members_and_list_are_the_same_overlays),
        EACH(what_no_overlay_can_be_is_refused_at_its_place),
        EACH(whoever_wants_c_is_told_what_is_no_map),
        EACH(without_a_renderer_maps_are_drawn),
        EACH(jobs_of_maps_need_no_renderer),
        EACH(the_same_options_have_the_same_name),
        EACH(a_picture_that_is_known_is_not_sent_again),
    };

    return cmocka_run_group_tests(tests, renderer_begin, renderer_end);
}
