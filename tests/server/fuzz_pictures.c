/* Pictures that nobody thought of: requests made from the rows that describe them, sound ones and
 * hostile ones, each held to what every picture keeps to. LANDSCAPED_SOAK makes a hundred times as
 * many; FUZZ_SEED begins elsewhere, and a failure names the seed that comes back to it alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include "api/endpoint.h"
#include "api/pictures/drawing.h"
#include "tests/server/harness.h"

enum { ROUNDS = 100, OPTIONS_MOST = 16, FIELDS_MOST = 64, SIDE_MOST = 72, TAGS_MOST = 1 << 16 };

static const char json[] = "Content-Type: application/json\r\n";

/* ---- chance ---- */

static uint64_t chance;

/* splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t draw(void)
{
    uint64_t z = chance += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int below(int count)
{
    return (int)(draw() % (uint64_t)count);
}

static bool one_in(int count)
{
    return below(count) == 0;
}

static double share(void)
{
    return (double)(draw() >> 11) * 0x1p-53;
}

/* ---- landscapes ---- */

struct land {
    const char *id, *document;
    const char *edits[4];
    const char *layers[2]; /* of paint, some that there are */
};

#define WHOLE "\"region\":{\"x\":0,\"y\":0,\"width\":127,\"height\":127}"
#define SQUARE(more)                                                                               \
    "{\"layout\":{\"components\":[2,2],\"sections_per_component\":1,\"section_quads\":63}" more "}"
#define HILL                                                                                       \
    "{\"ops\":[{\"tool\":\"raise\",\"path\":[[60,60]],\"radius\":50,\"amount\":30},"               \
    "{\"tool\":\"noise\"," WHOLE ",\"amplitude\":4,\"cell\":16,\"seed\":3}]}"

static const struct land lands[] = {
    { "flat", SQUARE(""), { NULL }, { NULL } },
    { "hill", SQUARE(""), { HILL }, { NULL } },
    { "small",
      "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,\"section_quads\":7}}",
      { "{\"ops\":[{\"tool\":\"raise\",\"path\":[[3,3]],\"radius\":3,\"amount\":2}]}" },
      { NULL } },
    { "long",
      "{\"layout\":{\"components\":[5,1],\"sections_per_component\":2,\"section_quads\":15}}",
      { "{\"ops\":[{\"tool\":\"raise\",\"path\":[[20,9],[90,20]],\"radius\":12,\"amount\":9}]}" },
      { NULL } },
    { "holes",
      SQUARE(""),
      { HILL, "{\"ops\":[{\"tool\":\"hole\",\"path\":[[40,60],[90,70]],\"radius\":7}]}" },
      { NULL } },
    { "huge", SQUARE(",\"scale\":[1000,1000,50]"), { HILL }, { NULL } },
    { "tiny", SQUARE(",\"scale\":[0.01,0.01,0.002],\"origin\":[1e6,-1e6,0]"), { HILL }, { NULL } },
    { "moved", SQUARE(""), { HILL }, { NULL } },
    { "painted",
      SQUARE(",\"layers\":[{\"name\":\"grass\"},{\"name\":\"rock\"},{\"name\":\"sand\"},"
             "{\"name\":\"snow\"},{\"name\":\"soil\"}]"),
      { HILL,
        "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":200," WHOLE "},"
        "{\"tool\":\"paint\",\"layer\":\"rock\",\"target\":120,\"path\":[[50,50]],\"radius\":40},"
        "{\"tool\":\"paint\",\"layer\":\"snow\",\"target\":90,\"path\":[[80,60]],\"radius\":30}]"
        "}" },
      { "rock", "soil" } },
};
enum { LANDS = sizeof lands / sizeof *lands };

