vec3 show(Ground ground)
{
    vec3 root = texture(palette, vec2(ground.height, ground.side ? 0.0 : ground.normal.z)).rgb;
    vec3 light = sunlight * max(dot(ground.normal, sun), 0.0) +
                 mix(below, above, 0.5 + 0.5 * ground.normal.z);

    return root * root * light;
}
