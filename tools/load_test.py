"""Install one built wheel into fresh environments of several Pythons, and use it there.

    python tools/load_test.py dist/NAME.whl

Pythons: the interpreters named in $PYTHONS (separated by blanks); without it every python3.9 and
later on PATH, in /usr/bin and in pyenv's versions directory: of each minor version one whose
sqlite3 has load_extension and one whose sqlite3 lacks it. Nothing is compiled and nothing is
downloaded: the wheel has no dependencies. Exit status 1 when one fails.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OLDEST, NEWEST = 9, 20

# Runs in the fresh environment, in an empty directory.
USE = Path(__file__).with_name("use_package.py").read_text(encoding="utf-8")


def kind_of(python: str) -> tuple[int, bool] | None:
    """Minor version and whether its sqlite3 has load_extension; None when it can't serve."""
    code = (
        "import sys, sqlite3; print(*sys.version_info[:2],"
        " hasattr(sqlite3.Connection, 'enable_load_extension'))"
    )
    run = subprocess.run([python, "-c", code], capture_output=True, text=True)
    match = re.fullmatch(r"3 (\d+) (True|False)\s*", run.stdout) if run.returncode == 0 else None
    return (int(match[1]), match[2] == "True") if match and int(match[1]) >= OLDEST else None


def find_pythons() -> list[tuple[int, str]]:
    """Interpreters to try, one of each kind: minor version and path."""
    if os.environ.get("PYTHONS"):
        candidates = os.environ["PYTHONS"].split()
    else:
        names = [f"python3.{minor}" for minor in range(OLDEST, NEWEST)]
        candidates = [path for path in map(shutil.which, names) if path]
        pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
        candidates += [str(path) for path in sorted(pyenv.glob("versions/*/bin/python"))]
        candidates += [sys.executable, "/usr/bin/python3"]
    found: dict[tuple[int, bool], str] = {}
    for python in candidates:
        kind = kind_of(python) if shutil.which(python) else None
        if kind is not None:
            found.setdefault(kind, python)
    return [(minor, python) for (minor, _), python in sorted(found.items())]


def try_wheel(python: str, wheel: Path, folder: Path) -> tuple[bool, str]:
    """Make an environment in `folder`, install the wheel, use it: success, and what was said."""
    bin_folder = folder / ("Scripts" if os.name == "nt" else "bin")
    environment_python = str(bin_folder / "python")
    install = [environment_python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    commands = [
        [python, "-m", "venv", str(folder)],
        [*install, str(wheel)],
        [environment_python, "-I", "-c", USE],
    ]
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent)
        if run.returncode != 0:
            return False, run.stderr.strip()
    return True, run.stdout.strip()


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    wheel = Path(sys.argv[1]).resolve()
    print(wheel.name)
    pythons = find_pythons()
    failed = not pythons
    with tempfile.TemporaryDirectory() as scratch:
        for n, (minor, python) in enumerate(pythons):
            good, said = try_wheel(python, wheel, Path(scratch) / str(n))
            failed |= not good
            print(f"  Python 3.{minor:<3} {'ok' if good else 'FAILED'}  {said}  ({python})")
    absent = {9, 11, 13} - {minor for minor, _ in pythons}
    if absent:
        names = ", ".join(f"3.{minor}" for minor in sorted(absent))
        print(f"  not found: Python {names} (name them in PYTHONS to try them)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
