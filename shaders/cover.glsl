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
const int SLOTS = 3; // of weights, four layers each
#else
#ifdef WEIGHTS2
const int SLOTS = 2;
#else
const int SLOTS = 1;
#endif
#endif
const int PAINTS = 4 * SLOTS;

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
#ifdef DETAIL
    vec3 at;    // metres, the last above code 0
    vec3 share; // of textures thrown on the ground: see shares_of
    vec3 trace; // metres of a pixel in each of them
#endif
};

// Metres of a pixel, between the sides of its trace.
float trace_of(vec2 across, vec2 down)
{
    float wide = max(dot(across, across), dot(down, down)), narrow = min(dot(across, across), dot(down, down));

    return sqrt(sqrt(wide * max(narrow, wide * 0.02)));
}

#ifdef DETAIL
// Textures are thrown on the ground along the axis that it faces most, since what falls on it aslant is
// drawn out: where it is not steep from above (x), else from the east or west (y) and from the north or
// south (z).
// The smooth normal decides, that nothing breaks off at the edges of triangles; but where the triangle lies
// quite otherwise, in a sharp fold, there is an edge anyhow.
vec3 shares_of(Ground ground, vec3 across, vec3 down)
{
    vec3 lies = cross(across, down);

    lies *= (lies.z < 0.0 ? -1.0 : 1.0) * inversesqrt(max(dot(lies, lies), 1e-24));

    vec3 faces = mix(lies, ground.normal, smoothstep(0.80, 0.92, dot(lies, ground.normal)));
    vec2 aside = abs(faces.xy);
    float steep = ground.side ? 0.0 : 1.0 - smoothstep(0.62, 0.76, faces.z);
    float east = smoothstep(0.42, 0.58, aside.x / max(aside.x + aside.y, 1e-6));
    vec3 share = vec3(1.0 - steep, steep * east, steep * (1.0 - east));

    share *= vec3(greaterThan(share, vec3(0.02))); // less is hardly seen, and costs as much
    return share / (share.x + share.y + share.z);
}

// One of the three numbers.
float one_of(vec3 number, int from)
{
    return from == 0 ? number.x : from == 1 ? number.y : number.z;
}

// East and south in what is thrown from there; from aside it stands upright, so that beds are level.
vec2 thrown(int from, vec3 at)
{
    const vec2 apart = vec2(311.7, 173.3); // or two would meet as mirror images where they are blended

    return from == 0 ? at.xy : from == 1 ? vec2(at.y, -at.z) : vec2(at.x, -at.z) + apart;
}
#endif

Place place_of(Ground ground)
{
    Place place;

    place.metres = ground.place * covering.xy;
#ifdef DETAIL
    place.at = vec3(place.metres, ground.z - code.y);

    vec3 across = dFdx(place.at), down = dFdy(place.at);

    place.share = shares_of(ground, across, down);
    place.trace = vec3(trace_of(across.xy, down.xy), trace_of(across.yz, down.yz), trace_of(across.xz, down.xz));
    place.pixel = dot(place.share, place.trace);
#else
    place.pixel = trace_of(dFdx(place.metres), dFdy(place.metres));
#endif
    place.fine = clamp(2.0 - 2.0 * place.pixel / nearness.x, 0.0, 1.0);
    return place;
}

// A material, and where its texture is looked up: three shifted copies of it lie at a place, against
// repetition.
struct Spot {
    vec4 first, second; // see materials
    Lattice lattice;
    vec2 at;
    float level;
};

Spot spot_of(int which, vec2 metres, float pixel)
{
    vec4 first = texelFetch(materials, ivec2(which, 0), 0), second = texelFetch(materials, ivec2(which, 1), 0);
    vec2 at = metres * first.w;

    return Spot(first, second, lattice_at(at), at, log2(max(pixel * first.w * 512.0, 1.0)));
}

vec2 strongest(Lattice lattice)
{
    return lattice.weight.x >= max(lattice.weight.y, lattice.weight.z) ? lattice.vertex[0]
           : lattice.weight.y >= lattice.weight.z ? lattice.vertex[1] : lattice.vertex[2];
}

// One copy; roots of colours and height, or of the relief, about 0. What has no texture is of one colour.
vec4 looks_of(Spot spot, vec2 vertex, int which)
{
    vec4 looks = textureLod(surfaces, vec3(spot.at + shifted(vertex, uint(which)), spot.second.x), spot.level);

    return spot.second.x < 0.0 ? vec4(sqrt(spot.first.rgb), 0.5) : looks;
}

