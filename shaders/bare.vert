// Passes on what was worked out before; see render/bare.h.
layout(location = 0) in vec4 at;
layout(location = 1) in vec4 lit;

out vec4 colour;

void main()
{
    colour = lit;
    gl_Position = at;
}
