#!/bin/sh
# usage: embed.sh FILE... > shaders.c -- GLSL files as C texts, line by line.
set -e
echo '#include "shaders/shaders.h"'
echo
echo 'const struct shader_text shader_texts[] = {'
for file in "$@"; do
    echo "    { \"$(basename "$file")\","
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/      "/' -e 's/$/\\n"/' "$file"
    echo '    },'
done
echo '    { 0, 0 }'
echo '};'