/* Every vertex of a square aside, by up to two quads. */
static void move_aside(const struct served *served, const char *id)
{
    static uint8_t pairs[127 * 127][4];
    struct answer answer;
    char target[80];

    for (int i = 0; i < 127 * 127; i++)
        for (int axis = 0; axis < 2; axis++) {
            unsigned code = 0x8000u + (unsigned)(512 * sin(i % 127 * 0.05 + i / 127 * 0.07 + axis));

            pairs[i][2 * axis] = (uint8_t)code;
            pairs[i][2 * axis + 1] = (uint8_t)(code >> 8);
        }
    snprintf(target, sizeof target, "/v1/landscapes/%s/offsets?width=127&height=127", id);
    served_ask(served, "PUT", target, "Content-Type: application/x-r16\r\n", pairs, sizeof pairs,
               &answer);
    if (answer.status != 200)
        fail_msg("%s: %d %.300s", target, answer.status, (const char *)answer.body);
    answer_free(&answer);
}

static int serve(void **state)
{
    static const char *const options[] = { "--renderers", "2", NULL };
    struct served *served = served_start(options);
    char target[80];

    assert_non_null(served);
    for (int i = 0; i < LANDS; i++) {
        snprintf(target, sizeof target, "/v1/landscapes/%s", lands[i].id);
        served_expect(served, "PUT", target, lands[i].document, 201);
        snprintf(target, sizeof target, "/v1/landscapes/%s/edits", lands[i].id);
        for (int k = 0; lands[i].edits[k]; k++)
            served_expect(served, "POST", target, lands[i].edits[k], 200);
    }
    move_aside(served, "moved");
    *state = served;
    return 0;
}

/* ---- requests ---- */

struct option {
    const struct field *field;
    char text[160]; /* as in a query, before escapes */
};

struct asking {
    const struct land *land;
    const struct endpoint *row; /* of the address alone */
    struct option options[OPTIONS_MOST];
    int count, width, height;
};

struct fields {
    const struct field *of[FIELDS_MOST];
    int count;
};

static bool note_field(const struct field *field, int index, void *context)
{
    struct fields *fields = context;

    (void)index;
    assert_true(fields->count < FIELDS_MOST);
    fields->of[fields->count++] = field;
    return true;
}

/* Pictures by their address alone: a row for each kind of file. */
static const struct endpoint *a_row(void)
{
    const struct endpoint *found[16];
    int count = 0;

    for (size_t i = 0; i < endpoint_count; i++)
        if (strstr(endpoints[i]->path, "{landscape}/render.") && count < 16)
            found[count++] = endpoints[i];
    assert_true(count >= 3);
    return found[below(count)];
}

static double number_of(const struct field *field)
{
    double least = field->least, greatest = field->greatest;

    switch (below(8)) {
    case 0:
        return field->above_least ? (least + greatest) / 2 : least;
    case 1:
        return greatest;
    case 2:
        return fmin(fmax(0, least), greatest) +
               (field->above_least ? 1e-3 * (greatest - least) : 0);
    case 3: /* small ones of a wide range */
        return fmin(fmax(exp(12 * share() - 3), least), greatest);
    default:
        return least + (greatest - least) * (0.01 + 0.98 * share());
    }
}

static const char *word_of(const char *const *words)
{
    int count = 0;

    while (words[count])
        count++;
    return words[below(count)];
}

/* Something that the row allows; false where that cannot be had. */
static bool write_sound(const struct land *land, const struct field *field, char *text, size_t room)
{
    switch (field->kind) {
    case FIELD_BOOL:
        snprintf(text, room, "%s", one_in(2) ? "true" : "false");
        return true;
    case FIELD_INT:
    case FIELD_INT64:
        snprintf(text, room, "%.0f", floor(number_of(field)));
        return true;
    case FIELD_REAL:
        snprintf(text, room, "%.9g", number_of(field));
        return true;
    case FIELD_PICK:
        if (one_in(2))
            snprintf(text, room, "%s", word_of(field->words));
        else
            snprintf(text, room, "%.9g", number_of(field));
        return true;
    case FIELD_CHOICE:
        snprintf(text, room, "%s", word_of(field->words));
        return true;
    case FIELD_REALS: {
        double first = number_of(field), second = number_of(field);

        snprintf(text, room, "%.9g,%.9g", fmin(first, second), fmax(first, second));
        return field->count == 2;
    }
    case FIELD_NAME:
        snprintf(text, room, "%s", land->layers[0] ? land->layers[below(2)] : "");
        return land->layers[0];
    case FIELD_TEXT:
        snprintf(text, room, "#%06x", (unsigned)(draw() & 0xffffff));
        return !strcmp(field->name, "water_color");
    case FIELD_TEXTS:
        snprintf(text, room, "%s,%s", word_of(picture_overlay_names),
                 word_of(picture_overlay_names));
        return !strcmp(field->name, "overlays");
    default:
        return false;
    }
}

