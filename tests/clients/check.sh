#!/bin/sh
# Real clients against a daemon of their own: what `make check-clients` runs, in the build folder.
#
#   tests/clients/check.sh [CLIENT…]     all of tests/clients/clients.js, or these
#
# The clients come from npm, of the versions and checksums of package-lock.json, into clients/ of
# the build folder; pictures go to clients/pictures. Nothing else leaves the machine.
set -eu

source=$(cd "${srcdir:-.}" && pwd)/tests/clients
room=$(pwd)/clients
mkdir -p "$room"

if ! cmp -s "$source/package-lock.json" "$room/installed"; then
    rm -f "$room/installed"
    cp "$source/package.json" "$source/package-lock.json" "$room/"
    (cd "$room" && npm ci --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error)
    cp "$source/package-lock.json" "$room/installed"
fi
NODE_PATH=$room/node_modules exec node "$source/run.js" "$(pwd)/landscaped" "$room" "$@"
