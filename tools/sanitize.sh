#!/bin/sh
# The C tests and the Python tests with AddressSanitizer and UBSan in the library.
#
#     sh tools/sanitize.sh [PYTEST ARGUMENT...]
#
# The Python tests run against build/sanitize/site: this tree's package with the sanitized library in
# it, with fewer examples: they have all been tried without. A sanitizer wants to be loaded before
# anything else, hence LD_PRELOAD. Leaks are not looked for there: Python itself keeps memory until
# it ends. macOS strips preloads: only the C tests run there.
set -e

sh tools/build.sh sanitize -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 \
  -DCJK_SANITIZE=address,undefined
export UBSAN_OPTIONS=print_stacktrace=1
CJK_OOM_STRIDE=11 .venv/bin/ctest --test-dir build/sanitize --output-on-failure

if [ "$(uname)" = Darwin ]; then
  echo "skipped: the Python tests with sanitizers: macOS lets nothing be preloaded"
  exit
fi
cc=${CC:-cc}
asan=$("$cc" -print-file-name=libasan.so)
ubsan=$("$cc" -print-file-name=libubsan.so)
for preload in "$asan" "$ubsan"; do
  if [ ! -e "$preload" ]; then
    sh tools/optional.sh -f "$preload" "$preload (comes with gcc)" "the Python tests with sanitizers"
    exit
  fi
done

site=$PWD/build/sanitize/site
rm -rf "$site"
.venv/bin/cmake --install build/sanitize --prefix "$site" > /dev/null
(cd cjk_tokenizer && find . -type d ! -name __pycache__ -exec mkdir -p "$site/cjk_tokenizer/{}" ';' &&
  find . \( -name '*.py' -o -name py.typed \) -exec cp '{}' "$site/cjk_tokenizer/{}" ';')

# What a sanitizer has to say goes to files: pytest's workers and the programs that tests start have
# no stderr that anybody sees. PYTHONSAFEPATH (3.11): the current directory does not come before
# PYTHONPATH.
reports=$PWD/build/sanitize/report
rm -f "$reports".*
status=0
LD_PRELOAD="$asan $ubsan" ASAN_OPTIONS="detect_leaks=0:log_path=$reports" \
  UBSAN_OPTIONS="print_stacktrace=1:log_path=$reports" PYTHONPATH="$site" PYTHONSAFEPATH=1 \
  CJK_TEST_SITE="$site" HYPOTHESIS_PROFILE=quick .venv/bin/pytest \
  -m "not no_sanitizer and not slow" -p no:cacheprovider "$@" || status=$?
for report in "$reports".*; do
  if [ -e "$report" ]; then
    cat "$report"
    status=1
  fi
done
exit $status
