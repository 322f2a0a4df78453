#!/bin/sh
# Programs that know nothing but what pkg-config says of the installed library: they build without a
# warning, and run.
set -eu
tests=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for program in "$tests/link/terrain_alone.c" "$tests/installed/game_server.c"; do
    # shellcheck disable=SC2046,SC2086
    $CC $CFLAGS -Werror "$program" $(pkg-config --cflags --libs terrain) \
        -o "$folder/$(basename "$program" .c)"
done
"$folder/terrain_alone"

# Every header is enough by itself. (Variables come without the folder that stands for the root.)
include=${PKG_CONFIG_SYSROOT_DIR:-}$(pkg-config --variable=includedir terrain)
find "$include/terrain" -name '*.h' | while read -r header; do
    echo "#include \"$header\""
    # shellcheck disable=SC2046,SC2086
    echo "#include \"$header\"" | $CC $CFLAGS -Werror $(pkg-config --cflags terrain) \
        -fsyntax-only -x c - || exit 1
done >"$folder/headers"
[ "$(wc -l <"$folder/headers")" -gt 40 ]

"$folder/game_server"
