#!/bin/sh
# The committed manual page is what the option rows print. UPDATE_GOLDEN=1 rewrites it.
set -eu
srcdir=${srcdir:-.}
made=$(mktemp)
trap 'rm -f "$made"' EXIT
./landscaped --manual >"$made"
if [ "${UPDATE_GOLDEN:-}" = 1 ]; then
    cp "$made" "$srcdir/server/landscaped.8"
    exit 0
fi
cmp "$srcdir/server/landscaped.8" "$made" && exit 0
diff "$srcdir/server/landscaped.8" "$made" | head -40 || true
echo "server/landscaped.8 differs from the rows; if that is meant: UPDATE_GOLDEN=1 make check TESTS=tests/server/check_manual.sh"
exit 1
