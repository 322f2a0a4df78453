#include "scale.glsl"

// The way down, clockwise from north; gray where the ground is level.
vec3 show(Ground ground)
{
    float down = degrees(atan(-ground.slope.x, ground.slope.y));
    float steep = min(length(ground.slope) / level.x, 1.0);

    return ground.side ? side_of(ground)
                       : formed(ground, mix(vec3(level.y), coloured(down < 0.0 ? down + 360.0 : down), steep));
}
