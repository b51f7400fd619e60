#!/bin/sh
# The C tests under valgrind: nothing is read before it is written, nothing leaks. The library's own
# build is tested, with its optimizations; one allocation in 97 is made to fail.
set -e

for test in build/dev/tests/c/test_*; do
  echo "valgrind: $(basename "$test")"
  CJK_OOM_STRIDE=97 valgrind --quiet --error-exitcode=1 --leak-check=full "$test" \
    > build/dev/valgrind.log 2>&1 || {
    cat build/dev/valgrind.log
    exit 1
  }
done
