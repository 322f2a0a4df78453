// A height field in Bullet, and rays down onto it: reads a file of little-endian numbers (uint32
// width, length, rays; float32 least, greatest, scale x 3, position x 3; the heights; x, z and y above
// of each ray) and writes the height that each ray meets, NaN where it meets nothing, as float32.
#include <btBulletCollisionCommon.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class T> static std::vector<T> numbers(FILE *from, size_t count)
{
    std::vector<T> read(count);
    if (fread(read.data(), sizeof(T), count, from) != count)
        exit(2);
    return read;
}

int main()
{
    const auto counts = numbers<unsigned>(stdin, 3);
    const auto about = numbers<float>(stdin, 8);
    const auto heights = numbers<float>(stdin, size_t(counts[0]) * counts[1]);
    const auto rays = numbers<float>(stdin, size_t(counts[2]) * 3);

    btHeightfieldTerrainShape shape((int)counts[0], (int)counts[1], heights.data(), 1, about[0],
                                    about[1], 1, PHY_FLOAT, true);
    shape.setLocalScaling(btVector3(about[2], about[3], about[4]));
    btCollisionObject ground;
    ground.setCollisionShape(&shape);
    ground.setWorldTransform(
        btTransform(btQuaternion::getIdentity(), btVector3(about[5], about[6], about[7])));

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&dispatcher, &broadphase, &configuration);
    world.addCollisionObject(&ground);
    for (size_t i = 0; i < rays.size(); i += 3) {
        const btVector3 from(rays[i], rays[i + 2], rays[i + 1]), to = from - btVector3(0, 1000, 0);
        btCollisionWorld::ClosestRayResultCallback hit(from, to);

        world.rayTest(from, to, hit);
        const float met = hit.hasHit() ? float(hit.m_hitPointWorld.y()) : NAN;
        fwrite(&met, sizeof met, 1, stdout);
    }
    world.removeCollisionObject(&ground);
    return 0;
}
