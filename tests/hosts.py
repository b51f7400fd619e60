"""Every program that can load the library and that we can reach, and what each makes of one script.

    python tests/hosts.py              fetch what is not there yet, and say for each if it agrees

A host runs one SQL script (`SCRIPT`), whose last statement is a SELECT of one JSON value: the
tokens of all texts under several arguments, once as FTS5 stored them and once from cjk_tokens().
All must give the same value. Hosts are the sqlite3 shell, every Python found (with and without
load_extension), apsw wheels of many SQLite versions, and Node's better-sqlite3.

What is fetched stays in $CJK_TEST_CACHE (.cache in the repository): about 20 MB a wheel, 30 MB and
one to four minutes of compiling for Node. Each is fetched once.

CJK_TEST_APSW        versions, separated by commas, or "all" (default: APSW_DEFAULT)
CJK_REQUIRE_HOSTS    kinds that must be there, separated by commas, or 1 for all: shell, python,
                     apsw, node. Tests fail instead of being skipped when one is absent.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("CJK_TEST_CACHE", ROOT / ".cache")).resolve()

# One of each SQLite that changed something around tokenizers, and the ends.
APSW_DEFAULT = ["3.40.1.0", "3.42.0.1", "3.44.2.0", "3.46.1.0", "3.47.2.0", "3.50.4.0", "3.54.1.0"]
APSW_ALL = [
    *APSW_DEFAULT,
    *["3.41.2.0", "3.43.2.0", "3.45.3.0", "3.48.0.0", "3.49.2.0", "3.51.3.0", "3.53.4.0"],
]
BETTER_SQLITE3 = "better-sqlite3@12"

# --- What they run -------------------------------------------------------------------------------

ARGUMENTS = [
    "cjk",
    "cjk unigrams 0 remove_diacritics 2",
    "cjk segment unigram fold_kana 1 fold_prolonged 1 fold_iteration 1",
    "cjk join_lines 0 join_spaces 1 bridge_markup 1 emoji 0",
    "cjk porter unicode61 tokenchars '+#-.'",
    "porter cjk",
]
QUERIES = ["学", "学習", "天气", "국어", "ไทย", "日本", '"ab"', '"a" AND "b"']
PLAIN_TEXTS = [
    "我在学习自然语言处理，今天天气很好。",
    "東京都の天気は晴れです。サーバーを14台。",
    "한국어 검색을 합니다",
    "ภาษาไทยง่าย",
    "The runners' Café: C++ and C#, wi-fi 3.14 👩‍👩‍👧 🇯🇵",
]


def make_script(texts: list[bytes]) -> list[str]:
    """The statements; text is written as hexadecimal digits, so that any bytes pass any host."""
    statements = ["CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT)"]
    for n, text in enumerate(texts):
        statements.append(f"INSERT INTO texts VALUES ({n}, CAST(x'{text.hex()}' AS TEXT))")
    stored, made, found = [], [], []
    for n, arguments in enumerate(ARGUMENTS):
        quoted = "'" + arguments.replace("'", "''") + "'"
        statements += [
            f'CREATE VIRTUAL TABLE t{n} USING fts5(body, tokenize="{arguments}")',
            f"INSERT INTO t{n}(rowid, body) SELECT id, body FROM texts ORDER BY id",
            f"CREATE VIRTUAL TABLE v{n} USING fts5vocab(t{n}, instance)",
        ]
        stored.append(
            _as_array(
                'doc, "offset", hex(term)', f'SELECT * FROM v{n} ORDER BY doc, "offset", term'
            )
        )
        for mode in "document", "query":
            made.append(
                _as_array(
                    'id, position, colocated, start, "end", hex(token)',
                    f"SELECT * FROM texts, cjk_tokens(body, {quoted}, '{mode}') "
                    'ORDER BY id, position, colocated, "end", token',
                )
            )
        for query in QUERIES:
            quoted_query = "'" + query.replace("'", "''") + "'"
            found.append(_as_array("rowid", f"SELECT rowid FROM t{n}({quoted_query})"))
    statements.append(
        "SELECT json_object('version', cjk_version(), "
        f"'stored', json_array({', '.join(stored)}), 'made', json_array({', '.join(made)}), "
        f"'found', json_array({', '.join(found)}))"
    )
    return statements


def _as_array(columns: str, select: str) -> str:
    """An expression: the rows of a SELECT as JSON. (Not all SQLites know a subquery's for JSON.)"""
    return f"json((SELECT json_group_array(json_array({columns})) FROM ({select})))"


# Both read {"library": path, "statements": [...]}.
RUN_IN_PYTHON = """
import importlib, json, sys
from cjk_tokenizer.connect import load
task = json.load(sys.stdin)
module = importlib.import_module(sys.argv[1])
conn = module.Connection(":memory:")
load(conn, fallback=False)
*statements, last = task["statements"]
for statement in statements:
    conn.execute(statement)
print(next(iter(conn.execute("SELECT sqlite_version()")))[0])
print(next(iter(conn.execute(last)))[0])
"""
RUN_IN_NODE = """
const task = JSON.parse(require("fs").readFileSync(0));
const database = new (require("better-sqlite3"))(":memory:");
database.loadExtension(task.library);
const last = task.statements.pop();
for (const statement of task.statements) database.exec(statement);
console.log(database.prepare("SELECT sqlite_version()").pluck().get());
console.log(database.prepare(last).pluck().get());
"""


class Absent(Exception):
    """This host is not here and cannot be fetched; the message says why."""


@dataclass(frozen=True)
class Program:
    """One command that runs a script: prints SQLite's version, then the value, a line each."""

    name: str
    command: list[str]
    environment: dict[str, str]
    make_input: Callable[[Path, list[str]], str]

    def run(self, library: Path, script: list[str]) -> tuple[str, str]:
        """SQLite's version and the value. Raises CalledProcessError."""
        run = subprocess.run(
            self.command,
            input=self.make_input(library, script),
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, **self.environment, "CJK_TOKENIZER_LIBRARY": str(library)},
        )
        if run.returncode != 0 or run.stderr:
            raise AssertionError(f"{self.name}: exit status {run.returncode}\n{run.stderr}")
        version, value = run.stdout.splitlines()
        return version, value


