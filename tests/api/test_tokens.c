/* Who may do what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/digest.h"
#include "api/dispatch.h"
#include "api/tokens.h"

static char file[] = "/tmp/landscaped-tokens-XXXXXX";
static char tokens_of[3][TOKEN_ROOM]; /* read, edit, admin */
static struct tokens *tokens;
static struct service service;

static int begin(void **state)
{
    static const char *const scopes[] = { "read", "read,edit", "admin" };
    int descriptor = mkstemp(file);
    FILE *to = fdopen(descriptor, "w");
    struct fault why;

    (void)state;
    fprintf(to, "# who may do what\n\n");
    for (int i = 0; i < 3; i++) {
        char line[TOKEN_LINE_ROOM], name[8];
        snprintf(name, sizeof name, "user-%d", i);
        if (!token_make(name, scopes[i], tokens_of[i], line, &why))
            return -1;
        fprintf(to, "%s\n", line);
    }
    fclose(to);
    if (!tokens_load(file, &tokens, &why))
        return -1;
    limits_init(&service.limits);
    service.tokens = tokens;
    service.version = "test";
    service.routes = routes_new(endpoints, endpoint_count, &why);
    return service.routes ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    unlink(file);
    tokens_free(tokens);
    routes_free((struct routes *)(uintptr_t)service.routes);
    return 0;
}

static void the_digest_is_sha_256(void **state)
{
    static const struct {
        const char *text;
        const char *digest;
    } known[] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint8_t digest[DIGEST_BYTES];
        char text[2 * DIGEST_BYTES + 1];
        digest_sha256(known[i].text, strlen(known[i].text), digest);
        for (int j = 0; j < DIGEST_BYTES; j++)
            sprintf(text + 2 * j, "%02x", digest[j]);
        assert_string_equal(text, known[i].digest);
    }
}

static void the_file_has_no_token_in_it(void **state)
{
    char text[2048] = "";
    FILE *from = fopen(file, "r");

    (void)state;
    assert_true(fread(text, 1, sizeof text - 1, from) > 200);
    fclose(from);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(strlen(tokens_of[i]), 4 + 64);
        assert_null(strstr(text, tokens_of[i] + 4));
    }
}

/* Every route, with every kind of token: what authorisation says, before anything else is looked
 * at. */
static void every_route_asks_for_its_scope(void **state)
{
    static const char stranger[] =
        "lsd_00000000000000000000000000000000000000000000000000000000000000ff";
    char headers[9][128] = {
        "", "Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "Bearer two words", ""
    };

    (void)state;
    snprintf(headers[5], 128, "Bearer %s", stranger);
    for (int i = 0; i < 3; i++)
        snprintf(headers[6 + i], 128, "Bearer %.100s", tokens_of[i]);
    for (size_t i = 0; i < endpoint_count; i++) {
        for (int kind = 0; kind < 9; kind++) {
            const struct endpoint *row = endpoints[i];
            int has = kind < 6 ? SCOPE_OPEN : SCOPE_READ + kind - 6, wanted;
            struct dispatch dispatch;
            dispatch_init(&dispatch, &service);
            dispatch.head = (struct head){ .method = row->method,
                                           .target = row->example_path,
                                           .host = "localhost",
                                           .authorization = kind ? headers[kind] : NULL };
            dispatch_begin(&dispatch);
            wanted = row->scope <= (enum scope)has ? 0 : has == SCOPE_OPEN ? 401 : 403;
            if (wanted ? dispatch.reply.status != wanted
                       : dispatch.reply.status == 401 || dispatch.reply.status == 403)
                fail_msg("%s %s with token %d: %d", row->method, row->path, kind,
                         dispatch.reply.status);
            if (wanted == 401) {
                bool challenged = false;
                for (size_t j = 0; j < dispatch.reply.header_count; j++)
                    challenged |= !strcmp(dispatch.reply.headers[j].name, "WWW-Authenticate");
                assert_true(challenged);
            }
            dispatch_fini(&dispatch);
        }
    }
}

/* Only an admin makes changes in another's name. */
static void a_change_is_the_token_owners_unless_an_admin_says_otherwise(void **state)
{
    static const struct {
        int token;
        const char *query, *author; /* NULL is refused */
    } cases[] = { { 1, "", "user-1" },
                  { 1, "?author=user-1", "user-1" },
                  { 1, "?author=anna", NULL },
                  { 2, "", "user-2" },
                  { 2, "?author=anna", "anna" } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dispatch dispatch;
        char target[80], header[128];
        enum dispatch_next next;

        snprintf(target, sizeof target, "/v1/landscapes/demo/undo%s", cases[i].query);
        snprintf(header, sizeof header, "Bearer %.100s", tokens_of[cases[i].token]);
        dispatch_init(&dispatch, &service);
        dispatch.head = (struct head){
            .method = "POST", .target = target, .host = "localhost", .authorization = header
        };
        next = dispatch_begin(&dispatch);
        if (cases[i].author) {
            assert_int_equal(next, DISPATCH_READY);
            assert_string_equal(dispatch.rq.author, cases[i].author);
        } else {
            assert_int_equal(dispatch.reply.status, 403);
            assert_string_equal(dispatch.rq.fault.place, "author");
        }
        dispatch_fini(&dispatch);
    }
}

static void the_owner_of_a_token_is_known(void **state)
{
    struct fault why;
    char header[128];
    const char *name;

    (void)state;
    snprintf(header, sizeof header, "bearer  %s", tokens_of[1]);
    assert_true(authorize(tokens, SCOPE_EDIT, header, &name, &why));
    assert_string_equal(name, "user-1");
    assert_false(authorize(tokens, SCOPE_ADMIN, header, &name, &why));
    assert_int_equal(why.code, FAULT_SCOPE);
    assert_true(authorize(NULL, SCOPE_ADMIN, NULL, &name, &why)); /* none configured */
}

static void a_wrong_file_is_refused_with_its_line(void **state)
{
    static const char *const lines[] = {
        "anna edit\n",
        "anna edit 12\n",
        "anna all e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n",
        "../x read e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char name[] = "/tmp/landscaped-tokens-XXXXXX";
        FILE *to = fdopen(mkstemp(name), "w");
        struct tokens *none = NULL;
        struct fault why;
        fprintf(to, "# first\n%s", lines[i]);
        fclose(to);
        assert_false(tokens_load(name, &none, &why));
        assert_null(none);
        assert_non_null(strstr(why.detail, "line 2"));
        unlink(name);
    }
}

static void a_file_that_others_may_write_is_refused(void **state)
{
    struct tokens *none = NULL;
    struct fault why;

    (void)state;
    chmod(file, 0622);
    assert_false(tokens_load(file, &none, &why));
    assert_non_null(strstr(why.detail, "chmod"));
    chmod(file, 0600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_digest_is_sha_256),
        cmocka_unit_test(the_file_has_no_token_in_it),
        cmocka_unit_test(every_route_asks_for_its_scope),
        cmocka_unit_test(a_change_is_the_token_owners_unless_an_admin_says_otherwise),
        cmocka_unit_test(the_owner_of_a_token_is_known),
        cmocka_unit_test(a_wrong_file_is_refused_with_its_line),
        cmocka_unit_test(a_file_that_others_may_write_is_refused),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
