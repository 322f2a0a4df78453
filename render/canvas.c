#include "render/canvas.h"

struct glyph {
    uint32_t code;
    int drop;
    uint8_t rows[GLYPH_RISE];
};

static const struct glyph glyphs[] = {
#define GLYPH(code, drop, ...) { code, drop, { __VA_ARGS__ } },
#include "render/glyphs.def"
#undef GLYPH
};

enum { GLYPHS = sizeof glyphs / sizeof *glyphs };

const uint8_t canvas_light[4] = { 244, 246, 249, 255 };
const uint8_t canvas_dark[4] = { 24, 28, 34, 255 };
static const uint8_t plate[4] = { 24, 28, 34, 168 };

struct canvas canvas_of(uint8_t *rgba, int32_t width, int32_t height)
{
    int32_t side = width < height ? width : height, dot = 1;

    while (side / dot >= 1024 && dot < 8)
        dot *= 2;
    return (struct canvas){ rgba, width, height, dot };
}

/* Over straight alpha: what shines through of the pixel counts by its own. */
static void lay_over(uint8_t pixel[4], const uint8_t colour[4])
{
    int over = colour[3] * 255, under = pixel[3] * (255 - colour[3]), both = over + under;

    for (int c = 0; both > 0 && c < 3; c++)
        pixel[c] = (uint8_t)((colour[c] * over + pixel[c] * under + both / 2) / both);
    pixel[3] = (uint8_t)((both + 127) / 255);
}

void canvas_fill(const struct canvas *canvas, struct rect where, const uint8_t colour[4])
{
    where = rect_meet(where, (struct rect){ 0, 0, canvas->width, canvas->height });
    for (int32_t y = where.y; y < where.y + where.height; y++)
        for (int32_t x = where.x; x < where.x + where.width; x++)
            lay_over(canvas->rgba + 4 * ((int64_t)y * canvas->width + x), colour);
}

void canvas_plate(const struct canvas *canvas, struct rect where)
{
    const int32_t dot = canvas->dot;

    canvas_fill(canvas, (struct rect){ where.x + dot, where.y, where.width - 2 * dot, dot }, plate);
    canvas_fill(canvas,
                (struct rect){ where.x, where.y + dot, where.width, where.height - 2 * dot },
                plate);
    canvas_fill(
        canvas,
        (struct rect){ where.x + dot, where.y + where.height - dot, where.width - 2 * dot, dot },
        plate);
}

/* The next code point; what is no UTF-8 is U+FFFD, byte by byte. */
static uint32_t next_code(const unsigned char **at)
{
    static const uint32_t least[4] = { 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = *(*at)++;
    int more = first < 0x80       ? 0
               : first >> 5 == 6  ? 1
               : first >> 4 == 14 ? 2
               : first >> 3 == 30 ? 3
                                  : -1;
    uint32_t code = more < 1 ? first : first & (0x3fu >> more);

    if (more < 0)
        return 0xfffd;
    for (int i = 0; i < more; i++) {
        if ((*at)[i] >> 6 != 2)
            return 0xfffd;
        code = code << 6 | ((*at)[i] & 0x3f);
    }
    *at += more;
    return code < least[more] ? 0xfffd : code;
}

static const struct glyph *glyph_of(uint32_t code)
{
    for (int i = 1; i < GLYPHS; i++)
        if (glyphs[i].code == code)
            return &glyphs[i];
    return &glyphs[0];
}

static void draw_glyph(const struct canvas *canvas, int32_t x, int32_t y, const struct glyph *glyph,
                       const uint8_t colour[4])
{
    const int32_t dot = canvas->dot;

    for (int32_t row = 0; row < GLYPH_RISE; row++)
        for (int32_t column = 0; column < GLYPH_WIDTH - 1; column++)
            if (glyph->rows[row] >> (GLYPH_WIDTH - 2 - column) & 1)
                canvas_fill(
                    canvas,
                    (struct rect){ x + column * dot, y + (row + glyph->drop) * dot, dot, dot },
                    colour);
}

void canvas_text(const struct canvas *canvas, int32_t x, int32_t y, const char *text,
                 const uint8_t colour[4])
{
    const unsigned char *at = (const unsigned char *)text;

    for (; *at; x += GLYPH_WIDTH * canvas->dot)
        draw_glyph(canvas, x, y, glyph_of(next_code(&at)), colour);
}

int32_t canvas_text_width(const struct canvas *canvas, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    int32_t count = 0;

    for (; *at; count++)
        next_code(&at);
    return count > 0 ? (GLYPH_WIDTH * count - 1) * canvas->dot : 0;
}
