#!/bin/sh
# Makes .venv: the package of this tree, in place, with what one of its extras needs.
#
#     sh tools/make_environment.sh PYTHON EXTRA
#
# In place means: the metadata and the command are installed, and a .pth file points to this tree. An
# ordinary editable install would do for work on the Python code, but puts a finder before sys.path,
# so that PYTHONPATH could not name another copy of the package (tools/sanitize.sh does).
set -e

python=$1
extra=$2
sh tools/check_system.sh "$python"
if [ ! -x .venv/bin/python ]; then
  echo "making .venv"
  "$python" -m venv .venv
  .venv/bin/python -m pip install --quiet --upgrade pip
fi
echo "installing what cjk_tokenizer[$extra] and building it need into .venv"
build_requires=$(sed -n 's/^requires = \[\(.*\)\]$/\1/p' pyproject.toml | tr -d '",')
# shellcheck disable=SC2086 # one word for each requirement
.venv/bin/python -m pip install --quiet --prefer-binary "cmake>=3.18" $build_requires ".[$extra]" \
  --config-settings=wheel.cmake=false --config-settings="wheel.exclude=cjk_tokenizer/*"
pwd > "$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/cjk_tokenizer_tree.pth"
