"""What is packed: a complete sdist, and one wheel for every Python, made from that sdist.

Builds both once (about 5 s) without build isolation, as `python -m build` would.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import build
import pytest

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = {"darwin": "cjk.dylib", "win32": "cjk.dll"}.get(sys.platform, "cjk.so")
# The oldest glibc that the wheel may need: what auditwheel calls manylinux_2_17.
GLIBC = (2, 17)

pytestmark = pytest.mark.no_sanitizer


def offline() -> list[str]:
    """Starts a command without network, where this machine can: a build must not fetch anything."""
    alone = ["unshare", "--user", "--map-root-user", "--net"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"]).returncode != 0:
        return []
    return alone


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with one sdist and the wheel that was built from it."""
    unmet = build.ProjectBuilder(ROOT).check_dependencies("wheel")
    if unmet and not os.environ.get("CI"):
        pytest.skip(f"needs what the build needs: {', '.join(sorted(sum(unmet, ())))}")
    out = tmp_path_factory.mktemp("dist")
    run = subprocess.run(
        [
            *offline(),
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            "--outdir",
            str(out),
            str(ROOT),
        ],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return out


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def unpacked_library(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(wheel) as archive:
        return Path(archive.extract(f"cjk_tokenizer/{LIBRARY}", out))


def dynamic_symbols(library: Path, which: str) -> list[str]:
    """Names in the library's dynamic symbol table; `which`: --defined-only or --undefined-only."""
    if sys.platform != "linux" or not shutil.which("nm"):
        pytest.skip("reads ELF symbols with binutils' nm")
    text = subprocess.run(
        ["nm", "-D", which, str(library)], capture_output=True, text=True, check=True
    ).stdout
    return [line.split()[-1] for line in text.splitlines()]


def test_sdist_has_all_that_a_build_and_the_tests_need(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = [
        path.relative_to(ROOT).as_posix()
        for folder, pattern in (
            ("csrc", "**/*.[ch]"),
            ("cjk_tokenizer", "**/*.py"),
            ("tests", "**/*.[cp]*"),
            ("tools", "*.*"),
            ("examples", "*.py"),
        )
        for path in (ROOT / folder).glob(pattern)
        if "__pycache__" not in path.parts and path.is_file()
    ]
    top = [
        "CMakeLists.txt",
        "pyproject.toml",
        "Makefile",
        "LICENSE",
        "licenses/jieba.txt",
        "README.md",
        "CHANGELOG.md",
    ]
    assert sorted(set(tracked + top) - names) == []


def test_sdist_has_nothing_compiled(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = archive.getnames()
    compiled = re.compile(r"\.(so|dylib|dll|pyd|o|a|pyc|whl)$")
    assert [name for name in names if compiled.search(name)] == []
    assert [name for name in names if re.search(r"/(build|dist|\.venv|\.cache)/", name)] == []


def test_wheel_serves_every_python(wheel: Path) -> None:
    python, abi, platform = wheel.stem.split("-")[-3:]
    assert (python, abi) == ("py3", "none")
    assert platform != "any"


def test_wheel_contents(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        info = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(info).decode()
    folder = info.rpartition("/")[0]
    modules = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "cjk_tokenizer").rglob("*.py")
        if "__pycache__" not in path.parts
    }
    data = {f"cjk_tokenizer/{name}" for name in (LIBRARY, "han_fold.txt", "py.typed")}
    assert modules | data == {name for name in names if name.startswith("cjk_tokenizer/")}
    terms = ["LICENSE", *(f"licenses/{name}.txt" for name in ("jieba", "opencc", "unicode"))]
    assert {f"{folder}/licenses/{name}" for name in terms} <= names
    assert {name.partition("/")[0] for name in names} == {"cjk_tokenizer", folder}
    assert "\nRequires-Dist: " not in re.sub(r"\nRequires-Dist: .*extra == .*", "", metadata)


def test_version_is_that_of_the_header(wheel: Path) -> None:
    header = (ROOT / "csrc" / "core" / "cjk.h").read_text(encoding="utf-8")
    (version,) = re.findall(r'#define CJK_VERSION "([^"]+)"', header)
    assert wheel.name.split("-")[1] == version
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{version}]" in changelog


def test_library_has_no_path_of_the_machine_that_built_it(unpacked_library: Path) -> None:
    data = unpacked_library.read_bytes()
    paths = re.findall(rb"/(?:home|root|tmp|work|build|Users)/[ -~]*", data)
    assert paths == []
    assert str(ROOT).encode() not in data


def test_library_exports_entry_points_and_marked_functions_only(unpacked_library: Path) -> None:
    headers = [path.read_text(encoding="utf-8") for path in (ROOT / "csrc").rglob("*.h")]
    marked = {
        name for text in headers for name in re.findall(r"^CJK_API\b[^;]*?(\w+)\(", text, re.M)
    }
    exported = set(dynamic_symbols(unpacked_library, "--defined-only"))
    assert exported == marked | {"sqlite3_cjk_init", "sqlite3_cjk_auto_init"}


def test_library_runs_on_old_glibc(unpacked_library: Path) -> None:
    needed = dynamic_symbols(unpacked_library, "--undefined-only")
    versions = {
        tuple(map(int, number.split("."))): name
        for name in needed
        for number in re.findall(r"@GLIBC_([\d.]+)$", name)
    }
    highest = max(versions, default=(0,))
    print("highest glibc symbol:", versions.get(highest, "none"))
    assert highest <= GLIBC, f"{versions[highest]} needs a newer glibc than {GLIBC}"
    # SQLite is reached through the table that the host passes, never by linking.
    assert [name for name in needed if name.startswith("sqlite3")] == []


def test_core_knows_no_sqlite() -> None:
    core = ROOT / "csrc" / "core"
    sources = [*core.glob("*.c"), *core.glob("*.h")]
    assert sources
    included = {
        (path.name, name)
        for path in sources
        for name in re.findall(
            r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.M
        )
    }
    own = {path.name for path in sources}
    outside = {name for _, name in included} - own
    assert [name for name in outside if "sqlite" in name or "/" in name] == []


def configure(folder: Path, *options: str, **environment: str) -> str:
    """What CMake says when it must fail."""
    cmake = shutil.which("cmake") or str(Path(sys.executable).with_name("cmake"))
    run = subprocess.run(
        [cmake, "-S", str(ROOT), "-B", str(folder), *options],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert run.returncode != 0
    return run.stderr


def one_line_with(text: str, *words: str) -> bool:
    return any(all(word in line for word in words) for line in text.splitlines())


def test_cmake_names_the_package_of_a_missing_compiler(tmp_path: Path) -> None:
    said = configure(tmp_path, CC="/nonexistent/cc")
    assert one_line_with(said, "No C compiler", "build-essential", "xcode-select --install")


def test_cmake_names_the_package_of_missing_sqlite_headers(tmp_path: Path) -> None:
    nowhere = "-DCMAKE_FIND_ROOT_PATH=/nonexistent"
    said = configure(tmp_path, nowhere, "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY")
    assert one_line_with(said, "sqlite3ext.h", "libsqlite3-dev", "brew install sqlite")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_make_names_what_the_machine_lacks(tmp_path: Path) -> None:
    no_headers = tmp_path / "cc"
    no_headers.write_text('#!/bin/sh\nexec cc -nostdinc -I/nonexistent "$@"\n')
    no_headers.chmod(0o755)

    def check(compiler: str, python: str) -> list[str]:
        run = subprocess.run(
            ["sh", str(ROOT / "tools" / "check_system.sh"), python],
            env={**os.environ, "CC": compiler},
            capture_output=True,
            text=True,
        )
        lines = run.stderr.splitlines()
        assert run.returncode == (1 if lines else 0)
        return lines

    assert check("cc", sys.executable) == []
    (line,) = check("/nonexistent/cc", sys.executable)
    assert "C compiler" in line
    (line,) = check(str(no_headers), sys.executable)
    assert "sqlite3ext.h" in line
    (line,) = check("cc", "/nonexistent/python")
    assert "Python 3.9" in line
