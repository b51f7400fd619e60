#!/bin/sh
# Says, one line each, what this machine lacks for building cjk_tokenizer, and which package has it.
#
#     sh tools/check_system.sh [PYTHON]
#
# Needed: a C compiler ($CC, else cc), SQLite's header sqlite3ext.h, Python 3.9 or later with venv.
# Exit status 0 when all is there, 1 otherwise. Compiles two empty programs: about 0.05 s.

python=${1:-python3}
cc=${CC:-cc}
status=0

# missing WHAT DEBIAN FEDORA MACOS
missing() {
  if [ "$(uname)" = Darwin ]; then
    fix=$4
  elif command -v apt-get > /dev/null; then
    fix="apt-get install $2"
  elif command -v dnf > /dev/null; then
    fix="dnf install $3"
  else
    fix="install $2 (Debian) or $3 (Fedora), whatever your system calls it"
  fi
  echo "missing: $1. Do: $fix" >&2
  status=1
}

compiles() {
  printf '%s\n' "$1" "int main(void) { return 0; }" |
    "$cc" -x c -fsyntax-only -I/opt/homebrew/opt/sqlite/include -I/usr/local/opt/sqlite/include - \
      > /dev/null 2>&1
}

if ! compiles ""; then
  missing "a working C compiler (tried $cc)" build-essential gcc "xcode-select --install"
elif ! compiles "#include <sqlite3ext.h>"; then
  missing "SQLite's header sqlite3ext.h" libsqlite3-dev sqlite-devel "brew install sqlite"
fi

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' > /dev/null 2>&1; then
  missing "Python 3.9 or later (tried $python; PYTHON=... names another)" python3 python3 "brew install python"
elif ! "$python" -c 'import ensurepip, venv' > /dev/null 2>&1; then
  missing "Python's venv (tried $python)" python3-venv python3 "brew install python"
fi

exit $status