vec4 relief_of(Spot spot, vec2 vertex, int which)
{
    vec4 found = textureLod(surfaces, vec3(spot.at + shifted(vertex, uint(which)), spot.second.y), spot.level);

    return spot.second.x < 0.0 ? vec4(0, 0, 0.9, 1) : vec4((found.xy - 128.0 / 255.0) * 2.0, found.zw);
}

// The sum of copies, in roots, with the contrast of one: linear. `squares`: of the copies' shares.
vec3 with_contrast(vec3 sum, vec3 colour, float squares)
{
    vec3 mean = sqrt(colour), root = (sum - mean) * inversesqrt(squares) + mean;

    return root * root;
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

    varied *= relief.z > 0.0 || ground.side ? 1.0 : 0.0;
#ifdef CLOSER
    float closer = 25.0 * covering.z, shown = clamp(2.0 - 60.0 * place.pixel * closer, 0.0, 1.0); // scene_cover_closer

#ifdef DETAIL
    shown *= 1.0 - place.fine; // textures say more
#endif
    if (shown > 0.0 && relief.z > 0.0 && !ground.side)
        varied += shown * (textureLod(surfaces, vec3(place.metres * closer, covering.w),
                                      log2(max(place.pixel * closer * 512.0, 1.0))) - 0.5);
#endif
    return varied;
}

// Beds of clay, sand and marl.
vec3 earth(vec4 varied)
{
    const vec3 clay = vec3(0.270, 0.130, 0.062), sand = vec3(0.480, 0.335, 0.185), marl = vec3(0.200, 0.160, 0.122);

    return mix(mix(clay, sand, clamp(0.5 + 6.0 * varied.x, 0.0, 1.0)), marl, clamp(6.0 * varied.y, 0.0, 0.85)) * (0.85 + 0.9 * varied.w);
}

