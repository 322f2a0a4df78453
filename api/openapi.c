#include "api/openapi.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "api/media.h"
#include "api/member.h"
#include "api/schema.h"

enum { SETS_MOST = 32 };

/* The variants that any row reaches: their choices are components of the document. */
struct sets {
    const struct variant_set *found[SETS_MOST];
    size_t count;
};

static void sets_of(struct sets *sets, const struct shape *shape);

static void set_add(struct sets *sets, const struct variant_set *set)
{
    for (size_t i = 0; i < sets->count; i++)
        if (sets->found[i] == set)
            return;
    if (sets->count == SETS_MOST)
        return;
    sets->found[sets->count++] = set;
    for (int i = 0; i < set->count; i++)
        sets_of(sets, set->shapes[i]);
}

static void sets_of(struct sets *sets, const struct shape *shape)
{
    struct member member = { 0 };

    while (shape && member_next(shape, &member)) {
        if (member.field->variants)
            set_add(sets, member.field->variants);
        sets_of(sets, member.field->shape);
    }
}

static bool comes_apart(const struct field *field)
{
    return field->kind == FIELD_REALS || field->kind == FIELD_INTS ||
           field->kind == FIELD_NUMBERS || field->kind == FIELD_TEXTS ||
           field->kind == FIELD_POINTS || field->kind == FIELD_POINT || field->kind == FIELD_POINT3;
}

static void parameter(struct outline *outline, const struct field *field)
{
    struct field plain = *field;
    char room[DESCRIPTION_ROOM];

    plain.help = plain.unit = NULL;
    outline_open(outline, NULL, '{');
    outline_text(outline, "name", field->name);
    outline_text(outline, "in", field->in_path ? "path" : "query");
    if (*schema_description(field, room))
        outline_text(outline, "description", room);
    if (field->in_path || field->required)
        outline_bool(outline, "required", true);
    if (comes_apart(field)) {
        outline_text(outline, "style", field->in_path ? "simple" : "form");
        outline_bool(outline, "explode", false);
    }
    schema_field(outline, "schema", &plain, false);
    outline_close(outline);
}

/* A RECT and a place in a query are several parameters. */
static void parameters_of(struct outline *outline, const struct field *field)
{
    static const char *const sides[] = { "x", "y", "width", "height" };
    struct field part = { .kind = FIELD_INT, .unit = "vertices", .help = field->help };

    if (field->kind == FIELD_RECT) {
        for (int i = 0; i < 4; i++) {
            part.name = sides[i];
            part.required = field->required;
            parameter(outline, &part);
        }
    } else if (field->kind == FIELD_POINT && strchr(field->name, ',')) {
        part = *field;
        part.kind = FIELD_REAL;
        for (int i = 0; i < 2; i++) {
            part.name = sides[i];
            parameter(outline, &part);
        }
    } else {
        parameter(outline, field);
    }
}

/* What dispatch reads beside the row's own members. */
static void shared_parameters(struct outline *outline, const struct endpoint *row)
{
    if (strstr(row->path, "{landscape}"))
        parameter(outline, &(struct field){ .name = "landscape",
                                            .kind = FIELD_NAME,
                                            .in_path = true,
                                            .help = "The landscape's id" });
    if (row->framed)
        parameter(outline, &(struct field){ .name = "frame",
                                            .kind = FIELD_CHOICE,
                                            .words = frame_words,
                                            .has_value = !row->frame_of_place,
                                            .help = "What positions are measured in" });
    if (row->formats)
        parameter(outline, &(struct field){ .name = "format",
                                            .kind = FIELD_CHOICE,
                                            .words = row->formats,
                                            .help = "The answer's format, instead of Accept" });
    if (endpoint_takes_version(row))
        parameter(outline, &(struct field){ .name = "version",
                                            .kind = FIELD_INT64,
                                            .least = 1,
                                            .greatest = 9007199254740992.0,
                                            .help = "An older version, while it is kept" });
    if (endpoint_takes_author(row))
        parameter(outline, &(struct field){ .name = "author",
                                            .kind = FIELD_NAME,
                                            .help = "Who makes the change; where tokens are asked "
                                                    "for, only an admin may name another than the "
                                                    "token's" });
}

