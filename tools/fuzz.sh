#!/bin/sh
# Fuzzes with every target of tools/fuzz for so many seconds, two at a time.
#
#     sh tools/fuzz.sh SECONDS [TARGET...]
#
# SEED=1 in the environment makes a run one that can be had again: what it tries does not depend on
# luck.
#
# What is found to be new goes to build/fuzz/corpus/TARGET and is the start of the next run, beside
# the seeds of tools/fuzz/seeds. What breaks a promise stops the target: its input is kept as
# build/fuzz/TARGET-crash-..., and `build/fuzz/tools/fuzz/TARGET FILE` runs it again.
set -e

seconds=$1
shift
if [ $# = 0 ]; then
  for source in tools/fuzz/fuzz_*.c; do set -- "$@" "$(basename "$source" .c)"; done
fi
sh tools/build.sh fuzz -DCMAKE_C_COMPILER=clang -DCJK_FUZZ=ON -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_C_FLAGS=-O1 -DCJK_SANITIZE=address,undefined
export seconds
printf '%s\n' "$@" | xargs -n 1 -P 2 sh -c '
  log=build/fuzz/$0.log
  mkdir -p "build/fuzz/corpus/$0"
  if "build/fuzz/tools/fuzz/$0" -max_total_time="$seconds" -seed="${SEED:-0}" -timeout=60 -rss_limit_mb=4096 \
    -dict=tools/fuzz/words.dict -artifact_prefix="build/fuzz/$0-" -print_final_stats=1 \
    "build/fuzz/corpus/$0" tools/fuzz/seeds > "$log" 2>&1; then
    echo "$0: $(sed -n "s/^stat::number_of_executed_units: //p" "$log") runs, nothing found"
  else
    grep -av "^#" "$log"
    exit 1
  fi'
