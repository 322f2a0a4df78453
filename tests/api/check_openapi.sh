#!/bin/sh
# The committed api/openapi.json is what the rows print. UPDATE_GOLDEN=1 rewrites it.
set -eu
srcdir=${srcdir:-.}
made=$(mktemp)
trap 'rm -f "$made"' EXIT
# A golden printed by yesterday's program would be yesterday's.
[ "${UPDATE_GOLDEN:-}" != 1 ] || make -s tests/api/openapi_check
./tests/api/openapi_check >"$made"
if [ "${UPDATE_GOLDEN:-}" = 1 ]; then
    cp "$made" "$srcdir/api/openapi.json"
    exit 0
fi
cmp "$srcdir/api/openapi.json" "$made" && exit 0
diff "$srcdir/api/openapi.json" "$made" | head -40 || true
echo "api/openapi.json differs from the rows; if that is meant: UPDATE_GOLDEN=1 make check TESTS=tests/api/check_openapi.sh"
exit 1
