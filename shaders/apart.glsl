// Of triangles drawn apart: how far towards each of its corners a point is, adding up to 1.
#ifdef APART
out vec3 corner_of;
#endif

void set_apart()
{
#ifdef APART
    int which = gl_VertexID % 3;

    corner_of = vec3(which == 0, which == 1, which == 2);
#endif
}
