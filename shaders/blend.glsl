// Blending of materials: the arithmetic of terrain/query/blend.h.

uint hash32(uint x, uint y, uint seed)
{
    uint h = x * 0x8DA6B343u ^ y * 0xD8163841u ^ seed * 0xCB1AB31Fu;

    h ^= h >> 16;
    h *= 0x7FEB352Du;
    h ^= h >> 15;
    h *= 0x846CA68Bu;
    return h ^ h >> 16;
}

vec2 shifted(vec2 vertex, uint seed)
{
    uint x = uint(int(vertex.x)), y = uint(int(vertex.y));

    return vec2(float(hash32(x, y, 2u * seed) >> 8), float(hash32(x, y, 2u * seed + 1u) >> 8)) / 16777216.0;
}

// The three vertices of a lattice around a place, and the weight of each.
struct Lattice {
    vec2 vertex[3];
    vec3 weight;
};

Lattice lattice_at(vec2 at)
{
    const float scale = 3.46410162, slant = 0.577350269; // 2 sqrt(3), 1 / sqrt(3)
    vec2 place = scale * vec2(at.x - at.y * slant, at.y * 2.0 * slant);
    vec2 cell = floor(place), part = place - cell;
    float rest = 1.0 - part.x - part.y;
    bool lower = rest > 0.0;
    Lattice found;

    found.vertex[0] = lower ? cell : cell + 1.0;
    found.vertex[1] = lower ? cell + vec2(0, 1) : cell + vec2(1, 0);
    found.vertex[2] = lower ? cell + vec2(1, 0) : cell + vec2(0, 1);
    found.weight = lower ? vec3(rest, part.y, part.x) : vec3(-rest, 1.0 - part.y, 1.0 - part.x);
    return found;
}

vec3 sharpened(vec3 weight, float exponent)
{
    weight = pow(max(weight, vec3(1e-6)), vec3(exponent));
    return weight / (weight.x + weight.y + weight.z);
}

// Before division by the sum: what a layer counts that reaches within depth of the highest.
float height_share(float weight, float height, float highest, float depth)
{
    return weight > 0.0 ? max(weight + height - (highest - depth), 0.0) : 0.0;
}
