// What the ground is made of at a point.

struct Cover {
    vec3 albedo;     // linear
    vec3 normal;     // local axes, with the material's own relief
    float roughness; // 1: no gloss
    float open;      // share of the sky that the material's own relief leaves
};

Cover cover_of(Ground ground)
{
    vec3 root = texture(palette, vec2(ground.height, ground.side ? 0.0 : ground.normal.z)).rgb;

    return Cover(root * root, ground.normal, 1.0, 1.0);
}
