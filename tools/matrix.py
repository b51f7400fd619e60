"""The SQL tests over many SQLites, a line for each.

    python tools/matrix.py [--tests NAME,NAME...] [SQLITE...]
    python tools/matrix.py --amalgamation

SQLITE is the version of an apsw wheel (3.44.2.0), or one of the builds with unusual options:
`threadsafe-0` (no mutexes, nothing deprecated, no double-quoted strings) and `omit-load-extension`
(nothing can be loaded: the library is linked in). All of them where none is named. Wheels come from
PyPI and stay in the cache of tests/hosts.py; the builds use the amalgamation that npm's
better-sqlite3 brings, and the generated files of `make build`. Half a minute each, the first time
more; `--tests golden,search` runs tests/test_golden.py and tests/test_search.py alone. What fails
is printed in full. `--amalgamation` prints the path of that sqlite3.c, and does nothing else.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import hosts  # noqa: E402

# What talks to SQLite by SQL alone. The tokenizer in plain Python is not part of that, nor are
# programs with a SQLite of their own.
SQL_TESTS = [
    *["bad_input", "fts5_shapes", "golden", "golden_database", "highlight", "hostile", "io_errors"],
    *["match_is_substring", "query", "reports", "reports_neighbours", "search", "search_hosts"],
    *["table_functions", "tokenizer", "unicode61", "wrapping"],
]
NOT_SQL = "not the_reference and not in_every_host"

AUTOMATIC = """
#include <sqlite3.h>
int sqlite3_cjk_auto_init(sqlite3 *db, char **message, const struct sqlite3_api_routines *api);
int cjk_link_in(const char *unused);
int cjk_link_in(const char *unused) {
  (void)unused;
  return sqlite3_auto_extension((void (*)(void))sqlite3_cjk_auto_init);
}
"""
COMMON = ["-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_COLUMN_METADATA", "-DSQLITE_ENABLE_RTREE"]
BUILDS = {
    "threadsafe-0": ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_DEPRECATED", "-DSQLITE_DQS=0"],
    "omit-load-extension": ["-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_EXTRA_INIT=cjk_link_in"],
}


# --- Environments in which one SQLite is found ----------------------------------------------------


def apsw_environment(version: str) -> dict[str, str]:
    """In which `import apsw` finds that wheel."""
    (program,) = hosts.find_apsw(version)
    return {**program.environment, "CJK_TEST_HOSTS": "apsw"}


def build_environment(name: str) -> dict[str, str]:
    """In which Python's sqlite3 module finds a SQLite of that build."""
    import _sqlite3

    if not hasattr(_sqlite3, "__file__") or sys.platform != "linux":
        raise hosts.Absent("this Python does not link libsqlite3 dynamically")
    folder = ROOT / "build" / "matrix" / name
    source = find_amalgamation()
    if not (folder / "libsqlite3.so.0").exists():
        folder.mkdir(parents=True, exist_ok=True)
        compile_sqlite(name, source, folder)
    return {**hosts._python_path(), "LD_LIBRARY_PATH": str(folder), "CJK_TEST_HOSTS": "sqlite3"}


def find_amalgamation() -> Path:
    (program,) = hosts.find_node()
    folder = Path(program.environment["NODE_PATH"]) / "better-sqlite3" / "deps" / "sqlite3"
    if not (folder / "sqlite3.c").is_file():
        raise hosts.Absent(f"no sqlite3.c in {folder}")
    return folder


def print_amalgamation() -> int:
    try:
        print(find_amalgamation() / "sqlite3.c")
    except hosts.Absent as reason:
        print(f"no amalgamation: {reason}", file=sys.stderr)
        return 1
    return 0


def compile_sqlite(name: str, source: Path, folder: Path) -> None:
    compiler = os.environ.get("CC", "gcc")
    if not shutil.which(compiler):
        raise hosts.Absent(f"no {compiler}")
    files, options = [str(source / "sqlite3.c")], [*COMMON, *BUILDS[name]]
    if name == "omit-load-extension":
        generated = ROOT / "build" / "dev" / "generated"
        if not (generated / "dictionary.bin").is_file():
            raise hosts.Absent("no generated files: run `make build` first")
        (folder / "automatic.c").write_text(AUTOMATIC, encoding="ascii")
        files += [str(path) for path in sorted((ROOT / "csrc").glob("*/*.c"))]
        files.append(str(folder / "automatic.c"))
        options += ["-DSQLITE_CORE", f"-I{source}", f"-I{generated}", "-D_GNU_SOURCE"]
        options.append(f'-DCJK_DICTIONARY_IMAGE="{generated / "dictionary.bin"}"')
    command = [compiler, "-O1", "-w", "-shared", "-fPIC", "-Wl,-soname,libsqlite3.so.0", *options]
    # Half a library is never seen.
    unfinished = folder / "unfinished.so"
    subprocess.run([*command, *files, "-o", str(unfinished), "-lm", "-lpthread"], check=True)
    unfinished.rename(folder / "libsqlite3.so.0")


# --- Running -------------------------------------------------------------------------------------


def run_tests(name: str, names: list[str]) -> bool:
    """Run the SQL tests with one SQLite, print its line; did they pass?"""
    started = time.monotonic()
    try:
        settings = build_environment(name) if name in BUILDS else apsw_environment(name)
    except hosts.Absent as reason:
        print(f"{name:20} absent: {reason}", flush=True)
        return os.environ.get("CI") != "true"
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "quick", **settings}
    version = ask_version(environment)
    environment["CJK_TEST_SQLITE"] = version
    tests = [ROOT / "tests" / f"test_{each}.py" for each in names]
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--tb=short"]
    pytest += ["-m", "not slow", "-k", NOT_SQL, *map(str, tests)]
    run = subprocess.run(pytest, cwd=ROOT, env=environment, capture_output=True, text=True)
    lines = run.stdout.strip().splitlines() or [run.stderr]
    summary = re.sub(r" in [0-9.]+s.*", "", lines[-1].strip("= "))
    print(
        f"{name:20} SQLite {version:8} {time.monotonic() - started:4.0f} s  {summary}", flush=True
    )
    if run.returncode != 0:
        print(run.stdout, run.stderr, flush=True)
    return run.returncode == 0


def ask_version(environment: dict[str, str]) -> str:
    code = "import apsw; print(apsw.sqlitelibversion())"
    if environment["CJK_TEST_HOSTS"] == "sqlite3":
        code = "import sqlite3; print(sqlite3.sqlite_version)"
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description="The SQL tests over many SQLites.")
    parser.add_argument("--tests", default=",".join(SQL_TESTS), help="names, commas between")
    parser.add_argument("--amalgamation", action="store_true", help="print where sqlite3.c is")
    parser.add_argument("sqlite", nargs="*", default=[*sorted(hosts.APSW_ALL), *BUILDS])
    arguments = parser.parse_args()
    if arguments.amalgamation:
        return print_amalgamation()
    tests = arguments.tests.split(",")
    failed = [name for name in arguments.sqlite if not run_tests(name, tests)]
    if failed:
        print(f"failed: {' '.join(failed)}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
