// Paint at a point of the ground.

uniform sampler2DArray weights;

int paint_of(int at)
{
    return int(paints[at >> 2] >> uint(8 * (at & 3)) & 255u);
}

#ifdef WEIGHTS1
vec4 weights_of(Ground ground, int slot)
{
    float layer = slot == 0 ? layers.w : slot == 1 ? layers2.x : layers2.y;

    return texture(weights, vec3(ground.texel.xy, layer));
}
#endif