def _make_json(library: Path, script: list[str]) -> str:
    return json.dumps({"library": str(library), "statements": script})


# --- Where they are ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Host:
    """One kind of program. `find` returns those there are, and fetches them if it can."""

    name: str
    kind: str
    find: Callable[[], list[Program]]

    @property
    def is_required(self) -> bool:
        required = os.environ.get("CJK_REQUIRE_HOSTS", "").split(",")
        return "1" in required or self.kind in required


def all_hosts() -> list[Host]:
    wanted = os.environ.get("CJK_TEST_APSW", "")
    versions = APSW_ALL if wanted == "all" else wanted.split(",") if wanted else APSW_DEFAULT
    return [
        Host("shell", "shell", find_shell),
        Host("python with load_extension", "python", lambda: find_python(True)),
        Host("python without load_extension", "python", lambda: find_python(False)),
        *[Host(f"apsw {v}", "apsw", lambda v=v: find_apsw(v)) for v in versions],  # type: ignore[misc]
        Host("node", "node", find_node),
    ]


def find_shell() -> list[Program]:
    path = shutil.which("sqlite3")
    if not path:
        raise Absent("no sqlite3 shell: install sqlite3")

    def make_input(library: Path, script: list[str]) -> str:
        load = f".bail on\n.load {library} sqlite3_cjk_init\nSELECT sqlite_version();\n"
        return load + ";\n".join(script) + ";\n"

    return [Program(path, [path, "-batch", ":memory:"], {}, make_input)]


