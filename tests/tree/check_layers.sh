#!/bin/sh
# Fails on an #include that breaks the table of layers (layers.txt), and on an outside header
# that one of our headers lets through.
set -eu
cd "${srcdir:-.}"
table=tests/tree/layers.txt

find terrain shaders render api server -name '*.[ch]' -o -name '*.def' | sort |
xargs grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null |
awk -v table="$table" '
function within(path, folders,   n, list, i) {
    n = split(folders, list, " ")
    for (i = 1; i <= n; i++)
        if (path == list[i] || index(path, list[i] "/") == 1)
            return 1
    return 0
}
# A shell pattern with stars, as a regular expression.
function pattern(glob) {
    gsub(/\./, "\\.", glob)
    gsub(/\*/, ".*", glob)
    return "^" glob "$"
}
BEGIN {
    while ((getline line < table) > 0) {
        if (line !~ /^(layer|file|outside) /)
            continue
        kind = line; sub(/ .*/, "", kind)
        key = line; sub(/^[a-z]+ /, "", key); sub(/:.*/, "", key)
        rest = line; sub(/^[^:]*:[ ]*/, "", rest)
        if (kind == "layer") layer[key] = rest
        else if (kind == "file") file[key] = rest
        else { outside[++outsides] = key; allowed[outsides] = rest }
    }
    if (!("terrain/base" in layer)) { print "no table of layers"; bad = 1; exit }
    # Headers of the C library and of POSIX and Linux that anyone may use.
    free = "^(assert|ctype|errno|float|inttypes|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|strings|time|unistd|fcntl|poll|pthread|dirent|dlfcn|getopt|malloc|netdb|spawn|sched|semaphore|fnmatch|libgen|immintrin|x86intrin|nmmintrin|arm_acle|sanitizer/.*|sys/.*|linux/.*|netinet/.*|arpa/.*)\\.h$"
}
{
    path = $0; sub(/:.*/, "", path)
    place = $0; match(place, /^[^:]*:[0-9]+/); place = substr(place, 1, RLENGTH)
    folder = path; sub(/\/[^\/]*$/, "", folder)
    seen++
    if ($0 ~ /include[ ]*"/) {
        target = $0; sub(/^[^"]*"/, "", target); sub(/".*/, "", target)
        if (path in file) may = file[path]
        else {
            home = folder
            while (!(home in layer) && home ~ /\//) sub(/\/[^\/]*$/, "", home)
            may = layer[home] " " home
            if (home == "terrain") {
                own = target; sub(/\/[^\/]*$/, "", own)
                may = layer[home]
                if (own == "terrain") next
            }
        }
        if (!within(target, may) && target != "config.h") {
            print place ": a file of " folder " may not include \"" target "\""
            bad = 1
        }
    } else {
        target = $0; sub(/^[^<]*</, "", target); sub(/>.*/, "", target)
        if (target ~ free)
            next
        known = 0
        for (i = 1; i <= outsides; i++) {
            if (target !~ pattern(outside[i]))
                continue
            known = 1
            ok = 0
            n = split(allowed[i], list, " ")
            for (j = 1; j <= n; j++)
                if (path ~ pattern(list[j])) ok = 1
            if (ok) break
        }
        if (!known || !ok) {
            print place ": <" target "> may not be included here; see " table
            bad = 1
        } else if (path ~ /\.h$/ && path !~ /^render\/gl\.h$/) {
            print place ": an outside library leaks through this header"
            bad = 1
        }
    }
}
END {
    if (!bad && seen < 50) { print "only " seen " includes seen: the check looks at the wrong place"; bad = 1 }
    exit bad
}'
