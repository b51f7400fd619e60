#!/bin/sh
# Runs a command if the tool that it needs is there. Else: says so in one line and goes on, or fails
# where CI=true, so that nothing is left out silently there.
#
#     sh tools/optional.sh TOOL "what is missing (how to get it)" COMMAND...
#     sh tools/optional.sh -f FILE "what is missing (how to get it)" COMMAND...

if [ "$1" = -f ]; then
  shift
  test -e "$1"
else
  command -v "$1" > /dev/null 2>&1
fi
found=$?
missing=$2
shift 2

if [ $found = 0 ]; then
  exec "$@"
elif [ "$CI" = true ]; then
  echo "missing, and CI wants it: $missing" >&2
  exit 1
else
  echo "skipped: $missing is not installed: $*"
fi
