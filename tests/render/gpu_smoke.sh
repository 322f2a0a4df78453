#!/bin/sh
# usage: gpu_smoke.sh BUILD_TREE [OUT_FOLDER]
#
# Draws a made-up landscape through every backend that this machine has and says what each is and
# how long it takes, beside the bare triangles too. Needs landscaped-render and tests/render/render_once, built, and a driver.
tree=${1:-.}
out=${2:-/tmp}
drawn=0
for backend in egl-device egl-device-gl egl-surfaceless egl-surfaceless-gl osmesa; do
    for size in 512x512 1920x1080; do
        echo "== $backend $size"
        "$tree/tests/render/render_once" program="$tree/landscaped-render" backend=$backend \
            width="${size%x*}" height="${size#*x}" side=2017 repeat=5 \
            scene="$out/smoke-$backend-$size.scene" "$out/smoke-$backend-$size.ppm" &&
            drawn=$((drawn + 1)) &&
            "$tree/landscaped-render" --scene "$out/smoke-$backend-$size.scene" \
                --backend "$backend" --repeat 50 --bare
    done
done
[ $drawn -gt 0 ]
