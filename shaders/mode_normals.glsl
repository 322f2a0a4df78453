vec3 show(Ground ground)
{
    return vec3(ground.normal.x, -ground.normal.y, ground.normal.z) * (127.0 / 255.0) + 128.0 / 255.0;
}
