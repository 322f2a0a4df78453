/* Prints the OpenAPI document of this build's rows, for check_openapi.sh to compare. */
#include <stdio.h>

#include "api/openapi.h"
#include "config.h"

int main(void)
{
    struct bytes text = { 0 };
    struct fault why;

    if (!openapi_write(endpoints, endpoint_count, PACKAGE_VERSION, &text, &why)) {
        fprintf(stderr, "%s\n", why.detail);
        return 1;
    }
    fwrite(text.data, 1, text.length, stdout);
    bytes_free(&text);
    return 0;
}
