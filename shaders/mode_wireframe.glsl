#include "scale.glsl"

in vec3 corner_of; // see apart.glsl

// The edges of the triangles that are drawn: each of both beside an edge draws half of its line. Where
// triangles are too small to be told apart the lines fade to a tint.
vec3 show(Ground ground)
{
    vec3 dx = dFdx(corner_of), dy = dFdy(corner_of);
    vec3 pixel = max(sqrt(dx * dx + dy * dy), vec3(1e-9)), off = corner_of / pixel;
    float height = 1.0 / max(pixel.x, max(pixel.y, pixel.z)); // of the triangle, pixels
    float line = clamp(1.05 - min(off.x, min(off.y, off.z)), 0.0, 1.0);
    vec3 colour = ground.side ? side_of(ground) : formed(ground, vec3(0.87, 0.89, 0.90));

    return mix(colour, vec3(0.08, 0.20, 0.36), line * mix(0.30, 0.85, clamp((height - 2.0) / 8.0, 0.0, 1.0)));
}
