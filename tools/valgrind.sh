#!/bin/sh
# The C tests under valgrind, two at a time: nothing is read before it is written, nothing leaks. The
# library's own build is tested, with its optimizations; one allocation in 97 is made to fail.
set -e

printf '%s\n' build/dev/tests/c/test_* | CJK_OOM_STRIDE=97 xargs -n 1 -P 2 sh -c '
  name=$(basename "$0")
  log=build/dev/valgrind-$name.log
  if valgrind --quiet --error-exitcode=1 --leak-check=full "$0" > "$log" 2>&1; then
    echo "valgrind: $name"
  else
    cat "$log"
    exit 1
  fi'
