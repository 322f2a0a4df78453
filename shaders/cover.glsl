// What the ground is made of at a point: its paint, and where it has none what height and slope
// suggest. Far away surfaces are colours; near by (DETAIL) textures, which are those colours
// in the mean.
#include "blend.glsl"
#include "weights.glsl"

const int OWN = 256;  // where the project's own surfaces begin among the materials; see wire.h
const int OWNS = 5;
const float SEAMS = 4.0; // how narrow those of by-example noise are

uniform vec4 covering;            // metres of a quad east and south, 1 / metres of the soft noise, its layer
uniform vec2 nearness;            // metres of a pixel where textures end, depth of blending by height
uniform sampler2D materials;      // linear colour, 1 / tiling; then layers of looks and relief, or -1
uniform sampler2DArray surfaces;  // see render/surface.h

#ifdef WEIGHTS3
const int PAINTS = 12;
#else
#ifdef WEIGHTS2
const int PAINTS = 8;
#else
const int PAINTS = 4;
#endif
#endif

struct Cover {
    vec3 albedo;     // linear
    vec3 normal;     // local axes, with the material's own relief
    float roughness; // 1: no gloss
    float open;      // share of the sky that the material's own relief leaves
};

struct Place {
    vec2 metres;
    float pixel; // metres
    float fine;  // 1 near by, 0 where textures end
};

Place place_of(Ground ground)
{
    Place place;
    vec2 metres = ground.place * covering.xy;
    vec2 across = dFdx(metres), down = dFdy(metres);
    float wide = max(dot(across, across), dot(down, down)), narrow = min(dot(across, across), dot(down, down));

    place.metres = metres;
    place.pixel = sqrt(sqrt(wide * max(narrow, wide * 0.02))); // between the sides of the pixel's trace
    place.fine = clamp(2.0 - 2.0 * place.pixel / nearness.x, 0.0, 1.0);
    return place;
}

struct Looked {
    vec4 looks;  // linear colour, height
    vec3 mean;   // of the colour
    vec4 relief; // about 0
};

// A material's texture, against repetition: one of the three shifted copies that lie at the place, or
// all three where nothing else is there to hide the seams.
Looked look(int which, Place place, bool alone)
{
    vec4 first = texelFetch(materials, ivec2(which, 0), 0), second = texelFetch(materials, ivec2(which, 1), 0);
    vec2 at = place.metres * first.w;
    Lattice lattice = lattice_at(at);
    float level = log2(max(place.pixel * first.w * 512.0, 1.0));
    vec4 looks, relief;
    int strongest = lattice.weight.x >= max(lattice.weight.y, lattice.weight.z) ? 0
                  : lattice.weight.y >= lattice.weight.z ? 1 : 2;
    vec2 vertex = strongest == 0 ? lattice.vertex[0] : strongest == 1 ? lattice.vertex[1] : lattice.vertex[2];
    float squares = 1.0;

    if (second.x < 0.0)
        return Looked(vec4(first.rgb, 0.5), first.rgb, vec4(0, 0, 0.9, 1));
    if (alone) {
        vec3 weight = sharpened(lattice.weight, SEAMS);

        looks = vec4(0);
        relief = vec4(0);
        squares = dot(weight, weight);
        for (int i = 0; i < 3; i++) {
            vec2 there = at + shifted(lattice.vertex[i], uint(which));

            looks += weight[i] * textureLod(surfaces, vec3(there, second.x), level);
            relief += weight[i] * textureLod(surfaces, vec3(there, second.y), level);
        }
    } else {
        at += shifted(vertex, uint(which));
        looks = textureLod(surfaces, vec3(at, second.x), level);
        relief = textureLod(surfaces, vec3(at, second.y), level);
    }

    vec3 mean = sqrt(first.rgb);
    vec3 root = (looks.rgb - mean) * inversesqrt(squares) + mean;

    relief.xy = (relief.xy - 128.0 / 255.0) * 2.0;
    return Looked(vec4(root * root, looks.a), first.rgb, relief);
}

// What varies over the ground at two scales, so that middle distances are not smooth: two fields of
// soft noise about 0, and the slopes of a third, small relief. Where the ground has no relief at all,
// nothing is known of it and it is plain. On the cut side, the beds of the earth: level but for a
// little, from the highest ground down to the base.
vec4 variety_of(Ground ground, Place place)
{
    float down = (relief.x + relief.y - ground.z) / (relief.x + relief.y - relief.w);
    vec2 along = place.metres * covering.z;
    vec2 beds = vec2(0.008 * (along.x + along.y), 0.37 + 0.8 * down + 0.015 * (along.x - along.y));
    vec4 varied = texture(surfaces, vec3(ground.side ? beds : along, covering.w)) - 0.5;
    float closer = 25.0 * covering.z, shown = clamp(2.0 - 60.0 * place.pixel * closer, 0.0, 1.0);

    varied *= relief.z > 0.0 || ground.side ? 1.0 : 0.0;
#ifdef DETAIL
    shown *= 1.0 - place.fine; // textures say more
#endif
    // a loop, since software renderers skip one that nobody enters, and no other branch
    for (int once = shown > 0.0 && relief.z > 0.0 && !ground.side ? 1 : 0; once > 0; once--)
        varied += shown * (textureLod(surfaces, vec3(place.metres * closer, covering.w),
                                      log2(max(place.pixel * closer * 512.0, 1.0))) - 0.5);
    return varied;
}

