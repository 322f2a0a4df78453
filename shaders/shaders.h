/* The files of shaders/, as texts in the program; see embed.sh. Any thread. */
#ifndef SHADERS_SHADERS_H
#define SHADERS_SHADERS_H

struct shader_text {
    const char *name; /* "terrain.vert" */
    const char *text;
};

extern const struct shader_text shader_texts[]; /* ends with a NULL name */

#endif
