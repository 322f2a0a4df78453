#!/bin/sh
# Runs every line of the README's tour against a daemon of its own; each has to succeed.
set -eu

srcdir=$(cd "${srcdir:-.}" && pwd)
build=$(pwd)
room=$(mktemp -d)
daemon=
finish() {
    [ -z "$daemon" ] || { kill -TERM "$daemon" 2>/dev/null; wait "$daemon" 2>/dev/null; } || true
    rm -rf "$room"
}
trap finish EXIT

: >"$room/said"
"$build/landscaped" --listen 127.0.0.1:0 --data "$room/data" >"$room/said" 2>"$room/log" &
daemon=$!
tries=0
until grep -q '^landscaped listening on ' "$room/said"; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] && kill -0 $daemon || { cat "$room/log"; exit 1; }
    sleep 0.1
done
url=$(sed -n 's/^landscaped listening on //p' "$room/said")

mkdir "$room/desk"
ln -s "$srcdir/deploy" "$room/desk/deploy"
cd "$room/desk"
awk '/^```sh tour/ { on = 1; next } /^```/ { on = 0 } on && /^curl/' "$srcdir/README.md" |
    sed "s#http://127.0.0.1:8080#$url#g" >tour

lines=0
failed=0
while read -r line; do
    lines=$((lines + 1))
    if ! sh -c "$line -sS --max-time 60" >answer 2>error </dev/null; then
        failed=$((failed + 1))
        printf 'failed: %s\n' "$line"
        cat error
        head -c 600 answer
        echo
    fi
done <tour
echo "$lines lines, $failed failed"
[ $lines -ge 10 ] && [ $failed -eq 0 ]