// The relief's normal leans on the ground's (`aside`: that of what is thrown from aside), and so does
// that of the small relief, which steep ground
// has more of.
Cover finish(Ground ground, vec3 albedo, vec4 relief, vec3 aside, float fine, vec4 varied)
{
    vec2 lean = ground.side ? vec2(0) : relief.xy * fine - varied.zw * (0.25 + min(2.0 * (1.0 - ground.normal.z), 0.3));
    vec3 normal = normalize(vec3(ground.normal.xy + lean * ground.normal.z, ground.normal.z) + aside * fine);

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

// The two surfaces that there is most of: which, and the share of each.
void most_of(Nature nature, out int which[2], out vec2 share)
{
    int first = 0, second = 0;
    float top = nature.share[0], other = 0.0;

    for (int i = 1; i < OWNS; i++) {
        float here = nature.share[i];
        bool most = here > top, more = !most && here > other;

        second = most ? first : more ? i : second;
        other = most ? top : more ? here : other;
        first = most ? i : first;
        top = most ? here : top;
    }
    which = int[2](first, second);
    share = vec2(top, other);
}

// Painted ground

float sum_of(vec4 weight[SLOTS])
{
    float sum = 0.0;

    for (int i = 0; i < SLOTS; i++)
        sum += dot(weight[i], vec4(1));
    return sum;
}

// That of a layer, by its number in a loop.
float one_of(vec4 number[SLOTS], int at)
{
    vec4 four = number[0];
    int part = at & 3;

#ifdef WEIGHTS2
    four = at >= 4 ? number[1] : four;
#endif
#ifdef WEIGHTS3
    four = at >= 8 ? number[2] : four;
#endif
    return part < 2 ? (part == 0 ? four.x : four.y) : part == 2 ? four.z : four.w;
}

#ifdef WEIGHTS1
void weights_at(Ground ground, out vec4 weight[SLOTS])
{
    for (int i = 0; i < SLOTS; i++)
        weight[i] = weights_of(ground, i);
}
#endif

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
vec3 mixed_colours(vec4 weight[SLOTS], float sum)
{
    vec3 colour = vec3(0);

    for (int i = 0; i < PAINTS; i++)
        colour += weight[i >> 2][i & 3] * colour_of(paint_of(i));
    return colour / max(sum, 1e-6);
}

#ifdef DETAIL
// Things that are blended: paint layers, then the project's own surfaces.
int material_of(int thing)
{
    return thing < PAINTS ? paint_of(thing) : OWN + thing - PAINTS;
}

int lowest(int bits)
{
    return max((floatBitsToInt(float(bits & -bits)) >> 23) - 127, 0);
}

// What is found of the things that there are at a place: paint and the ground by itself, each blended
// by height. Each pixel goes through its own things in a loop that ends when the last of them is done,
// since software renderers take all branches and leave loops alone early.
struct Found {
    vec3 paint, own; // linear colour; of the latter, over its mean
    vec4 paint_lies, own_lies;
    vec3 paint_aside, own_aside; // how the relief leans that is thrown from aside
};

// Which of four numbers' things it is, the slot's first being so far on.
bvec4 is_thing(int thing, int slot)
{
    return equal(ivec4(thing), 4 * slot + ivec4(0, 1, 2, 3));
}

int bits_of(vec4 number[SLOTS])
{
    int bits = 0;

    for (int i = 0; i < SLOTS; i++) {
        ivec4 there = ivec4(greaterThan(number[i], vec4(0)));

        bits |= (there.x | there.y << 1 | there.z << 2 | there.w << 3) << (4 * i);
    }
    return bits;
}

// Before division by the sum, as height_share.
vec4 height_shares(vec4 weight, vec4 height, float highest, float depth)
{
    return vec4(greaterThan(weight, vec4(0))) * max(weight + height - (highest - depth), 0.0);
}

// Paint by its weights, of which none is told to be 0 all over, and two of the own surfaces by theirs.
Found find(vec2 metres, float pixel, vec4 weight[SLOTS], int own[2], vec2 own_share, float fine, float own_fine)
{
    float depth = nearness.y * fine; // far away by weight alone, as colours are
    ivec2 own_bit = ivec2(own_fine > 0.0 ? 1 << (PAINTS + own[0]) : 0,
                          own_fine > 0.0 && own_share.y > 0.02 ? 1 << (PAINTS + own[1]) : 0);
    int paints = bits_of(weight);
    bool alone = (paints & (paints - 1)) == 0, blended = depth > 0.0 && !alone;
    vec4 height[SLOTS];
    vec2 own_height = vec2(0);
    float highest = 0.0, shares = 0.0, squares = 0.0;
    Found found = Found(vec3(0), vec3(0), vec4(0), vec4(0), vec3(0), vec3(0));

    for (int i = 0; i < SLOTS; i++)
        height[i] = vec4(0);

    int rest = (blended ? paints : 0) | (own_bit.y != 0 ? own_bit.x | own_bit.y : 0);

    do { // how high each is
        int thing = lowest(rest), which = material_of(thing);
        Spot spot = spot_of(which, metres, pixel);
        float here = looks_of(spot, strongest(spot.lattice), which).a;

        for (int i = 0; i < SLOTS; i++)
            height[i] = mix(height[i], vec4(here), is_thing(thing, i));
        own_height = mix(own_height, vec2(here), equal(ivec2(thing - PAINTS), ivec2(own[0], own[1])));
        rest &= rest - 1;
    } while (rest != 0);

    for (int i = 0; i < SLOTS; i++) {
        vec4 raised = vec4(greaterThan(weight[i], vec4(0))) * (weight[i] + height[i]);

        highest = max(highest, max(max(raised.x, raised.y), max(raised.z, raised.w)));
    }
    for (int i = 0; i < SLOTS; i++)
        weight[i] = blended ? mix(weight[i], height_shares(weight[i], height[i], highest, max(depth, 1e-3)), fine)
                            : weight[i];
    own_height += own_share;
    own_height = max(own_height - max(own_height.x, own_height.y) + 0.25, 0.0);
    own_share = own_bit.y != 0 ? own_height / (own_height.x + own_height.y) : vec2(1, 0);
    rest = bits_of(weight) | (own_share.x > 0.0 ? own_bit.x : 0) | (own_share.y > 0.0 ? own_bit.y : 0);

    vec3 colour = vec3(0);
    int copy = 0;

    do { // what each is like
        int thing = lowest(rest), which = material_of(thing);
        bool paint = rest != 0 && thing < PAINTS, thrice = paint && alone; // nothing else hides the seams
        Spot spot = spot_of(which, metres, pixel);
        vec3 copies = sharpened(spot.lattice.weight, SEAMS);
        vec2 vertex = !thrice ? strongest(spot.lattice) : copy == 0 ? spot.lattice.vertex[0]
                      : copy == 1 ? spot.lattice.vertex[1] : spot.lattice.vertex[2];
        float part = !thrice ? 0.0 : copy == 0 ? copies.x : copy == 1 ? copies.y : copies.z;
        float as_paint = paint ? one_of(weight, thing) * (thrice ? part : 1.0) : 0.0;
        float as_own = paint || rest == 0 ? 0.0 : thing == PAINTS + own[0] ? own_share.x : own_share.y;
        vec4 looks = looks_of(spot, vertex, which), lies = relief_of(spot, vertex, which);

        found.paint += as_paint * (thrice ? looks.rgb : looks.rgb * looks.rgb);
        found.paint_lies += as_paint * lies;
        found.own += as_own * looks.rgb * looks.rgb / max(spot.first.rgb, 1e-6);
        found.own_lies += as_own * lies;
        shares += as_paint;
        squares += part * part;
        colour = thrice ? spot.first.rgb : colour;
        copy = thrice && copy < 2 ? copy + 1 : 0;
        rest = copy > 0 ? rest : rest & (rest - 1);
    } while (rest != 0);

    found.paint /= max(shares, 1e-6);
    found.paint_lies /= max(shares, 1e-6);
    found.paint = alone ? with_contrast(found.paint, colour, max(squares, 1e-6)) : found.paint;
    return found;
}

// A normal's east and south in what is thrown from there, as it leans on ground that faces so.
vec3 leaning(int from, vec2 lean, vec3 normal)
{
    return from == 1 ? abs(normal.x) * vec3(0, lean.x, -lean.y) : abs(normal.y) * vec3(lean.x, 0, -lean.y);
}

// The same in all that is thrown on the place; on most ground that is one.
Found find_thrown(vec3 normal, Place place, vec4 weight[SLOTS], int own[2], vec2 own_share, float fine, float own_fine)
{
    ivec3 there = ivec3(greaterThan(place.share, vec3(0)));
    int rest = there.x | there.y << 1 | there.z << 2;
    Found found = Found(vec3(0), vec3(0), vec4(0), vec4(0), vec3(0), vec3(0));

    do {
        int from = lowest(rest);
        float share = one_of(place.share, from);
        Found one = find(thrown(from, place.at), one_of(place.trace, from), weight, own, own_share, fine, own_fine);

        found.paint += share * one.paint;
        found.own += share * one.own;
        found.paint_lies += share * (from == 0 ? one.paint_lies : vec4(0, 0, one.paint_lies.zw));
        found.own_lies += share * (from == 0 ? one.own_lies : vec4(0, 0, one.own_lies.zw));
        found.paint_aside += from == 0 ? vec3(0) : share * leaning(from, one.paint_lies.xy, normal);
        found.own_aside += from == 0 ? vec3(0) : share * leaning(from, one.own_lies.xy, normal);
        rest &= rest - 1;
    } while (rest != 0);
    return found;
}
#endif

Cover cover_of(Ground ground)
{
    Place place = place_of(ground);
    vec4 varied = variety_of(ground, place);
    float sum = 0.0, fine = ground.side ? 0.0 : place.fine;
    vec4 weight[SLOTS];

    for (int i = 0; i < SLOTS; i++)
        weight[i] = vec4(0);
#ifdef SOLE
    weight[0].x = sum = 1.0;
#elif defined(WEIGHTS1)
    weights_at(ground, weight);
    sum = sum_of(weight);
#endif

    Nature nature = nature_of(ground, place, varied);
    bool covered = sum >= 0.998;
    float share = covered ? 1.0 : sum;
#ifdef DETAIL
    int own[2];
    vec2 own_share;
    float own_fine = covered || relief.z == 0.0 ? 0.0 : fine;

    most_of(nature, own, own_share);

    Found found = find_thrown(ground.normal, place, weight, own, own_share, fine, own_fine);
    Cover bare = finish(ground, nature.colour * mix(vec3(1), found.own, own_fine), found.own_lies, found.own_aside,
                        own_fine, varied);
    Cover paint = finish(ground, weathered(ground, found.paint, varied), found.paint_lies, found.paint_aside, fine, varied);
#else
    Cover bare = finish(ground, nature.colour, vec4(0, 0, 1, 1), vec3(0), 0.0, varied);
    Cover paint = finish(ground, weathered(ground, mixed_colours(weight, sum), varied), vec4(0, 0, 1, 1), vec3(0), 0.0, varied);
#endif
#ifdef SOLE
    return paint;
#elif defined(WEIGHTS1)
    return Cover(mix(bare.albedo, paint.albedo, share), normalize(mix(bare.normal, paint.normal, share)),
                 mix(bare.roughness, paint.roughness, share), mix(bare.open, paint.open, share));
#else
    return bare;
#endif
}

// The colour of the one material that there is most of.
vec3 main_material(Ground ground)
{
    Place place = place_of(ground);
    Nature nature = nature_of(ground, place, variety_of(ground, place));
    int most = 0;
    float share = 0.0;

    for (int i = 1; i < OWNS; i++)
        most = nature.share[i] > nature.share[most] ? i : most;
    most += OWN;
#ifdef WEIGHTS1
    vec4 weight[SLOTS];

    weights_at(ground, weight);
    share = max(1.0 - sum_of(weight), 0.0);
    for (int i = 0; i < PAINTS; i++) {
        float own = weight[i >> 2][i & 3];

        most = own > share ? paint_of(i) : most;
        share = max(own, share);
    }
#endif
    return texelFetch(materials, ivec2(most, 0), 0).rgb;
}
