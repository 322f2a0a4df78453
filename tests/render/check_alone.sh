#!/bin/sh
# The render worker runs on a machine that has a driver and nothing else: it is linked with the C
# library and what belongs to it, and asks for no other library until it looks for a driver.
set -eu
needed=$(readelf -d ./landscaped-render | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
    case $library in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | ld-linux*) ;;
        libasan.so.* | libubsan.so.* | libtsan.so.* | libgcc_s.so.*) ;; # a sanitized build
        *)
            echo "landscaped-render needs $library" >&2
            exit 1
            ;;
    esac
done
[ -n "$needed" ]
# An option that there is not is told, and nothing is drawn.
if ./landscaped-render --scenery x >/dev/null 2>&1; then
    echo "an unknown option was taken" >&2
    exit 1
fi
# What is no scene is said so, and none of it is waited for.
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
mkfifo "$room/fifo"
: >"$room/empty"
echo no scene >"$room/text"
for scene in "$room" "$room/fifo" "$room/empty" "$room/text" "$room/none" /dev/zero; do
    status=0
    timeout 60 ./landscaped-render --scene "$scene" >/dev/null 2>"$room/said" || status=$?
    if [ $status -ne 1 ] || [ "$(wc -l <"$room/said")" -ne 1 ] || grep -q Success "$room/said"; then
        echo "$scene: status $status, $(cat "$room/said")" >&2
        exit 1
    fi
done