static void header_parameter(struct outline *outline, const char *name, const char *help)
{
    outline_open(outline, NULL, '{');
    outline_text(outline, "name", name);
    outline_text(outline, "in", "header");
    outline_text(outline, "description", help);
    outline_open(outline, "schema", '{');
    outline_text(outline, "type", "string");
    outline_close(outline);
    outline_close(outline);
}

static void parameters(struct outline *outline, const struct endpoint *row)
{
    struct member member = { 0 };

    outline_open(outline, "parameters", '[');
    shared_parameters(outline, row);
    while (row->asks && member_next(row->asks, &member))
        parameters_of(outline, member.field);
    if (row->conditional)
        header_parameter(outline, "If-Match",
                         "Versions, or *: change nothing if the landscape "
                         "has moved on");
    if (row->stream)
        header_parameter(outline, "Last-Event-ID", "The id of the last event that came through");
    outline_close(outline);
}

static void raw_media(struct outline *outline, const char *media)
{
    outline_open(outline, media, '{');
    outline_open(outline, "schema", '{');
    if (!media_is_json(media)) {
        outline_text(outline, "type", "string");
        if (strncmp(media, "text/", 5))
            outline_text(outline, "format", "binary");
    }
    outline_close(outline);
    outline_close(outline);
}

static void request_body(struct outline *outline, const struct endpoint *row)
{
    static const char *const json[] = { MEDIA_JSON, NULL };
    const char *const *media = row->media_in ? row->media_in : json;

    if (!row->takes && !row->media_in)
        return;
    outline_open(outline, "requestBody", '{');
    outline_bool(outline, "required", !row->body_optional);
    outline_open(outline, "content", '{');
    for (; *media; media++) {
        if (!row->takes || !media_is_json(*media)) {
            raw_media(outline, *media);
            continue;
        }
        outline_open(outline, *media, '{');
        schema_shape(outline, "schema", row->takes, false);
        if (row->example_body)
            outline_json(outline, "example", row->example_body);
        outline_close(outline);
    }
    outline_close(outline);
    outline_close(outline);
}

static void answer_content(struct outline *outline, const struct endpoint *row)
{
    static const char *const json[] = { MEDIA_JSON, NULL };
    const char *const *media = row->media_out ? row->media_out : json;

    outline_open(outline, "content", '{');
    for (int i = 0; media[i]; i++) {
        if (media_find(media, media[i]) < i) /* one media type may be two formats */
            continue;
        if (!row->answers || !media_is_json(media[i])) {
            raw_media(outline, media[i]);
            continue;
        }
        outline_open(outline, media[i], '{');
        schema_shape(outline, "schema", row->answers, true);
        outline_close(outline);
    }
    outline_close(outline);
}

static void response(struct outline *outline, const struct endpoint *row, int status)
{
    char code[8];

    snprintf(code, sizeof code, "%d", status);
    outline_open(outline, code, '{');
    outline_text(outline, "description",
                 status == 201   ? "Created"
                 : status == 202 ? "Accepted; Location names the job"
                 : status == 204 ? "Done"
                                 : row->summary);
    if (status != 204)
        answer_content(outline, row);
    outline_close(outline);
}

static void responses(struct outline *outline, const struct endpoint *row)
{
    outline_open(outline, "responses", '{');
    response(outline, row, 200);
    for (const int *status = row->statuses; status && *status; status++)
        response(outline, row, *status);
    if (!strcmp(row->method, "GET") && !row->unversioned) {
        outline_open(outline, "304", '{');
        outline_text(outline, "description", "Not changed since the ETag of If-None-Match");
        outline_close(outline);
    }
    outline_open(outline, "default", '{');
    outline_text(outline, "$ref", "#/components/responses/Problem");
    outline_close(outline);
    outline_close(outline);
}

static void security(struct outline *outline, const struct endpoint *row)
{
    static const char *const scopes[] = { NULL, "read", "edit", "admin" };

    outline_open(outline, "security", '[');
    if (row->scope != SCOPE_OPEN) {
        outline_open(outline, NULL, '{');
        outline_open(outline, "token", '[');
        outline_text(outline, NULL, scopes[row->scope]);
        outline_close(outline);
        outline_close(outline);
    }
    outline_close(outline);
}

