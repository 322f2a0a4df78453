#include "api/endpoint.h"

#define ENDPOINT(name) extern const struct endpoint endpoint_##name;
#include "api/endpoints.def"
#undef ENDPOINT

const struct endpoint *const endpoints[] = {
#define ENDPOINT(name) &endpoint_##name,
#include "api/endpoints.def"
#undef ENDPOINT
};

const size_t endpoint_count = sizeof endpoints / sizeof *endpoints;
