#!/bin/sh
# Jobs of a real daemon, read by tar, sqlite3 and GDAL; killed and started again; and one without a
# listener.
set -eu
. "${srcdir:-.}/tests/server/daemon.sh"

room=$daemon_folder/room
mkdir "$room"

fail() {
    echo "failed: $*" >&2
    tail -n 5 "$daemon_folder/log" >&2
    exit 1
}

get() {
    curl -sS --max-time 120 "$@"
}

# post BODY: the answer's status, with its body in $room/answer
post() {
    get -o "$room/answer" -w '%{http_code}' "$url/v1/jobs" -H 'Content-Type: application/json' -d "$1"
}

state() {
    get "$url/v1/jobs/$1$2" | jq -r .state
}

# done ID: waits until it is
done_is() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        case $(state "$1" '?wait=30') in
        done) return 0 ;;
        queued | running) ;;
        *) break ;;
        esac
    done
    get "$url/v1/jobs/$1" >&2
    fail "$1 is not done"
}

# result ID NAME-END FILE
result() {
    href=$(get "$url/v1/jobs/$1/results?limit=1000" |
        jq -r --arg tail "$2" '.results[] | select(.name | endswith($tail)) | .href' | head -n 1)
    [ -n "$href" ] || fail "$1 has no $2"
    get -f -o "$3" "$url$href"
}

make_job() {
    [ "$(post "$1")" = 202 ] || { cat "$room/answer" >&2; fail "$1"; }
}

tiles='"kind":"tiles","landscape":"hills","set":"terrain-rgb"'

daemon_start
get -f -o /dev/null -X POST "$url/v1/landscapes/hills/import" -H 'Content-Type: image/tiff' \
    --data-binary "@$srcdir/deploy/demo/jacksboro.tif"

# ---- what others read ----

make_job "{$tiles,\"id\":\"tar\",\"package\":\"tar\"}"
make_job "{$tiles,\"id\":\"mbtiles\",\"package\":\"mbtiles\"}"
make_job "{$tiles,\"id\":\"folder\",\"package\":\"folder\"}"
for id in tar mbtiles folder; do done_is $id; done

result tar .tar "$room/a.tar"
mkdir "$room/tar"
tar -xf "$room/a.tar" -C "$room/tar" || fail "tar does not read it"
[ -z "$(tar -df "$room/a.tar" -C "$room/tar" 2>&1)" ] || fail "tar finds differences"
jq -e '.tilejson == "3.0.0" and .maxzoom == 11' "$room/tar/tilejson.json" >/dev/null || fail tilejson

result mbtiles .mbtiles "$room/a.mbtiles"
[ "$(sqlite3 "$room/a.mbtiles" 'pragma integrity_check')" = ok ] || fail integrity
[ "$(sqlite3 "$room/a.mbtiles" "select value from metadata where name='format'")" = png ] || fail format
for name in name format bounds center minzoom maxzoom type description; do
    [ -n "$(sqlite3 "$room/a.mbtiles" "select value from metadata where name='$name'")" ] ||
        fail "MBTiles without $name"
done
mkdir "$room/mbtiles"
(
    cd "$room/mbtiles"
    sqlite3 ../a.mbtiles "select zoom_level, tile_column from tiles group by 1, 2" |
        tr '|' '/' | xargs mkdir -p
    sqlite3 ../a.mbtiles "select writefile(zoom_level || '/' || tile_column || '/' ||
        ((1 << zoom_level) - 1 - tile_row) || '.png', tile_data) from tiles" >/dev/null
)
tiles_in_manifest=$(grep -vc '^#' "$room/tar/manifest.txt")
[ "$tiles_in_manifest" -gt 20 ] || fail "only $tiles_in_manifest tiles"
rm "$room/tar/tilejson.json" "$room/tar/manifest.txt"
diff -r "$room/tar" "$room/mbtiles" || fail "tar and MBTiles differ"
rm "$data/jobs/folder/files/tiles/tilejson.json"
diff -r "$room/tar" "$data/jobs/folder/files/tiles" || fail "tar and folder differ"
for tile in 0/0/0 8/68/99 11/544/800; do
    get -f -o "$room/one.png" "$url/v1/landscapes/hills/tiles/terrain-rgb/$tile.png"
    cmp "$room/one.png" "$room/tar/$tile.png" || fail "$tile is not the route's"
done

gdalinfo -json "$room/a.mbtiles" >"$room/info" 2>"$room/error" || { cat "$room/error"; fail gdalinfo; }
jq -e '.driverShortName == "MBTiles" and (.bands | length) >= 3 and (.size[0] > 400)' \
    "$room/info" >/dev/null || { cat "$room/info"; fail "GDAL reads something else"; }
gdallocationinfo -valonly -wgs84 "$room/a.mbtiles" -84.23 36.575 >"$room/pixel" 2>/dev/null
height=$(get "$url/v1/landscapes/hills/height?x=-84.23&y=36.575&frame=lonlat" | jq .z)
awk -v z="$height" 'NR == 1 { r = $1 } NR == 2 { g = $1 } NR == 3 { b = $1 }
    END { d = (r * 65536 + g * 256 + b) / 10 - 10000 - z; exit !(d > -30 && d < 30) }' "$room/pixel" ||
    { cat "$room/pixel"; fail "GDAL finds another height than $height"; }

# ---- events, and a batch by curl ----