def find_python(has_load_extension: bool) -> list[Program]:
    """Every Python found whose sqlite3 has, or lacks, load_extension."""
    code = "import sqlite3; print(hasattr(sqlite3.Connection, 'load_extension'))"
    found = []
    for python in _find_pythons():
        said = subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()
        if said == str(has_load_extension):
            command = [python, "-c", RUN_IN_PYTHON, "sqlite3"]
            found.append(Program(python, command, _python_path(), _make_json))
    if not found:
        which = "has" if has_load_extension else "lacks"
        raise Absent(f"no Python found whose sqlite3 {which} load_extension")
    return found


def _find_pythons() -> list[str]:
    sys.path.append(str(ROOT))
    try:
        from tools.load_test import find_pythons
    finally:
        sys.path.remove(str(ROOT))
    return [path for _, path in find_pythons()]


def _python_path(*folders: Path) -> dict[str, str]:
    """The package under test, from wherever this process has it."""
    import cjk_tokenizer

    package = Path(cjk_tokenizer.__path__[0]).parent
    return {"PYTHONPATH": os.pathsep.join(map(str, [*folders, package])), "PYTHONSAFEPATH": "1"}


def apsw_folder(version: str) -> Path:
    tag = f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"
    return CACHE / "apsw" / tag / version


def find_apsw(version: str) -> list[Program]:
    """The wheel of that version for this Python."""
    folder = apsw_folder(version)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    pip += ["--no-deps", "--only-binary", ":all:", "--retries", "1", "--timeout", "20"]

    def install(into: Path) -> None:
        _run_installer([*pip, "--target", str(into), f"apsw=={version}"])

    _fetch_once(folder, install)
    command = [sys.executable, "-c", RUN_IN_PYTHON, "apsw"]
    return [Program(f"apsw {version}", command, _python_path(folder), _make_json)]


def find_node() -> list[Program]:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise Absent("no node and npm: install nodejs and npm")
    node_version = subprocess.run(
        [node, "--version"], capture_output=True, text=True
    ).stdout.strip()
    folder = CACHE / "node" / node_version

    def install(into: Path) -> None:
        quiet = ["--no-audit", "--no-fund", "--loglevel", "error"]
        _run_installer([npm, "install", *quiet, "--prefix", str(into), BETTER_SQLITE3])
        # Compiled, for this very node?
        code = 'new (require("better-sqlite3"))(":memory:")'
        _run_installer([node, "-e", code], {"NODE_PATH": str(into / "node_modules")})

    _fetch_once(folder, install)
    environment = {"NODE_PATH": str(folder / "node_modules")}
    name = f"node {node_version}, {BETTER_SQLITE3}"
    return [Program(name, [node, "-e", RUN_IN_NODE], environment, _make_json)]


def _run_installer(command: list[str], environment: dict[str, str] | None = None) -> None:
    run = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **(environment or {})}
    )
    if run.returncode != 0:
        lines = (run.stderr or run.stdout).strip().splitlines()
        raise Absent(f"{' '.join(command[-2:])} failed: {lines[-1] if lines else run.returncode}")


def _fetch_once(folder: Path, install: Callable[[Path], None]) -> None:
    """Have `install` fill `folder`, unless it was filled before; half a folder is never seen."""
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as scratch:
        new = Path(scratch) / "folder"
        new.mkdir()
        install(new)
        try:
            new.rename(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise


# --- Run by hand ---------------------------------------------------------------------------------


def main() -> int:
    from nasty import NASTY

    import cjk_tokenizer

    library = Path(cjk_tokenizer.loadable_path())
    script = make_script([*(text.encode() for text in PLAIN_TEXTS), *NASTY])
    streams: list[str] = []
    for host in all_hosts():
        try:
            for program in host.find():
                version, value = program.run(library, script)
                if value not in streams:
                    streams.append(value)
                number = streams.index(value) + 1
                print(f"{host.name:30} SQLite {version:8} stream {number}  {program.name}")
        except Absent as reason:
            print(f"{host.name:30} absent: {reason}")
    return 0 if len(streams) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