static bool is_asked(const struct asking *asking, const char *name)
{
    for (int i = 0; i < asking->count; i++)
        if (!strcmp(asking->options[i].field->name, name))
            return true;
    return false;
}

static void add_option(struct asking *asking, const struct field *field)
{
    struct option *option = &asking->options[asking->count];

    option->field = field;
    if (is_asked(asking, field->name))
        return;
    if (!strcmp(field->name, "width"))
        snprintf(option->text, sizeof option->text, "%d", asking->width);
    else if (!strcmp(field->name, "height"))
        snprintf(option->text, sizeof option->text, "%d", asking->height);
    else if (!strcmp(field->name, "against"))
        snprintf(option->text, sizeof option->text, "1");
    else if (!write_sound(asking->land, field, option->text, sizeof option->text))
        return;
    asking->count++;
}

static const struct field *field_called(const struct fields *fields, const char *name)
{
    for (int i = 0; i < fields->count; i++)
        if (!strcmp(fields->of[i]->name, name))
            return fields->of[i];
    fail_msg("no row is called %s", name);
    return NULL;
}

/* The mode is most often one that is satisfied: what it needs and nothing that it has no use for.
 */
static void make_asking(struct asking *asking)
{
    struct fields fields = { .count = 0 };
    const struct render_mode *mode = NULL;

    *asking = (struct asking){ .land = &lands[below(LANDS)],
                               .row = a_row(),
                               .width = 1 + below(SIDE_MOST),
                               .height = 1 + below(SIDE_MOST) };
    shape_each(asking->row->asks, note_field, &fields);
    add_option(asking, field_called(&fields, "width"));
    add_option(asking, field_called(&fields, "height"));
    if (!one_in(4)) {
        add_option(asking, field_called(&fields, "mode"));
        for (int i = 0; i < RENDER_MODES; i++)
            if (!strcmp(render_mode_names[i], asking->options[2].text))
                mode = render_modes[i];
    }
    if (mode && mode->hears & MODE_HEARS_LAYER)
        add_option(asking, field_called(&fields, "layer"));
    if (mode && mode->hears & MODE_HEARS_AGAINST)
        add_option(asking, field_called(&fields, "against"));
    if (one_in(3)) { /* a map, which C may draw */
        add_option(asking, field_called(&fields, "elevation"));
        if (asking->options[asking->count - 1].field->greatest == 90)
            snprintf(asking->options[asking->count - 1].text, 8, "90");
    }
    for (int more = below(5); more > 0; more--)
        add_option(asking, fields.of[below(fields.count)]);
}

static void put_escaped(char **to, const char *text)
{
    for (; *text; text++)
        *to += sprintf(*to, strchr("#%&+ ", *text) ? "%%%02X" : "%c", (unsigned char)*text);
}

static void write_target(const struct asking *asking, char *target)
{
    const char *kind = strrchr(asking->row->path, '.');
    char *to = target + sprintf(target, "/v1/landscapes/%s/render%s", asking->land->id, kind);

    for (int i = 0; i < asking->count; i++) {
        to += sprintf(to, "%c%s=", i ? '&' : '?', asking->options[i].field->name);
        put_escaped(&to, asking->options[i].text);
    }
}

