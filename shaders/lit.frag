// The ground in sun and skylight, covered as the palette says, and a little haze with distance.
#include "tile.glsl"
#include "sky.glsl"

uniform sampler2D palette; // see palette.frag

in vec4 place;
flat in vec2 tile;
flat in vec2 steepen;
flat in vec3 face;
layout(location = 0) out vec4 colour;

void main()
{
#ifdef HOLES
    if (hole_at(place.xy, int(tile.y)))
        discard;
#endif
    vec3 at = vec3((place.xy + tile.x + float(MARGIN) + 0.5) / float(SIDE), tile.y);
    vec3 normal = normalize(face - vec3(texture(slopes, at).rg * steepen, 0));
    vec3 root = texture(palette, vec2(place.z, normal.z)).rgb;
    vec3 light = sunlight * max(dot(normal, sun), 0.0) + mix(below, above, 0.5 + 0.5 * normal.z);

    colour = vec4(develop(mix(horizon, root * root * light, place.w)), 1);
}
