// The light that falls on the ground.
uniform vec2 shading; // how much of the shade of the sun, and of the sky, is shown
#ifdef SHADE
uniform sampler2DArray shade; // see render/shade.h
#endif

// On a surface with that normal, which sees so much of the sky before other ground hides some of it.
vec3 light_on(Ground ground, vec3 normal, float open)
{
    vec3 direct = sunlight * max(dot(normal, sun), 0.0);
    vec3 around = mix(below, above, 0.5 + 0.5 * normal.z) * open;

#ifdef SHADE
    vec2 seen = ground.side ? vec2(1) : texture(shade, vec3(ground.texel.xy, layers.x)).rg;

    seen = 1.0 - shading * (1.0 - seen);
    direct *= seen.x;
    around *= seen.y;
#endif
    return direct + around;
}