// Beds of clay, sand and marl.
vec3 earth(vec4 varied)
{
    const vec3 clay = vec3(0.270, 0.130, 0.062), sand = vec3(0.480, 0.335, 0.185), marl = vec3(0.200, 0.160, 0.122);

    return mix(mix(clay, sand, clamp(0.5 + 6.0 * varied.x, 0.0, 1.0)), marl, clamp(6.0 * varied.y, 0.0, 0.85)) * (0.85 + 0.9 * varied.w);
}

// The relief's normal leans on the ground's, and so does that of the small relief, which steep ground
// has more of.
Cover finish(Ground ground, vec3 albedo, vec4 relief, float fine, vec4 varied)
{
    vec2 lean = ground.side ? vec2(0) : relief.xy * fine - varied.zw * (0.25 + min(2.0 * (1.0 - ground.normal.z), 0.3));
    vec3 normal = normalize(vec3(ground.normal.xy + lean * ground.normal.z, ground.normal.z));

    return Cover(albedo, normal, mix(1.0, relief.z, fine), mix(1.0, relief.w, fine));
}

// Unpainted ground

struct Nature {
    vec3 colour;    // linear
    float share[OWNS]; // of the surfaces, grass to soil
};

Nature nature_of(Ground ground, Place place, vec4 varied)
{
    float height = clamp(ground.height + 0.34 * varied.x, 0.0, 1.0);
    float level = clamp(ground.normal.z + 0.22 * varied.y * (1.0 - ground.normal.z), 0.04, 1.0);
    vec3 root = texture(palette, vec2(height, level)).rgb;
    float snow = smoothstep(0.78, 0.97, height) * smoothstep(0.55, 0.80, level);
    float steep = 1.0 - smoothstep(0.70, 0.88, level);
    float bare = max(0.8 * (1.0 - smoothstep(0.915, 0.985, level)), smoothstep(0.45, 0.80, height));
    float sandy = 1.0 - smoothstep(0.015, 0.035, height);
    Nature nature;

    nature.colour = ground.side ? earth(varied) : root * root * (1.0 + 0.8 * varied.y);
    nature.share[3] = snow;
    nature.share[1] = (1.0 - snow) * steep;
    nature.share[4] = (1.0 - snow) * (1.0 - steep) * bare;
    nature.share[2] = (1.0 - snow) * (1.0 - steep) * (1.0 - bare) * sandy;
    nature.share[0] = (1.0 - snow) * (1.0 - steep) * (1.0 - bare) * (1.0 - sandy);
    return nature;
}

Cover natural(Ground ground, Place place, vec4 varied)
{
    Nature nature = nature_of(ground, place, varied);

#ifdef DETAIL
    int first = 0, second = 0;
    float top = nature.share[0], other = 0.0;

    for (int i = 1; i < OWNS; i++) {
        float share = nature.share[i];
        bool most = share > top, more = !most && share > other;

        second = most ? first : more ? i : second;
        other = most ? top : more ? share : other;
        first = most ? i : first;
        top = most ? share : top;
    }

    Looked a = look(OWN + first, place, false), b = a;

    for (int once = other > 0.02 ? 1 : 0; once > 0; once--)
        b = look(OWN + second, place, false);

    float highest = max(top + a.looks.a, other + b.looks.a);
    float share_a = height_share(top, a.looks.a, highest, 0.25), share_b = height_share(other, b.looks.a, highest, 0.25);
    float share = share_b / (share_a + share_b);
    // the palette's colour, with what the texture has more or less than its mean
    vec3 marked = mix(a.looks.rgb / a.mean, b.looks.rgb / b.mean, share);
    float fine = ground.side || relief.z == 0.0 ? 0.0 : place.fine;

    return finish(ground, nature.colour * mix(vec3(1), marked, fine), mix(a.relief, b.relief, share), fine, varied);
#else
    return finish(ground, nature.colour, vec4(0, 0, 1, 1), 0.0, varied);
#endif
}

// Painted ground

