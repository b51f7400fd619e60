#!/bin/sh
# Makes the sdist and, from it, the wheel, both into dist/, unless nothing has changed since the last
# time. On Linux auditwheel checks which glibc the library needs and names the wheel after it
# (manylinux_2_17: any glibc since 2012).
set -e

# Everything that goes in, except what a build has put there.
inputs="pyproject.toml CMakeLists.txt README.md LICENSE licenses csrc cjk_tokenizer tools tests"
stamp=build/wheels.stamp
if [ -f $stamp ] && ls dist/*.whl > /dev/null 2>&1 &&
  [ -z "$(find $inputs -type f ! -name 'cjk.so' ! -name han_fold.txt ! -name '*.pyc' -newer $stamp)" ]; then
  echo "dist: up to date"
  exit 0
fi

rm -rf dist build/wheels
mkdir -p dist build/wheels
touch build/wheels/started
.venv/bin/python -m build --outdir build/wheels . > build/wheels/build.log 2>&1 || {
  cat build/wheels/build.log
  exit 1
}
if [ "$(uname)" = Linux ]; then
  PATH="$PWD/.venv/bin:$PATH" .venv/bin/auditwheel repair --wheel-dir dist build/wheels/*.whl \
    > build/wheels/auditwheel.log 2>&1 || {
    cat build/wheels/auditwheel.log
    cp build/wheels/*.whl dist # a libc that has no manylinux
  }
else
  cp build/wheels/*.whl dist
fi
cp build/wheels/*.tar.gz dist
mv build/wheels/started $stamp
ls dist
