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