static void operation(struct outline *outline, const struct endpoint *row)
{
    char method[16] = "", id[160];
    size_t used = 0;

    for (size_t i = 0; row->method[i] && i < sizeof method - 1; i++)
        method[i] = (char)tolower((unsigned char)row->method[i]);
    used = (size_t)snprintf(id, sizeof id, "%s", method);
    for (const char *at = row->path; *at && used < sizeof id - 2; at++) {
        bool letter = isalnum((unsigned char)*at) != 0;
        if (letter || id[used - 1] != '_')
            id[used++] = letter ? *at : '_';
    }
    while (used && id[used - 1] == '_')
        used--;
    id[used] = '\0';
    outline_open(outline, method, '{');
    outline_text(outline, "operationId", id);
    outline_text(outline, "summary", row->summary);
    security(outline, row);
    parameters(outline, row);
    request_body(outline, row);
    responses(outline, row);
    outline_close(outline);
}

/* Rows of one path are one object, where its first row stands. */
static void paths(struct outline *outline, const struct endpoint *const *rows, size_t count)
{
    outline_open(outline, "paths", '{');
    for (size_t i = 0; i < count; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen = seen || !strcmp(rows[j]->path, rows[i]->path);
        if (seen)
            continue;
        outline_open(outline, rows[i]->path, '{');
        for (size_t j = i; j < count; j++)
            if (!strcmp(rows[j]->path, rows[i]->path))
                operation(outline, rows[j]);
        outline_close(outline);
    }
    outline_close(outline);
}

static void problem_schema(struct outline *outline)
{
    static const struct {
        const char *name, *type, *help;
    } members[] = {
        { "type", "string", "/problems/ and the problem's slug" },
        { "title", "string", "The kind of problem" },
        { "status", "integer", "The HTTP status" },
        { "detail", "string", "What to mend" },
        { "pointer", "string", "The member of the body (RFC 6901)" },
        { "parameter", "string", "The parameter of the query or path" },
    };

    outline_open(outline, "Problem", '{');
    outline_text(outline, "type", "object");
    outline_open(outline, "properties", '{');
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        outline_open(outline, members[i].name, '{');
        outline_text(outline, "type", members[i].type);
        outline_text(outline, "description", members[i].help);
        outline_close(outline);
    }
    outline_close(outline);
    outline_json(outline, "required", "[\"type\", \"title\", \"status\", \"detail\"]");
    outline_close(outline);
}

static void schemas(struct outline *outline, const struct endpoint *const *rows, size_t count)
{
    struct sets sets = { .count = 0 };
    char key[160];

    for (size_t i = 0; i < count; i++) {
        sets_of(&sets, rows[i]->takes);
        sets_of(&sets, rows[i]->answers);
    }
    outline_open(outline, "schemas", '{');
    problem_schema(outline);
    for (size_t i = 0; i < sets.count; i++) {
        for (int j = 0; j < sets.found[i]->count; j++) {
            snprintf(key, sizeof key, "%s_%s", schema_set_name(sets.found[i]),
                     sets.found[i]->words[j]);
            schema_choice(outline, key, sets.found[i], j, false);
        }
    }
    outline_close(outline);
}

static void components(struct outline *outline, const struct endpoint *const *rows, size_t count)
{
    outline_open(outline, "components", '{');
    schemas(outline, rows, count);
    outline_open(outline, "responses", '{');
    outline_open(outline, "Problem", '{');
    outline_text(outline, "description", "What was wrong, and what to mend (RFC 9457)");
    outline_open(outline, "content", '{');
    outline_open(outline, MEDIA_PROBLEM, '{');
    outline_json(outline, "schema", "{ \"$ref\": \"#/components/schemas/Problem\" }");
    outline_close(outline);
    outline_close(outline);
    outline_close(outline);
    outline_close(outline);
    outline_open(outline, "securitySchemes", '{');
    outline_open(outline, "token", '{');
    outline_text(outline, "type", "http");
    outline_text(outline, "scheme", "bearer");
    outline_close(outline);
    outline_close(outline);
    outline_close(outline);
}

bool openapi_write(const struct endpoint *const *rows, size_t count, const char *version,
                   struct bytes *to, struct fault *why)
{
    struct outline outline = { 0 };

    outline_open(&outline, NULL, '{');
    outline_text(&outline, "openapi", "3.1.0");
    outline_open(&outline, "info", '{');
    outline_text(&outline, "title", "landscaped");
    outline_text(&outline, "version", version);
    outline_text(&outline, "summary", "Edit, query and look at landscapes");
    outline_close(&outline);
    paths(&outline, rows, count);
    components(&outline, rows, count);
    return outline_end(&outline, to, why);
}
