#include "scale.glsl"

#ifdef HOLES
// Beyond the landscape, and farther from the tile than it knows, there is nothing to outline.
bool quad_gone(vec2 at)
{
    vec2 there = quads.xy + at * quads.z, within = clamp(at, vec2(-MARGIN), vec2(SIDE - MARGIN) - 0.01);

    return all(greaterThanEqual(there, vec2(0))) && all(lessThan(there, level.zw)) && at == within &&
           hole_at(at, int(tile.y));
}

bool near_hole(vec2 aside, vec2 down)
{
    return quad_gone(place.xy + aside) || quad_gone(place.xy - aside) || quad_gone(place.xy + down) ||
           quad_gone(place.xy - down);
}
#endif

// Pale ground, and where it ends at a hole a line of some pixels.
vec3 show(Ground ground)
{
    vec3 colour = ground.side ? side_of(ground) : formed(ground, vec3(0.72, 0.76, 0.79));

#ifdef HOLES
    vec2 across = dFdx(ground.place) / quads.z, down = dFdy(ground.place) / quads.z;

    if (!ground.side && (near_hole(across, down) || near_hole(2.0 * across, 2.0 * down) ||
                         near_hole(1.4 * (across + down), 1.4 * (across - down))))
        colour = vec3(0.85, 0.13, 0.20);
#endif
    return colour;
}
