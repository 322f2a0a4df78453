#!/bin/sh
# Jobs of pictures of a real daemon with two renderers: killed and cancelled at moments of their own,
# and one without a listener. LANDSCAPED_SOAK=1 makes a thousand views of each job, and looks whether
# the memory of the daemon and its renderers stays what it was.
set -eu
. "${srcdir:-.}/tests/server/daemon.sh"

room=$daemon_folder/room
mkdir "$room"
views=24 turns=10
[ -z "${LANDSCAPED_SOAK:-}" ] || views=1000 turns=1

fail() {
    echo "failed: $*" >&2
    tail -n 5 "$daemon_folder/log" >&2
    exit 1
}

get() {
    curl -sS --max-time 300 "$@"
}

job() {
    echo "{\"kind\":\"render\",\"landscape\":\"hills\",\"id\":\"$1\",\"turntable\":{\"frames\":$views,
        \"elevation\":35},\"view\":{\"width\":128,\"height\":128}${2:-}}"
}

post() {
    get -f -o /dev/null "$url/v1/jobs" -H 'Content-Type: application/json' -d "$(job "$@")" || fail "$1"
}

of() {
    get "$url/v1/jobs/$1" | jq -r ".$2"
}

# until_done ID N: so many views are done, or all, when it is faster than it can be asked
until_done() {
    while [ "$(of "$1" done)" -lt "$2" ]; do
        case $(of "$1" state) in
        queued | running) ;;
        *) [ "$(of "$1" done)" -ge "$2" ] || fail "$1 ended early" ;;
        esac
    done
}

ended() {
    for _ in $(seq 60); do
        state=$(get "$url/v1/jobs/$1?wait=30" | jq -r .state)
        case $state in queued | running) ;; *) break ;; esac
    done
    [ "$state" = "$2" ] || { get "$url/v1/jobs/$1" >&2; fail "$1 is $state"; }
}

drawn() {
    get "$url/metrics" | sed -n 's/^landscaped_pictures_total //p'
}

# The resident kilobytes of the daemon and of its renderers together.
resident() {
    ps -o rss= -p "$pid" | awk '{ s += $1 } END { printf "%d ", s }'
    ps -o rss=,comm= --ppid "$pid" | awk '/landscaped-rend/ { s += $1 } END { print s + 0 }'
}

daemon_start --renderers 2
get -f -o /dev/null -X POST "$url/v1/landscapes/hills/import" -H 'Content-Type: image/tiff' \
    --data-binary "@$srcdir/deploy/demo/jacksboro.tif"

# ---- a batch by curl ----

job whole | "$srcdir/deploy/batch.sh" "$url" - "$room/whole" >"$room/said" 2>"$room/bar" ||
    { cat "$room/bar"; fail batch.sh; }
grep -q '100 % done' "$room/bar" || { cat "$room/bar"; fail "no bar"; }
[ "$(ls "$room/whole" | wc -l)" = "$views" ] || fail "batch.sh fetched something else"
[ "$(drawn)" = "$views" ] || fail "$(drawn) pictures were drawn"
get -f -o "$room/one.png" "$url/v1/landscapes/hills/render" -H 'Content-Type: application/json' \
    -d "{\"width\":128,\"height\":128,\"camera\":{\"orbit\":{\"azimuth\":0,\"elevation\":35}}}"
cmp "$room/one.png" "$room/whole/0000.png" || fail "the first view is another picture"