static void put_value(char **to, const struct option *option)
{
    const char *text = option->text;

    switch (option->field->kind) {
    case FIELD_REALS:
        *to += sprintf(*to, "[%s]", text);
        break;
    case FIELD_TEXTS:
        *to +=
            sprintf(*to, "[\"%.*s\",\"%s\"]", (int)strcspn(text, ","), text, strchr(text, ',') + 1);
        break;
    case FIELD_TEXT:
    case FIELD_NAME:
    case FIELD_CHOICE:
        *to += sprintf(*to, "\"%s\"", text);
        break;
    default:
        *to += sprintf(*to,
                       strspn(text, "0123456789.+-e") == strlen(text) || !strcmp(text, "true") ||
                               !strcmp(text, "false")
                           ? "%s"
                           : "\"%s\"",
                       text);
    }
}

/* Where a body has what an address says flatly: "camera" or "sun", and the member's name there. */
static const char *object_of(const char *name, const char **member)
{
    *member = !strncmp(name, "sun_", 4) ? name + 4 : name;
    return *member != name                                          ? "sun"
           : !strcmp(name, "fov")                                   ? "camera"
           : !strcmp(name, "azimuth") || !strcmp(name, "elevation") ? "seen"
           : !strcmp(name, "distance")                              ? "seen"
                                                                    : NULL;
}

static void put_object(char **to, const struct asking *asking, const char *object)
{
    for (int i = 0, first = 1; i < asking->count; i++) {
        const char *member, *in = object_of(asking->options[i].field->name, &member);

        if (in ? strcmp(in, object) : *object)
            continue;
        *to += sprintf(*to, "%s\"%s\":", first ? "" : ",", member);
        put_value(to, &asking->options[i]);
        first = 0;
    }
}

/* The same picture as a body asks for it. */
static void write_body(const struct asking *asking, const char *format, char *body)
{
    bool orbit = is_asked(asking, "distance");
    char *to = body;

    to += sprintf(to, "{");
    put_object(&to, asking, "");
    to += sprintf(to, ",\"format\":\"%s\",\"sun\":{", format);
    put_object(&to, asking, "sun");
    to += sprintf(to, "},\"camera\":{");
    put_object(&to, asking, "camera");
    if (to[-1] != '{')
        *to++ = ',';
    to += sprintf(to, orbit ? "\"orbit\":{" : "\"fit\":true");
    if (!orbit && (is_asked(asking, "azimuth") || is_asked(asking, "elevation")))
        *to++ = ',';
    put_object(&to, asking, "seen");
    sprintf(to, orbit ? "}}}" : "}}");
}

/* ---- what every answer keeps to ---- */

static void decode(const struct answer *answer, const char *media, int *width, int *height)
{
    if (!strcmp(media, "image/png")) {
        png_image image = { .version = PNG_IMAGE_VERSION };
        uint8_t *pixels;

        assert_true(png_image_begin_read_from_memory(&image, answer->body, answer->length));
        image.format = PNG_FORMAT_RGBA;
        pixels = malloc(PNG_IMAGE_SIZE(image));
        assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
        free(pixels);
        *width = (int)image.width;
        *height = (int)image.height;
    } else if (!strcmp(media, "image/jpeg")) {
        static uint8_t pixels[4 * SIDE_MOST * SIDE_MOST];
        tjhandle handle = tjInitDecompress();
        int sampling, space;

        assert_int_equal(tjDecompressHeader3(handle, answer->body, answer->length, width, height,
                                             &sampling, &space),
                         0);
        assert_true(*width <= SIDE_MOST && *height <= SIDE_MOST);
        assert_int_equal(tjDecompress2(handle, answer->body, answer->length, pixels, *width, 0,
                                       *height, TJPF_RGBA, 0),
                         0);
        tjDestroy(handle);
    } else {
        uint8_t *pixels = WebPDecodeRGBA(answer->body, answer->length, width, height);

        assert_string_equal(media, "image/webp");
        assert_non_null(pixels);
        WebPFree(pixels);
    }
}

