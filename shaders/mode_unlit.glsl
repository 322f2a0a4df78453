vec3 show(Ground ground)
{
    vec3 root = texture(palette, vec2(ground.height, ground.side ? 0.0 : ground.normal.z)).rgb;

    return encode(root * root);
}
