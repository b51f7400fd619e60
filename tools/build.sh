#!/bin/sh
# Configures and builds the C code with its tests, warnings as errors, in build/NAME. Prints what the
# compiler has to say and one line at the end.
#
#     sh tools/build.sh NAME [CMAKE OPTION...]
set -e

name=$1
shift
sh tools/check_system.sh .venv/bin/python
.venv/bin/cmake --log-level=WARNING -Wno-unused-cli -S . -B "build/$name" -DCJK_WERROR=ON -DCJK_TESTS=ON \
  -DPython3_EXECUTABLE="$PWD/.venv/bin/python" "$@" > /dev/null
.venv/bin/cmake --build "build/$name" --parallel 4 > "build/$name/build.log" 2>&1 || {
  cat "build/$name/build.log"
  exit 1
}
echo "built: build/$name"
