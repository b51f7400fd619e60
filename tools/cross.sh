#!/bin/sh
# Builds for platforms that are not at hand, with zig's clang (PyPI ziglang) and warnings as errors:
# the loadable library of csrc/, and tests/c/single_shell.c with SQLite and the single file in it.
# Nothing of it is run here, but a WebAssembly runtime, qemu or wine can.
#
#     sh tools/cross.sh [TARGET...]      after `make single`; minutes a target, the first time
set -e

targets=${*:-wasm32-wasi x86_64-windows-gnu aarch64-macos aarch64-linux-musl}
python=${CJK_PYTHON:-.venv/bin/python}
zig="${CJK_ZIG:-$python -m ziglang} cc"
single=build/single
$zig --version > /dev/null 2>&1 || {
  echo "cross: needs zig: $python -m pip install ziglang" >&2
  exit 1
}
sqlite=$(PYTHONPATH=tests $python -c 'import single_file; print(single_file.sqlite_source())')
generated=$(cd build/dev/generated && pwd)

for target in $targets; do
  out=build/cross/$target
  mkdir -p "$out"
  case $target in
    wasm*) library= ;; # nothing to load it
    *windows*) library=cjk.dll ;;
    *macos*) library=cjk.dylib ;;
    *) library=cjk.so ;;
  esac
  strict="-target $target -std=c11 -Wall -Wextra -Werror -O1 -D_POSIX_C_SOURCE=200809L"
  if [ "$library" ]; then
    # shellcheck disable=SC2086 # words of flags
    $zig $strict -shared -fPIC -fvisibility=hidden -Icsrc/core -I"$generated" -isystem "$sqlite" \
      "-DCJK_DICTIONARY_IMAGE=\"$generated/dictionary.bin\"" csrc/core/*.c csrc/sqlite/*.c \
      -o "$out/$library"
  fi
  [ -f "$out/sqlite3.o" ] || $zig -target "$target" -O1 -w -c -DSQLITE_ENABLE_FTS5 \
    -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=0 "$sqlite/sqlite3.c" -o "$out/sqlite3.o"
  # shellcheck disable=SC2086
  $zig $strict -DSQLITE_CORE -I$single -isystem "$sqlite" $single/cjk_tokenizer.c \
    $single/cjk_dictionary.c tests/c/single_shell.c "$out/sqlite3.o" -o "$out/shell"
  echo "$target: $(cd "$out" && echo $library shell*)"
done
