/* A landscape as 3D Tiles: the tileset, which all else follows from. */
#include "api/tiles_3d/tiles_3d.h"

static bool print_numbers(const double *numbers, int count, struct bytes *to, struct fault *why)
{
    for (int i = 0; i < count; i++)
        if (!bytes_print(to, why, "%s%.17g", i ? "," : "", numbers[i] + 0.0))
            return false;
    return true;
}

/* Errors are of the heights drawn; of nothing drawn at all, it is all that there is to see. */
static double error_of_nothing(const struct tileset *tileset)
{
    const struct grid *grid = view_grid(tileset->view);
    struct summary heights =
        tree_bounds(&tileset->view->planes[PLANE_HEIGHTS], view_rect(tileset->view));
    double side = grid->columns * grid->scale[0] > grid->rows * grid->scale[1]
                      ? grid->columns * grid->scale[0]
                      : grid->rows * grid->scale[1];
    double high = (heights.greatest - heights.least) * grid->scale[2] / 128;
    double more = high > side / 16 ? high : side / 16;

    return tileset->error * 2 > more ? tileset->error * 2 : more;
}

static bool print_schema(bool earth, struct bytes *to, struct fault *why)
{
    return bytes_print(to, why,
                       "\"schema\":{\"id\":\"landscaped\",\"classes\":{\"" TILES_3D_CLASS
                       "\":{\"properties\":{\"" TILES_3D_PROPERTY
                       "\":{\"type\":\"SCALAR\",\"componentType\":\"FLOAT64\",\"array\":true,"
                       "\"count\":%d,\"required\":true,\"semantic\":\"%s\"}}}}},",
                       earth ? TILESET_REGION : TILESET_BOX,
                       earth ? "TILE_BOUNDING_REGION" : "TILE_BOUNDING_BOX");
}

static bool print(const struct tileset *tileset, struct bytes *to, struct fault *why)
{
    double numbers[TILESET_BOX];

    return tileset_root_bounds(tileset, numbers, why) &&
           bytes_print(to, why, "{\"asset\":{\"version\":\"1.1\",\"generator\":\"landscaped\"},") &&
           print_schema(tileset->earth, to, why) &&
           bytes_print(to, why, "\"geometricError\":%.17g,\"root\":{\"boundingVolume\":{\"%s\":[",
                       error_of_nothing(tileset), tileset->earth ? "region" : "box") &&
           print_numbers(numbers, tileset->earth ? TILESET_REGION : TILESET_BOX, to, why) &&
           bytes_print(
               to, why,
               "]},\"transform\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"refine\":\"REPLACE\","
               "\"geometricError\":%.17g,"
               "\"content\":{\"uri\":\"content/{level}/{x}/{y}.glb?error=%.17g&depth=%.17g\"},"
               "\"implicitTiling\":{\"subdivisionScheme\":\"QUADTREE\","
               "\"subtreeLevels\":%d,\"availableLevels\":%d,"
               "\"subtrees\":{\"uri\":\"subtrees/{level}/{x}/{y}.subtree\"}}}}",
               tileset->error, tileset->error, tileset->depth, TILESET_SUBTREE_LEVELS,
               tileset->levels);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct tiles_3d tiles;
    bool printed;

    (void)asked;
    (void)answer;
    if (!tiles_3d_hold(rq, &tiles))
        return false;
    printed = print(&tiles.tileset, &rq->bytes, &rq->fault);
    tiles_3d_end(&tiles);
    return printed;
}

static const char *const media_out[] = { "application/json", NULL };

const struct endpoint endpoint_get_tileset = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/3dtiles/tileset.json",
    .summary = "The landscape as 3D Tiles 1.1, with implicit tiling: for Cesium and its like",
    .example_path = "/v1/landscapes/demo/3dtiles/tileset.json",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .media_out = media_out,
    .loose_query = true,
    .content_etag = true,
    .kept = true,
    .newest = tiles_3d_newest,
    .run = run,
};