echo "{\"kind\":\"render\",\"landscape\":\"hills\",\"view\":{\"width\":16,\"height\":16},\"views\":[{},
    {\"camera\":{\"position\":[1,1,1],\"target\":[1,1,1]}}]}" |
    "$srcdir/deploy/batch.sh" "$url" - "$room/failing" >"$room/said" 2>"$room/bar" &&
    fail "batch.sh takes a failure for a picture"
grep -q '1 came to nothing' "$room/bar" || { cat "$room/bar"; fail "no word of the failure"; }
[ "$(ls "$room/failing")" = 0000.png ] || fail "a failure was fetched"

job broken | jq -c ".turntable.frames *= $turns | .turntable.to = $((360 * turns))" |
    "$srcdir/deploy/batch.sh" "$url" - "$room/broken" >"$room/said" 2>"$room/bar" &
script=$!
until [ "$(get "$url/v1/jobs/broken" | jq -r .state)" = running ]; do sleep 0.05; done
kill -TERM "$script"
wait "$script" && fail "batch.sh says that all is well when it is interrupted"
ended broken cancelled
grep -q '^cancelled' "$room/bar" || { cat "$room/bar"; fail "no word of the interruption"; }

# ---- killed, and edited afterwards ----

post killed
until_done killed $((views / 3))
told=$(of killed done)
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
daemon_start --renderers 2
get -f -o /dev/null "$url/v1/landscapes/hills/edits" -H 'Content-Type: application/json' \
    -d '{"ops":[{"tool":"raise","path":[[9000,9000]],"radius":9000,"amount":50}]}'
ended killed "done"
[ "$(drawn)" -le $((views - told)) ] || fail "of $views with $told told, $(drawn) were drawn again"
diff -r "$room/whole" "$data/jobs/killed/files" || fail "a kill changes pictures"

# ---- cancelled at half, of so many turns that it is not done meanwhile ----

job cut ',"version":1' | jq -c ".turntable.frames *= $turns | .turntable.to = $((360 * turns))" |
    get -f -o /dev/null "$url/v1/jobs" -H 'Content-Type: application/json' --data-binary @-
until_done cut $((views / 2))
get -f -o /dev/null -X DELETE "$url/v1/jobs/cut"
ended cut cancelled
finished=$(of cut result_count)
[ "$finished" -ge $((views / 2)) ] || fail "only $finished are left"
[ "$(ls "$data/jobs/cut/files" | wc -l)" = "$finished" ] || fail "files that are no results"
[ -z "$(ls "$data/jobs/cut/work")" ] || fail "something half is left"
for n in 0 $((finished / 2)) $((finished - 1)); do
    get -f -o "$room/one.png" "$url/v1/jobs/cut/results/$n"
    cmp "$room/one.png" "$(printf '%s/whole/%04d.png' "$room" $((n % views)))" ||
        fail "picture $n is not whole"
done
[ "$(get -o /dev/null -w '%{http_code}' "$url/v1/jobs/cut/results/$finished")" = 404 ] || fail "more than $finished"

# ---- a thousand ----

if [ -n "${LANDSCAPED_SOAK:-}" ]; then
    post long ',"version":1'
    began=$(date +%s%N)
    until_done long 100
    early=$(resident)
    ended long "done"
    late=$(resident)
    awk -v early="$early" -v late="$late" -v n="$views" -v ms=$((($(date +%s%N) - began) / 1000000)) 'BEGIN {
        split(early, a, " "); split(late, b, " ")
        printf "%d views of 128 x 128 in %.1f s; resident at 100 and at the end: daemon %.1f and %.1f MB, " \
            "renderers %.1f and %.1f MB\n", n, ms / 1000, a[1] / 1024, b[1] / 1024, a[2] / 1024, b[2] / 1024
        exit !(b[1] < a[1] * 1.1 + 8192 && b[2] < a[2] * 1.1 + 8192)
    }' || fail "memory grows"
fi
daemon_stop
[ "$daemon_status" = 0 ] || fail "exit status $daemon_status"

# ---- without a listener ----

views=3
job alone ',"version":1' >"$room/job"
./landscaped --data "$data" --log-level warning --job "$room/job" >"$room/paths" 2>"$room/said" ||
    { cat "$room/said"; fail "--job"; }
cmp "$(head -n 1 "$room/paths")" "$room/whole/0000.png" || fail "--job makes something else"
[ "$(wc -l <"$room/paths")" = 3 ] || fail "--job says other files"