/* ETags that have been seen, and of which bytes. */
static struct {
    uint64_t tag, body;
} tags[TAGS_MOST];

static uint64_t hash(const void *data, size_t length, uint64_t h)
{
    const unsigned char *byte = data;

    for (size_t i = 0; i < length; i++)
        h = (h ^ byte[i]) * 0x100000001b3u; /* FNV-1a */
    return h;
}

/* False when the tag is that of other bytes. */
static bool tag_fits(const char *tag, const char *land, const struct answer *answer)
{
    uint64_t tagged = hash(tag, strlen(tag), hash(land, strlen(land), 0xcbf29ce484222325u)) | 1;
    uint64_t body = hash(answer->body, answer->length, 0xcbf29ce484222325u);
    size_t at = tagged % TAGS_MOST;

    while (tags[at].tag && tags[at].tag != tagged)
        at = (at + 1) % TAGS_MOST;
    if (!tags[at].tag) {
        tags[at].tag = tagged;
        tags[at].body = body;
    }
    return tags[at].body == body;
}

static double drawn_so_far(const struct served *served)
{
    return served_metric(served, "landscaped_pictures_total");
}

/* A refusal names its kind, its reason and its place, and costs nothing. */
static const char *refusal_wrong(const struct served *served, const struct answer *answer,
                                 double drawn)
{
    const char *body = (const char *)answer->body, *media = answer_header(answer, "Content-Type");

    if (answer->status != 400 && answer->status != 404 && answer->status != 413 &&
        answer->status != 422)
        return "no status of a refusal";
    if (!media || strcmp(media, "application/problem+json"))
        return "no problem+json";
    if (!strstr(body, "\"type\":\"/problems/") || !strstr(body, "\"detail\":\""))
        return "without type or detail";
    if (answer->status == 400 && !strstr(body, "\"parameter\":\"") &&
        !strstr(body, "\"pointer\":\""))
        return "without a place";
    if (drawn_so_far(served) != drawn)
        return "refused after a picture was drawn";
    return NULL;
}

static bool same(const struct answer *a, const struct answer *b)
{
    return a->status == b->status && a->length == b->length && !memcmp(a->body, b->body, a->length);
}

static const char *picture_wrong(const struct served *served, const struct asking *asking,
                                 const char *target, const struct answer *answer)
{
    const char *media = answer_header(answer, "Content-Type"), *why = NULL;
    char body[4096], posted[80], tag[128];
    struct answer other;
    int width, height;

    if (!media || strcmp(media, asking->row->media_out[0]))
        return "another media type";
    decode(answer, media, &width, &height);
    if (width != asking->width || height != asking->height)
        return "another size";
    if (!answer_header(answer, "ETag"))
        return "without an ETag";
    snprintf(tag, sizeof tag, "%s", answer_header(answer, "ETag"));
    if (!tag_fits(tag, asking->land->id, answer))
        return "an ETag that other bytes have";
    served_ask(served, "GET", target, NULL, NULL, 0, &other);
    if (!same(answer, &other) || strcmp(answer_header(&other, "ETag"), tag))
        why = "another answer the second time";
    answer_free(&other);
    write_body(asking, strrchr(asking->row->media_out[0], '/') + 1, body);
    snprintf(posted, sizeof posted, "/v1/landscapes/%s/render", asking->land->id);
    served_ask(served, "POST", posted, json, body, strlen(body), &other);
    if (!same(answer, &other)) {
        print_message("%s\n%d %.300s\n", body, other.status,
                      other.status == 200 ? "" : (const char *)other.body);
        why = "another picture as a body";
    }
    answer_free(&other);
    return why;
}

/* ---- the tests ---- */

static uint64_t first_seed(void)
{
    return getenv("FUZZ_SEED") ? strtoull(getenv("FUZZ_SEED"), NULL, 0) : 1;
}

