# Shared by the scripts of this folder: where things lie, packages, a build. Sourced, not run.

tree=$(cd "$(dirname "$0")/.." && pwd)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

say() {
    printf '\n== %s\n' "$*" >&2
}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -E "$@"
    else
        die "installing packages needs root, or sudo: $*"
    fi
}

# packages KIND…: installs what packages.txt lists for these kinds and is not there yet, by its name
# or as what another package says that it provides.
packages() {
    wanted=
    there=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}, ${Provides}\n' 2>/dev/null |
        awk '/^.i /' | tr ',' '\n' | awk '/^.i / { print $2; next } { print $1 }')
    for kind in "$@"; do
        for name in $(awk -v kind="$kind" '$1 == kind { print $2 }' "$tree/deploy/packages.txt"); do
            printf '%s\n' "$there" | grep -qxF "$name" || wanted="$wanted $name"
        done
    done
    [ -n "$wanted" ] || return 0
    say "installing:$wanted"
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -qq
    # shellcheck disable=SC2086
    as_root apt-get install -y -qq --no-install-recommends $wanted >/dev/null
}

# generate: configure and the Makefile's template, when they are missing or older than their sources.
generate() {
    if [ ! -x "$tree/configure" ] ||
        [ -n "$(find "$tree" -path "$tree/build" -prune -o \( -name local.am -o -name configure.ac \
            -o -name Makefile.am \) -newer "$tree/configure" -print -quit)" ]; then
        (cd "$tree" && autoreconf -fi >/dev/null)
    fi
}

# build FOLDER [CONFIGURE ARGUMENTS]: everything that `make` makes, in build/FOLDER.
build() {
    folder=$tree/build/$1
    shift
    generate
    mkdir -p "$folder"
    (
        cd "$folder"
        if [ ! -f Makefile ] || [ "$tree/configure" -nt Makefile ]; then
            "$tree/configure" --silent "$@"
        fi
        make -s -j"$jobs"
    )
}
