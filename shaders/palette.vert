// One triangle over all of it.

out vec2 across;

void main()
{
    across = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
    gl_Position = vec4(across, 0, 1);
}
