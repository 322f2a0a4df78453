// What colours a point of the ground where patches are not tiles' own: the landscape lies in square
// pages, each with the number of a node, the record of which says what ground.frag gets from
// terrain.vert of other patches.

uniform usampler2D pages, records;
uniform vec4 paging; // quads of a page, columns, rows
uniform vec2 metres; // of a quad

in vec4 spot;       // in the landscape's quads; then as place
in vec2 cut;        // where holes are looked up
flat in vec3 face;
flat in vec4 mark;  // level of detail, number of the patch, layer of the holes

vec4 place;
vec2 tile, steepen;
vec4 quads, layers;
vec2 layers2;
uvec4 paints;
bool elsewhere; // another pass draws it

uvec4 record(int node, int part)
{
    return texelFetch(records, ivec2((node & 255) * 4 + part, node >> 8), 0);
}

#if defined(HOLES) && defined(SECTIONS)
uniform usampler2DArray chain; // see render/plane_chain.h

bool quad_cut(vec2 texel, int layer)
{
    ivec2 at = ivec2(floor(texel));
    int word = at.y * 16 + (at.x >> 4);

    return ((texelFetch(chain, ivec3(word & 255, 384 + (word >> 8), layer), 0).r >> uint(at.x & 15)) & 1u) != 0u;
}
#endif

#ifdef HOLES
bool cut_away()
{
#ifdef SECTIONS
    return quad_cut(cut, int(mark.z));
#else
    return hole_at(cut, int(mark.z));
#endif
}
#endif

void find_node()
{
    ivec2 page = clamp(ivec2(floor(spot.xy / paging.x)), ivec2(0), ivec2(paging.yz) - 1);
    uint number = texelFetch(pages, page, 0).r;
    int node = int(number & 0x7fffffffu);
    elsewhere = number > 0x7fffffffu;
    uvec4 first = record(node, 0), more = record(node, 1);

    quads = vec4(vec2(first.xy), float(first.z), mark.x);
    place = vec4((spot.xy - quads.xy) / quads.z, spot.zw);
    tile = vec2(0.5 / quads.z - 0.5, float(first.w));
    steepen = face.z == 0.0 ? vec2(0) : code.x / (metres * quads.z);
    layers = vec4(more);
    layers2 = vec2(record(node, 2).xy);
    paints = record(node, 3);
}
