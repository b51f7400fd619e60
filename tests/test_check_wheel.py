"""tools/check_wheel.py sees what is wrong with a wheel or sdist."""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import check_wheel  # noqa: E402

INFO = "cjk_tokenizer-1.0.dist-info"
GOOD = {
    "cjk_tokenizer/cjk.so": b"\x7fELF",
    **dict.fromkeys(check_wheel.NEEDED, b""),
    f"{INFO}/METADATA": b"Name: cjk_tokenizer",
    **{f"{INFO}/licenses/{name}": words.encode() for name, words in check_wheel.TERMS.items()},
}


def wrong_with(
    folder: Path, files: dict[str, bytes], tag: str = "py3-none-manylinux_2_17_x86_64"
) -> str:
    path = folder / f"cjk_tokenizer-1.0-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return "\n".join(check_wheel.check_wheel(path))


def test_nothing_is_wrong_with_a_good_wheel(tmp_path: Path) -> None:
    assert wrong_with(tmp_path, GOOD) == ""


@pytest.mark.parametrize("name", [name for name in GOOD if not name.endswith("METADATA")])
def test_what_is_missing(tmp_path: Path, name: str) -> None:
    without = {each: data for each, data in GOOD.items() if each != name}
    said = wrong_with(tmp_path, without)
    assert said.count("\n") == 0
    assert (
        "one library" in said
        if name.endswith(".so")
        else name.split(f"{INFO}/licenses/")[-1] in said
    )


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"cjk_tokenizer/cjk.so": b"\x7fELF\0/home/someone/x.c\0"}, "names '/home/someone/x.c'"),
        ({"cjk_tokenizer/cjk.so": b"\0C:\\build\\x.c\0"}, "names 'C:"),
        ({"csrc/core/cjk.h": b""}, "csrc/core/cjk.h is no part of the package"),
    ],
)
def test_what_must_not_be_there(tmp_path: Path, files: dict[str, bytes], said: str) -> None:
    assert said in wrong_with(tmp_path, {**GOOD, **files})


@pytest.mark.parametrize(
    ("tag", "said"),
    [("cp311-cp311-win_amd64", "not for every Python"), ("py3-none-linux_x86_64", "no index")],
)
def test_tags(tmp_path: Path, tag: str, said: str) -> None:
    assert said in wrong_with(tmp_path, GOOD, tag)


def test_foreign_files_in_an_sdist(tmp_path: Path) -> None:
    path = tmp_path / "cjk_tokenizer-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("csrc/core/cjk.h", "shared/data/text.txt", "cjk_tokenizer/cjk.so"):
            archive.addfile(tarfile.TarInfo(f"cjk_tokenizer-1.0/{name}"), io.BytesIO())
    said = "\n".join(check_wheel.check_sdist(path))
    assert "shared/data/text.txt" in said
    assert "cjk.so" in said
    assert "cjk.h" not in said
