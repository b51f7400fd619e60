#!/bin/sh
# Configures and builds the C code with its tests, warnings as errors, in build/NAME. Prints what the
# compiler has to say and one line at the end.
#
#     sh tools/build.sh NAME [CMAKE OPTION...]
#
# What is generated (dictionary, tables) is the same for all builds: it is made once, and handed on
# through build/generated with its times, so that make sees whether it is out of date.
set -e

name=$1
shift
sh tools/check_system.sh .venv/bin/python
.venv/bin/cmake --log-level=WARNING -Wno-unused-cli -S . -B "build/$name" -DCJK_WERROR=ON -DCJK_TESTS=ON \
  -DPython3_EXECUTABLE="$PWD/.venv/bin/python" "$@" > /dev/null
mkdir -p build/generated "build/$name/generated"
cp -pn build/generated/* "build/$name/generated/" 2> /dev/null || true
.venv/bin/cmake --build "build/$name" --parallel 4 > "build/$name/build.log" 2>&1 || {
  cat "build/$name/build.log"
  exit 1
}
cp -p "build/$name"/generated/* build/generated/
echo "built: build/$name"