static int rounds(int usually)
{
    return getenv("FUZZ_SEED") ? 1 : getenv("LANDSCAPED_SOAK") ? 100 * usually : usually;
}

static void every_sound_request_is_drawn_or_refused_with_its_place(void **state)
{
    const struct served *served = *state;
    const int count = rounds(ROUNDS);
    int drawn = 0, refused = 0;

    for (int i = 0; i < count; i++) {
        const uint64_t seed = first_seed() + (uint64_t)i;
        double before = drawn_so_far(served);
        struct asking asking;
        struct answer answer;
        char target[4096];
        const char *why;

        chance = seed << 20;
        make_asking(&asking);
        write_target(&asking, target);
        served_ask(served, "GET", target, NULL, NULL, 0, &answer);
        if (answer.status == 200)
            why = picture_wrong(served, &asking, target, &answer);
        else
            why = refusal_wrong(served, &answer, before);
        if (why)
            fail_msg("FUZZ_SEED=%llu: %s: %d, %s\n%.600s", (unsigned long long)seed, target,
                     answer.status, why, answer.status == 200 ? "" : (const char *)answer.body);
        drawn += answer.status == 200;
        refused += answer.status != 200;
        answer_free(&answer);
    }
    print_message("%d drawn, %d refused\n", drawn, refused);
    assert_true(count == 1 || drawn > count / 4);
}

