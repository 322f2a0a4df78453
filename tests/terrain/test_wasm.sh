#!/bin/sh
# The same long edit script as WebAssembly under node, by gcc -O3 and by clang -O0: one checksum.
# Skipped where clang has no wasm32-wasi, or there is no node.
set -eu

source=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

files="$source/tests/terrain/edit_script.c $source/tests/terrain/ops.c $source/tests/terrain/masks.c
$source/tests/terrain/dice.c
$(find "$source"/terrain/base "$source"/terrain/core "$source"/terrain/edit "$source"/terrain/lod \
    "$source"/terrain/query -name '*.c')"
flags="-std=gnu11 -D_GNU_SOURCE -I$source -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall"

command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
echo 'int main(void) { return 0; }' >"$work/empty.c"
clang --target=wasm32-wasi -o "$work/empty.wasm" "$work/empty.c" 2>"$work/why" ||
    { echo "skipped: clang cannot build for wasm32-wasi: $(head -n 1 "$work/why")"; exit 77; }

cat >"$work/run.mjs" <<'JS'
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
const wasi = new WASI({ version: 'preview1', returnOnExit: true });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
JS

clang --target=wasm32-wasi -O2 $flags -o "$work/script.wasm" $files -lm
${CC:-gcc} -O3 $flags -o "$work/script.o3" $files -lm
clang -O0 $flags -o "$work/script.o0" $files -lm

wasm=$(node --no-warnings --experimental-wasi-unstable-preview1 "$work/run.mjs" "$work/script.wasm")
fast=$("$work/script.o3")
plain=$("$work/script.o0")
echo "wasm32 under node: $wasm"
echo "optimised:         $fast"
echo "clang -O0:         $plain"
[ -n "$fast" ] && [ "$wasm" = "$fast" ] && [ "$plain" = "$fast" ]
