// Bullet's height field, asked the rays of bench_ray.c: peer_bullet FILE prints the median ns of
// CPU a ray and how many met something. FILE: the side, 16-bit codes row by row, then pairs of
// ends.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>

static double cpu_seconds()
{
    timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

struct Ends {
    double from[3], to[3];
};

static size_t cast(const std::vector<Ends> &rays, btCollisionObject *object,
                   const btHeightfieldTerrainShape *shape, const btVector3 &middle)
{
    btTransform place = btTransform::getIdentity();
    size_t met = 0;

    for (const Ends &ray : rays) {
        btVector3 from(ray.from[0], ray.from[1], ray.from[2]), to(ray.to[0], ray.to[1], ray.to[2]);
        btCollisionWorld::ClosestRayResultCallback result(from - middle, to - middle);
        btTransform start(btQuaternion::getIdentity(), from - middle);
        btTransform end(btQuaternion::getIdentity(), to - middle);

        btCollisionWorld::rayTestSingle(start, end, object, shape, place, result);
        met += result.hasHit();
    }
    return met;
}

int main(int count, char **words)
{
    std::FILE *file = count > 1 ? std::fopen(words[1], "rb") : nullptr;
    std::int32_t side = 0;
    std::vector<std::uint16_t> codes;
    std::vector<Ends> rays;
    std::vector<double> times;
    size_t met = 0;
    Ends one;

    if (!file || std::fread(&side, sizeof side, 1, file) != 1)
        return 1;
    codes.resize(size_t(side) * side);
    if (std::fread(codes.data(), 2, codes.size(), file) != codes.size())
        return 1;
    while (std::fread(&one, sizeof one, 1, file) == 1)
        rays.push_back(one);
    std::fclose(file);

    std::vector<float> heights(codes.size());
    for (size_t i = 0; i < codes.size(); i++)
        heights[i] = (codes[i] - 32768) / 128.0f;
    btHeightfieldTerrainShape shape(side, side, heights.data(), btScalar(1), btScalar(-256),
                                    btScalar(256), 2, PHY_FLOAT, true);
    shape.buildAccelerator(16);
    btCollisionObject object;
    object.setCollisionShape(&shape);
    const btVector3 middle((side - 1) / 2.0, (side - 1) / 2.0, 0);

    for (int round = 0; round < 5; round++) {
        double start = cpu_seconds();

        met = cast(rays, &object, &shape, middle);
        times.push_back(cpu_seconds() - start);
    }
    std::sort(times.begin(), times.end());
    std::printf("%.1f %zu\n", times[2] * 1e9 / rays.size(), met);
    return 0;
}
