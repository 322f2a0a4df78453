// Lines that lie on the ground: a grid of metres, wherever offsets have moved the ground from, and the
// borders of components over it, which move with it.

uniform vec4 grid_lines; // lines for each quad east and south, and where 0 lies among them
uniform float borders;   // quads between two; 0: none

// How much of a pixel lines at whole numbers cover. Those too close to be told apart fade.
float ruled_at(vec2 at, float width)
{
    vec2 pixel = max(vec2(length(vec2(dFdx(at.x), dFdy(at.x))), length(vec2(dFdx(at.y), dFdy(at.y)))), vec2(1e-9));
    vec2 off = abs(at - floor(at + 0.5)) / pixel;
    vec2 line = clamp(0.5 * width + 0.5 - off, 0.0, 1.0) * clamp((1.0 / pixel - 3.0) / 5.0, 0.0, 1.0);

    return max(line.x, line.y);
}

vec3 ruled(Ground ground, vec3 colour)
{
    float light = dot(colour, vec3(0.3, 0.6, 0.1));
    vec3 ink = light > 0.45 ? vec3(0.05, 0.07, 0.10) : vec3(0.95, 0.97, 1.0);

    if (ground.side)
        return colour;
    if (grid_lines.x > 0.0) {
        vec2 stands = ground.place;

#ifdef OFFSETS
        stands += offset_on(place.xy + tile.x, int(layers.y));
#endif
        colour = mix(colour, ink, 0.45 * ruled_at(stands * grid_lines.xy + grid_lines.zw, 1.0));
    }
    if (borders > 0.0)
        colour = mix(colour, vec3(0.93, 0.36, 0.06), 0.85 * ruled_at(ground.place / borders, 1.6));
    return colour;
}
