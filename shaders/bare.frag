// The colour that a vertex came with.
in vec4 colour;
layout(location = 0) out vec4 pixel;

void main()
{
    pixel = colour;
}