#ifdef WEIGHTS1
void weights_at(Ground ground, out float weight[PAINTS])
{
    vec4 four = weights_of(ground, 0);

    for (int i = 0; i < 4; i++)
        weight[i] = four[i];
#ifdef WEIGHTS2
    four = weights_of(ground, 1);
    for (int i = 0; i < 4; i++)
        weight[4 + i] = four[i];
#endif
#ifdef WEIGHTS3
    four = weights_of(ground, 2);
    for (int i = 0; i < 4; i++)
        weight[8 + i] = four[i];
#endif
}

vec3 colour_of(int paint)
{
    return texelFetch(materials, ivec2(paint, 0), 0).rgb;
}

// Paint is not the same all over: drier here, more lush or darker there. None is on the cut side.
vec3 weathered(Ground ground, vec3 colour, vec4 varied)
{
    return ground.side ? earth(varied) : colour * (1.0 + 0.7 * varied.y + varied.x * vec3(0.4, 0.1, -0.15));
}

// By weight alone, in colours.
vec3 mixed_colours(float weight[PAINTS], float sum)
{
    vec3 colour = vec3(0);

    for (int i = 0; i < PAINTS; i++)
        colour += weight[i] * colour_of(paint_of(i));
    return colour / max(sum, 1e-6);
}

Cover painted(Ground ground, Place place, vec4 varied, float weight[PAINTS], float sum, int count)
{
#ifndef DETAIL
    return finish(ground, weathered(ground, mixed_colours(weight, sum), varied), vec4(0, 0, 1, 1), 0.0, varied);
#else
    Looked looked[PAINTS];
    vec3 albedo = vec3(0);
    vec4 lies = vec4(0);
    float highest = 0.0, shares = 0.0, fine = ground.side ? 0.0 : place.fine;
    float depth = nearness.y * fine; // far away by weight alone, as colours are

    for (int i = 0; i < PAINTS; i++)
        for (int once = weight[i] > 0.0 ? 1 : 0; once > 0; once--) {
            looked[i] = look(paint_of(i), place, count == 1);
            highest = max(highest, weight[i] + looked[i].looks.a);
        }
    for (int i = 0; i < PAINTS; i++)
        for (int once = weight[i] > 0.0 ? 1 : 0; once > 0; once--) {
            float byheight = height_share(weight[i], looked[i].looks.a, highest, max(depth, 1e-3));
            float share = depth > 0.0 ? mix(weight[i], byheight, fine) : weight[i];

            albedo += share * looked[i].looks.rgb;
            lies += share * looked[i].relief;
            shares += share;
        }
    return finish(ground, weathered(ground, albedo / max(shares, 1e-6), varied), lies / max(shares, 1e-6), fine, varied);
#endif
}
#endif

Cover cover_of(Ground ground)
{
    Place place = place_of(ground);
    vec4 varied = variety_of(ground, place);
#ifdef SOLE
#ifdef DETAIL
    Looked looked = look(paint_of(0), place, true);

    return finish(ground, weathered(ground, looked.looks.rgb, varied), looked.relief, ground.side ? 0.0 : place.fine, varied);
#else
    return finish(ground, weathered(ground, colour_of(paint_of(0)), varied), vec4(0, 0, 1, 1), 0.0, varied);
#endif
#else
#ifdef WEIGHTS1
    float weight[PAINTS], sum = 0.0;
    int count = 0;

    weights_at(ground, weight);
    for (int i = 0; i < PAINTS; i++) {
        sum += weight[i];
        count += weight[i] > 0.0 ? 1 : 0;
    }

    Cover cover = painted(ground, place, varied, weight, sum, count);

    for (int once = sum < 0.998 ? 1 : 0; once > 0; once--) {
        Cover bare = natural(ground, place, varied);
        float share = min(sum, 1.0);

        cover = Cover(mix(bare.albedo, cover.albedo, share), normalize(mix(bare.normal, cover.normal, share)),
                      mix(bare.roughness, cover.roughness, share), mix(bare.open, cover.open, share));
    }
    return cover;
#else
    return natural(ground, place, varied);
#endif
#endif
}

// The colour of the one material that there is most of.
vec3 main_material(Ground ground)
{
    Place place = place_of(ground);
    Nature nature = nature_of(ground, place, variety_of(ground, place));
    int most = 0;
    float share = 0.0, sum = 0.0;

    for (int i = 1; i < OWNS; i++)
        most = nature.share[i] > nature.share[most] ? i : most;
    most += OWN;
#ifdef WEIGHTS1
    float weight[PAINTS];

    weights_at(ground, weight);
    for (int i = 0; i < PAINTS; i++)
        sum += weight[i];
    share = max(1.0 - sum, 0.0);
    for (int i = 0; i < PAINTS; i++) {
        most = weight[i] > share ? paint_of(i) : most;
        share = max(weight[i], share);
    }
#endif
    return texelFetch(materials, ivec2(most, 0), 0).rgb;
}
