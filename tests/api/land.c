#include "tests/api/land.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/inputs.h"

struct caller *land_begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(
        call(caller, "PUT", LAND, "{\"layout\":{\"components\":[2,2],\"section_quads\":63}}"), 201);
    return caller;
}

struct caller *land_begin_with(void **state, const char *file)
{
    struct caller *caller = *state;
    size_t length;
    unsigned char *data = input_read(file, &length);

    call(caller, "DELETE", LAND, NULL);
    caller->type = "image/png";
    assert_int_equal(call_bytes(caller, "POST",
                                LAND "/import?fit=exact&section_quads=63&sections_per_component=1",
                                data, length),
                     201);
    free(data);
    return caller;
}

void land_post(struct caller *caller, const char *target, const char *body)
{
    if (call(caller, "POST", target, body) / 100 != 2)
        fail_msg("%s %s: %s", target, body ? body : "", caller->body);
}

void land_edit(struct caller *caller, const char *op)
{
    char body[1024];

    snprintf(body, sizeof body, "{\"ops\":[%s]}", op);
    land_post(caller, LAND "/edits?frame=grid", body);
}

double land_version(struct caller *caller)
{
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    return caller_number(caller, "version");
}

char *land_take(struct caller *caller, const char *target, size_t *length)
{
    char *bytes;

    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
    bytes = malloc(caller->length + 1);
    memcpy(bytes, caller->body, caller->length);
    *length = caller->length;
    return bytes;
}

const uint16_t *land_codes(struct caller *caller)
{
    assert_int_equal(call(caller, "GET", LAND "/heights?format=r16", NULL), 200);
    return (const uint16_t *)(const void *)caller->body;
}

void assert_land_codes(struct caller *caller, uint16_t expected)
{
    const uint16_t *now = land_codes(caller);

    for (size_t i = 0; i < caller->length / 2; i++)
        assert_int_equal(now[i], expected);
}

int land_weight(struct caller *caller, const char *layer, int x, int y)
{
    char target[120];

    snprintf(target, sizeof target, LAND "/weights/%s?format=r8&x=%d&y=%d&width=1&height=1", layer,
             x, y);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    return (uint8_t)caller->body[0];
}

struct caller *land_begin_with_all(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");

    caller_paint(caller, "land", "a", true);
    caller_paint(caller, "land", "b", true);
    caller_paint(caller, "land", "free", false);
    land_edit(caller,
              "{\"tool\":\"hole\",\"path\":[[20,30],[90,100]],\"radius\":5,\"spacing\":4},"
              "{\"tool\":\"hole\",\"region\":{\"x\":125,\"y\":125,\"width\":1,\"height\":1}},"
              "{\"tool\":\"paint\",\"layer\":\"a\",\"target\":255," LAND_ALL "},"
              "{\"tool\":\"paint\",\"layer\":\"b\",\"amount\":200,\"path\":[[60,60]],"
              "\"radius\":40},"
              "{\"tool\":\"paint\",\"layer\":\"free\",\"amount\":77,\"path\":[[126,126]],"
              "\"radius\":20}");
    land_post(caller, LAND "/edit-layers", "{\"name\":\"top\"}");
    land_post(caller, LAND "/edits",
              "{\"edit_layer\":\"top\",\"ops\":[{\"tool\":\"raise\",\"amount\":2.5,"
              "\"path\":[[63,63]],\"radius\":30},{\"tool\":\"paint\",\"layer\":\"b\",\"amount\":31,"
              "\"path\":[[10,10]],\"radius\":9}]}");
    return caller;
}
