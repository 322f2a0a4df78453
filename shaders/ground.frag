// A point of the ground: looked at here, coloured by the mode's `show`.
#include "tile.glsl"
#include "sky.glsl"

uniform vec4 relief;       // local z of the lowest ground, metres of relief, 1 / relief (0: flat), local z of the base
uniform vec3 code;       // metres of a code, and what terrain.vert has
uniform vec2 last_quad;    // column and row of the landscape's last quad
uniform sampler2D palette; // see palette.frag

#ifdef PAGED
#include "pages.glsl"
#else
in vec4 place;         // in the tile's quads; metres above the lowest ground, or share of a side's way down; what comes through the air,
                       // or metres ahead of the eye where not colours are the output
flat in vec2 tile;     // shift, layer of the heights
flat in vec2 steepen;  // from codes a sample to metres a metre; 0 on a side
flat in vec3 face;     // up, or a side's outward normal
flat in vec4 quads;    // the tile's north-west corner in the landscape's quads, quads of one of its own, its level
flat in vec4 layers;   // of shade, offsets, values, weights0
flat in vec2 layers2;  // of weights1, weights2
flat in uvec4 paints;  // which paint layers the weights are of, a byte each
flat in vec2 mark;     // level of detail, number of the patch
#endif
layout(location = 0) out vec4 colour;

struct Ground {
    vec2 place;    // in the landscape's quads from its north-west corner
    vec3 texel;    // where slopes and other filtered planes of the tile are looked up; z their layer
    vec2 slope;    // metres a metre, east and south
    vec3 normal;   // local axes
    float z;       // local metres
    float height;  // within the landscape's range, 0 to 1
    float lod;     // the patch's level of detail,
    float patch_number; // and its number in the picture
    bool side;     // the model's cut side: height is then the share of the way down
};

#ifdef OUTPUT
uniform float code_zero; // local z of code 0
uniform vec3 depth, forward;

// Four bytes of data instead of a colour: see render/outputs.def.
vec4 bytes_of(uint bits)
{
    return vec4(bits & 255u, bits >> 8 & 255u, bits >> 16 & 255u, bits >> 24) / 255.0;
}

uint packed_normal(vec3 normal)
{
    ivec3 whole = ivec3(round(normal * 127.0)) & 255;

    return uint(whole.x) | uint(whole.y) << 8 | uint(whole.z) << 16 | 127u << 24;
}

// Parallel rays that look down show no difference of heights: the surface's counts then.
float metres_ahead(Ground ground)
{
    return place.w + (depth.z > 0.5 && !ground.side ? forward.z * (ground.z - relief.x - place.z) : 0.0);
}

uint triangle_id(vec2 place)
{
    vec2 quad = clamp(floor(place), vec2(0), last_quad), part = place - quad;

    return (uint(quad.y) * uint(last_quad.x + 1.0) + uint(quad.x)) * 2u + (part.y > part.x ? 2u : 1u);
}
#else
#ifdef LIT
in vec3 air; // the light of the air before it
#include "light.glsl"
#endif
#include "mode"
#ifdef RULED
#include "rules.glsl"
#endif
#endif

void main()
{
#ifdef PAGED
#ifdef HOLES
    if (cut_away())
        discard;
#endif
    find_node();
#elif defined(HOLES)
    if (hole_at(place.xy, int(tile.y)))
        discard;
#endif
    Ground ground;

    ground.side = face.z == 0.0;
    ground.lod = mark.x;
    ground.patch_number = mark.y;
    ground.place = quads.xy + place.xy * quads.z;
    ground.texel = vec3((place.xy + tile.x + float(MARGIN) + 0.5) / float(SIDE), tile.y);
    ground.slope = texture(slopes, ground.texel).rg * steepen;
#ifdef OFFSETS
    if (!ground.side)
        ground.slope =
            moved_slope(ground.slope, place.xy + tile.x, quads.z, steepen.x / steepen.y, int(layers.y));
#endif
    ground.normal = normalize(face - vec3(ground.slope, 0));
    ground.z = ground.side ? mix(relief.x, relief.w, place.z) : relief.x + place.z;
    ground.height = ground.side ? place.z : place.z * relief.z;

#ifdef OUTPUT
    if (!ground.side)
        ground.z = code.x * code_on(place.xy + tile.x, int(tile.y)) + code_zero; // however coarsely it is drawn
    colour = bytes_of(OUTPUT);
#else
    vec3 shown = show(ground);
#ifdef LIT
#ifdef WATER
    shown = under_water(ground, shown);
#endif
    shown = develop(shown * place.w + air);
#endif
#ifdef RULED
    shown = ruled(ground, shown);
#endif
    colour = vec4(shown, 1);
#endif
#ifdef SHARE
    if (elsewhere) // last of all: what is compared with its neighbours must be there
        discard;
#endif
}
