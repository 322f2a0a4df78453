#include "render/program.h"

#include <stdio.h>
#include <string.h>

#include "shaders/shaders.h"

enum { PIECES_MOST = 96 };

static const char es_prologue[] = "#version 300 es\n"
                                  "precision highp float;\n"
                                  "precision highp int;\n"
                                  "precision highp sampler2D;\n"
                                  "precision highp usampler2D;\n"
                                  "precision highp sampler2DArray;\n"
                                  "precision highp usampler2DArray;\n";
static const char core_prologue[] = "#version 330 core\n";

static const char *text_of(const char *mode, const char *name, size_t length)
{
    if (mode && length == strlen("mode") && memcmp(name, "mode", length) == 0)
        return text_of(NULL, mode, strlen(mode));
    for (const struct shader_text *shader = shader_texts; shader->name; shader++)
        if (strlen(shader->name) == length && memcmp(shader->name, name, length) == 0)
            return shader->text;
    return NULL;
}

struct pieces {
    const char *texts[PIECES_MOST];
    GLint lengths[PIECES_MOST];
    int count;
    const char *mode; /* the file that "mode" stands for */
};

static bool add(struct pieces *pieces, const char *text, size_t length)
{
    if (pieces->count == PIECES_MOST)
        return false;
    pieces->texts[pieces->count] = text;
    pieces->lengths[pieces->count++] = (GLint)length;
    return true;
}

/* The file's text in pieces, each file that it includes in the place of the line that does. */
static bool expand(struct pieces *pieces, const char *name, size_t length, int depth)
{
    static const char include[] = "#include \"";
    const char *text = text_of(pieces->mode, name, length), *line = text;

    if (!text || depth > 4)
        return false;
    while ((line = strstr(line, include)) != NULL) {
        const char *file = line + sizeof include - 1, *end = strchr(file, '"');

        if (!end || !add(pieces, text, (size_t)(line - text)) ||
            !expand(pieces, file, (size_t)(end - file), depth + 1))
            return false;
        text = line = end + 1;
    }
    return add(pieces, text, strlen(text));
}

static GLuint compile(const struct gl *gl, GLenum kind, const char *defines, const char *name,
                      const char *mode, struct fault *why)
{
    const char *prologue = gl->es ? es_prologue : core_prologue;
    struct pieces pieces = { .mode = mode };
    char said[200] = "";
    GLuint shader;
    GLint done = 0;

    if (!add(&pieces, prologue, strlen(prologue)) || !add(&pieces, defines, strlen(defines)) ||
        !expand(&pieces, name, strlen(name), 0)) {
        fault_set(why, FAULT_INTERNAL, "the shader %s is not whole", name);
        return 0;
    }
    shader = gl->CreateShader(kind);
    gl->ShaderSource(shader, pieces.count, pieces.texts, pieces.lengths);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done)
        return shader;
    gl->GetShaderInfoLog(shader, sizeof said, NULL, said);
    gl->DeleteShader(shader);
    fault_set(why, FAULT_WORKER, "the shader %s does not compile: %s", name, said);
    return 0;
}

static GLuint link_shaders(const struct gl *gl, GLuint vertex, GLuint fragment, const char *name,
                           struct fault *why)
{
    GLuint program = gl->CreateProgram();
    char said[200] = "";
    GLint done = 0;

    gl->AttachShader(program, vertex);
    gl->AttachShader(program, fragment);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &done);
    if (done)
        return program;
    gl->GetProgramInfoLog(program, sizeof said, NULL, said);
    gl->DeleteProgram(program);
    fault_set(why, FAULT_WORKER, "the program of %s does not link: %s", name, said);
    return 0;
}

GLuint program_new(const struct gl *gl, const char *defines, const char *vertex,
                   const char *fragment, const char *mode, struct fault *why)
{
    GLuint first = compile(gl, GL_VERTEX_SHADER, defines, vertex, mode, why);
    GLuint second = first ? compile(gl, GL_FRAGMENT_SHADER, defines, fragment, mode, why) : 0;
    GLuint program = second ? link_shaders(gl, first, second, fragment, why) : 0;

    gl->DeleteShader(first);
    gl->DeleteShader(second);
    return program;
}
