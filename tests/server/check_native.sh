#!/bin/sh
# Tiles of stored heights, decoded by a program in another language that knows the page alone.
set -eu
. "${srcdir:-.}/tests/server/daemon.sh"

command -v python3 >/dev/null || exit 77
daemon_start
curl -sSf -o "$daemon_folder/made" -X PUT "$url/v1/landscapes/it" -H 'Content-Type: application/json' \
    -d '{"layout":{"components":[3,2],"sections_per_component":1,"section_quads":63},"scale":[1,1,4],"origin":[0,0,250]}'
curl -sSf -o "$daemon_folder/edited" "$url/v1/landscapes/it/edits" -H 'Content-Type: application/json' \
    -d '{"ops":[{"tool":"noise","region":{"x":0,"y":0,"width":190,"height":127},"amplitude":300,"cell":40,"seed":3,"octaves":5}]}'
curl -sSf -o "$daemon_folder/tile" "$url/v1/landscapes/it/tiles/native/0/0/0.zst?fill=250"
curl -sSf -o "$daemon_folder/raw" "$url/v1/landscapes/it/heights?format=r16"
python3 "$srcdir/tests/server/native_tile.py" "$daemon_folder/tile" "$daemon_folder/raw" 190 127 250
