#!/bin/sh
# Line and branch coverage of csrc/ and of the Python package: per file, and in total.
#
#     sh tools/coverage.sh [PYTEST ARGUMENT...]
#
# The C tests and the Python tests run against a library that counts (build/coverage), the Python code
# is counted by coverage.py, also in the programs that tests start. The C tests run once more over a
# newer SQLite (build/coverage-newer), the one that tools/matrix.py builds: what FTS5 has there and not
# in the system's runs out of memory, too. Generated tables (unicode.c, traits.c) are not listed.
# Fails below LEAST percent; docs/reliability.md explains what is left.
set -e

: "${CJK_LEAST_LINES:=98}" "${CJK_LEAST_BRANCHES:=95}" "${CJK_LEAST_PYTHON:=95}"

# test_c NAME [CMAKE OPTION...]: builds with counters in build/NAME, and runs the C tests.
test_c() {
  name=$1
  shift
  sh tools/build.sh "$name" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=gcc \
    -DCMAKE_C_FLAGS="--coverage -fprofile-update=atomic -O0" "$@"
  .venv/bin/ctest --test-dir "build/$name" --output-on-failure
}

build=$PWD/build/coverage
mkdir -p "$build/CMakeFiles" "$build-newer/CMakeFiles"
find "$build" "$build-newer" -name '*.gcda' -exec rm '{}' +
rm -f "$build"/.coverage*
test_c coverage
if newer=$(.venv/bin/python tools/matrix.py --amalgamation); then
  test_c coverage-newer "-DCJK_SQLITE_AMALGAMATION=$newer"
fi
status=0
CJK_TOKENIZER_LIBRARY="$build/cjk.so" CJK_TOKENIZER_HAN_FOLD="$build/generated/han_fold.txt" \
  COVERAGE_FILE="$build/.coverage" HYPOTHESIS_PROFILE="${HYPOTHESIS_PROFILE:-quick}" \
  .venv/bin/coverage run -m pytest -p no:cacheprovider "$@" || status=$?

.venv/bin/gcovr --root . --filter 'csrc/' \
  --exclude 'csrc/core/(unicode|traits)\.c' --exclude-function-lines \
  --gcov-ignore-errors=no_working_dir_found --json "$build/coverage.json" --txt - --txt-metric line \
  --fail-under-line "$CJK_LEAST_LINES" \
  "$build/CMakeFiles" "$build-newer/CMakeFiles" || status=$?
.venv/bin/gcovr --root . --add-tracefile "$build/coverage.json" --txt - --txt-metric branch \
  --fail-under-branch "$CJK_LEAST_BRANCHES" || status=$?
COVERAGE_FILE="$build/.coverage" .venv/bin/coverage combine --quiet "$build"
COVERAGE_FILE="$build/.coverage" .venv/bin/coverage report --fail-under "$CJK_LEAST_PYTHON" ||
  status=$?
exit $status
