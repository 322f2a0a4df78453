// What a vertex of the ground says of the air before it, and of itself to what looks through water.
#ifdef LIT
#include "sky.glsl"
#include "air.glsl"

out vec3 air; // the light of the air
#endif
#if defined(WATER) || defined(DETAIL)
out vec3 sight; // metres from the eye
#endif

// The share of light that comes through the air.
float look_through(vec3 from_eye)
{
    float through = 1.0;

#ifdef LIT
    air = vec3(0);
    if (fog.x > 0.0) {
        through = through_air(from_eye);
        air = air_light(from_eye) * (1.0 - through);
    }
#endif
#if defined(WATER) || defined(DETAIL)
    sight = from_eye;
#endif
    return through;
}