get -N "$url/v1/jobs/tar/events" >"$room/events"
[ "$(grep -c '^event: result' "$room/events")" = 2 ] || fail "events of results"
grep -A 2 '^event: done' "$room/events" | grep -q '"state":"done"' || fail "event of the end"
last=$(sed -n 's/^id: //p' "$room/events" | tail -n 1)
get -N -H "Last-Event-ID: $((last - 1))" "$url/v1/jobs/tar/events" >"$room/events"
[ "$(grep -c '^event: ' "$room/events")" = 1 ] || fail "events behind the last one"

echo "{$tiles,\"id\":\"batch\",\"maxzoom\":9}" |
    "$srcdir/deploy/batch.sh" "$url" - "$room/batch" >"$room/said" 2>"$room/bar" || fail batch.sh
grep -q '100 % done' "$room/bar" || { cat "$room/bar"; fail "no bar"; }
[ "$(tar -tf "$room/batch/hills-terrain-rgb.tar" | grep -c png)" -gt 10 ] || fail "batch.sh fetched nothing"
echo "{$tiles,\"maxzoom\":99}" | "$srcdir/deploy/batch.sh" "$url" - "$room/batch" 2>/dev/null &&
    fail "batch.sh takes anything"

# ---- killed in the middle, and edited afterwards ----

endless="$tiles,\"maxzoom\":15,\"tile_size\":\"512\""
large="$tiles,\"minzoom\":10,\"maxzoom\":13,\"tile_size\":\"512\""
for package in tar mbtiles; do
    make_job "{$large,\"id\":\"whole-$package\",\"package\":\"$package\"}"
done
for package in tar mbtiles; do
    done_is "whole-$package"
    result "whole-$package" ".$package" "$room/whole.$package"
done

# A job may be through before it is killed: then again.
cut=
for try in 1 2 3 4 5 6 7 8; do
    for package in tar mbtiles; do
        make_job "{$large,\"id\":\"cut-$package\",\"package\":\"$package\"}"
    done
    until [ "$(get "$url/v1/jobs/cut-mbtiles" | jq .done)" -gt 60 ]; do :; done
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null || true
    daemon_start --jobs-waiting 3 --job-workers 1
    for package in tar mbtiles; do
        [ "$(state "cut-$package" '')" = done ] || cut="$cut $package"
    done
    [ -z "$cut" ] || break
    for package in tar mbtiles; do get -X DELETE "$url/v1/jobs/cut-$package"; done
done
[ -n "$cut" ] || fail "no job was cut in $try tries"
get -f -o /dev/null "$url/v1/landscapes/hills/edits" -H 'Content-Type: application/json' \
    -d '{"ops":[{"tool":"raise","path":[[9000,9000]],"radius":9000,"amount":50}]}'

for package in tar mbtiles; do
    done_is "cut-$package"
    result "cut-$package" ".$package" "$room/cut.$package"
    cmp "$room/whole.$package" "$room/cut.$package" || fail "$package differs after a kill"
done

# ---- too many ----

for id in first second third; do make_job "{$endless,\"id\":\"$id\"}"; done
[ "$(post "{$endless,\"id\":\"fourth\"}")" = 503 ] || fail "the fourth should be refused"
get -o /dev/null -D "$room/head" "$url/v1/jobs" -H 'Content-Type: application/json' -d "{$large}"
grep -qi '^retry-after: ' "$room/head" || fail "no Retry-After"
for id in third second first; do
    [ "$(get -o /dev/null -w '%{http_code}' -X DELETE "$url/v1/jobs/$id")" = 202 ] || fail "cancelling"
    [ "$(state $id '?wait=30')" = cancelled ] || fail "$id is not cancelled"
    [ -z "$(ls "$data/jobs/$id/work" "$data/jobs/$id/files" | grep -v :)" ] || fail "$id left files"
done
get "$url/metrics" | grep -q '^landscaped_jobs{state="cancelled"} 3$' || fail metrics
get "$url/v1/info" | jq -e '.limits.jobs_waiting == 3' >/dev/null || fail limits
# ---- at a stop it is written down ----

make_job "{$endless,\"id\":\"stopped\"}"
daemon_stop
[ "$daemon_status" = 0 ] || fail "exit status $daemon_status"

# ---- without a listener ----

echo "{$tiles,\"id\":\"alone\",\"version\":1}" >"$room/job"
./landscaped --data "$data" --log-level warning --job "$room/job" >"$room/paths" 2>"$room/said" ||
    { cat "$room/said"; fail "--job"; }
cmp "$(head -n 1 "$room/paths")" "$room/a.tar" || fail "--job makes something else"
grep -q 'alone: done; 35 made' "$room/said" || { cat "$room/said"; fail "--job says nothing"; }
status=0
echo '{"kind":"tiles","landscape":"hills","set":"none"}' |
    ./landscaped --data "$data" --log-level warning --job - 2>"$room/said" || status=$?
[ $status = 2 ] && grep -q '/set' "$room/said" || fail "a wrong job: $status"

daemon_start
[ "$(state alone '')" = done ] || fail "the daemon does not know the job"
case $(state stopped '') in queued | running) ;; *) fail "stopped does not go on" ;; esac
status=0
./landscaped --data "$data" --log-level error --job "$room/job" 2>/dev/null || status=$?
[ $status = 1 ] || fail "a folder that is taken: $status"
daemon_stop
