#!/bin/sh
# Lines of a folder's .c files that the tests reached, from a build with --enable-coverage,
# a file each, and fails below a share of the whole:
#
#   tests/tree/coverage.sh FOLDER LEAST_PERCENT        (in the build folder, after make check)
set -eu

folder=$1
least=$2
find "$folder" -name '*.gcno' | sort | while read -r notes; do
    gcov --no-output --object-file "$notes" "$notes" 2>/dev/null
done | awk -v folder="$folder/" -v least="$least" '
/^File / {
    split($0, part, "\047")
    file = part[2]
    at = index(file, folder)
    wanted = file ~ /\.c$/ && at > 0
    if (wanted) file = substr(file, at)
}
/^Lines executed:/ && wanted {
    share = $0; sub(/^Lines executed:/, "", share); sub(/%.*/, "", share)
    lines = $0; sub(/.* of /, "", lines)
    # An object that several programs hold is counted by its best run.
    if (!(file in total) || share > best[file]) best[file] = share
    total[file] = lines
    wanted = 0
}
END {
    for (file in total) {
        reached += best[file] * total[file] / 100
        all += total[file]
        printf "%6.1f %% of %4d  %s\n", best[file], total[file], file | "sort -k5"
    }
    close("sort -k5")
    if (!all) { print "no lines seen: was this built with --enable-coverage?"; exit 1 }
    printf "%6.1f %% of %d lines of %s\n", reached / all * 100, all, folder
    exit reached / all * 100 < least
}'