static const char *const hostile[] = {
    "",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e999",
    "-0",
    "0x10",
    "1e-320",
    "2147483648",
    "-1",
    "99999999999999999999",
    "null",
    "true",
    "[]",
    "{}",
    "1,2,3,4,5,6,7,8,9",
    ",",
    ",,,",
    "%00",
    "%",
    "%zz",
    "../../etc/passwd",
    "\xff\xfe",
    "'",
    "\"",
    "1;2",
    "1 ",
    " 1",
    "+1",
    "1.5.5",
    "auto",
    "lit",
    "#12345",
    "rock",
    "\xe2\x82\xac",
    "a%26mode=lit",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* One value, name or order of a sound request is spoilt. */
static void spoil(struct asking *asking, char *target)
{
    int which = 2 + below(asking->count > 2 ? asking->count - 2 : 1);
    char *to;

    if (which < asking->count && !one_in(4))
        snprintf(asking->options[which].text, sizeof asking->options[which].text, "%s",
                 hostile[below(HOSTILE)]);
    if (one_in(6)) { /* sides too, but none so large that it would only take long */
        static const char *const sides[] = { "0", "-5", "32769", "1e3", "7.5", "", "65536" };

        snprintf(asking->options[below(2)].text, 16, "%s", sides[below(7)]);
    }
    write_target(asking, target);
    to = target + strlen(target);
    if (one_in(5)) /* as it comes, without escapes */
        sprintf(to, "&%s=%s", asking->options[below(asking->count)].field->name,
                one_in(2) ? "%zz" : "%00");
    else if (one_in(5))
        sprintf(to, "&%s=%s", asking->options[0].field->name, asking->options[0].text); /* again */
    else if (one_in(8))
        sprintf(to, "&%s", "wdith=5");
}

static void no_hostile_request_does_more_than_be_refused(void **state)
{
    const struct served *served = *state;
    const int count = rounds(2 * ROUNDS);
    int refused = 0;

    for (int i = 0; i < count; i++) {
        const uint64_t seed = first_seed() + (uint64_t)i;
        double before = drawn_so_far(served);
        struct asking asking;
        struct answer answer;
        char target[8192];
        const char *why = NULL;

        chance = (seed << 20) + (1 << 19);
        make_asking(&asking);
        spoil(&asking, target);
        served_ask(served, "GET", target, NULL, NULL, 0, &answer);
        if (answer.status != 200)
            why = refusal_wrong(served, &answer, before);
        if (why)
            fail_msg("FUZZ_SEED=%llu: %s: %d, %s\n%.600s", (unsigned long long)seed, target,
                     answer.status, why, (const char *)answer.body);
        refused += answer.status != 200;
        answer_free(&answer);
    }
    print_message("%d of %d refused\n", refused, count);
    assert_true(count == 1 || refused > count / 3);
}

static float float_at(const struct answer *answer, size_t i)
{
    float value;

    memcpy(&value, answer->body + 4 * i, sizeof value);
    return value;
}

/* What a pixel may hold; see render/outputs.def. */
static bool may_be(int output, const struct answer *answer, size_t i)
{
    const unsigned char *bytes = answer->body + 4 * i;
    double value = (double)float_at(answer, i), length = 0;

    switch (output) {
    case RENDER_OUTPUT_depth:
        return value > 0; /* infinite where there is nothing */
    case RENDER_OUTPUT_height:
        return isnan(value) || (value > -1e7 && value < 1e7);
    case RENDER_OUTPUT_normal:
        for (int k = 0; k < 3; k++)
            length += (double)(int8_t)bytes[k] * (int8_t)bytes[k];
        return bytes[3] == 0 ? length == 0 : bytes[3] == 127 && fabs(sqrt(length) - 127) < 2;
    case RENDER_OUTPUT_id:
        return bytes[3] < 0x10;
    default:
        return bytes[3] == 255;
    }
}

static void every_output_of_every_geometry_and_mode_holds_what_it_may(void **state)
{
    const struct served *served = *state;
    const int count = rounds(ROUNDS / 2);

    for (int i = 0; i < count; i++) {
        const uint64_t seed = first_seed() + (uint64_t)i;
        struct answer answer;
        char target[80], body[400];
        int width, height, output, geometry;
        const struct land *land;

        chance = (seed << 20) + (1 << 18);
        land = &lands[below(LANDS)];
        width = 1 + below(SIDE_MOST);
        height = 1 + below(SIDE_MOST);
        output = i % RENDER_OUTPUTS;
        geometry = below(RENDER_GEOMETRIES);
        snprintf(target, sizeof target, "/v1/landscapes/%s/render", land->id);
        snprintf(
            body, sizeof body,
            "{\"width\":%d,\"height\":%d,\"output\":\"%s\",\"geometry\":\"%s\","
            "\"format\":\"raw\",\"camera\":{\"fit\":true,\"azimuth\":%.3f,\"elevation\":%.3f}}",
            width, height, render_outputs[output], render_geometries[geometry], 360 * share(),
            5 + 85 * share());
        served_ask(served, "POST", target, json, body, strlen(body), &answer);
        if (answer.status != 200 || answer.length != 4 * (size_t)width * (size_t)height)
            fail_msg("FUZZ_SEED=%llu: %s %s: %d, %zu bytes %.300s", (unsigned long long)seed,
                     target, body, answer.status, answer.length,
                     answer.status == 200 ? "" : (const char *)answer.body);
        for (size_t k = 0; k < answer.length / 4; k++)
            if (!may_be(output, &answer, k))
                fail_msg("FUZZ_SEED=%llu: %s %s: pixel %zu is %g, %02x%02x%02x%02x",
                         (unsigned long long)seed, target, body, k, (double)float_at(&answer, k),
                         answer.body[4 * k], answer.body[4 * k + 1], answer.body[4 * k + 2],
                         answer.body[4 * k + 3]);
        answer_free(&answer);
    }
}

static int stop(void **state)
{
    struct served *served = *state;
    bool calm = served && served_metric_becomes(served, "landscaped_pictures_waiting", 0);
    int status = served ? served_stop(served) : 0;

    served_free(served);
    return calm && status == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sound_request_is_drawn_or_refused_with_its_place),
        cmocka_unit_test(no_hostile_request_does_more_than_be_refused),
        cmocka_unit_test(every_output_of_every_geometry_and_mode_holds_what_it_may),
    };

    return cmocka_run_group_tests(tests, serve, stop);
}
