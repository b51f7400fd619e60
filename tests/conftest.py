"""What all tests share: where the library and the outside data are, and how long hypothesis tries.

The header of a test run names the library under test. HYPOTHESIS_PROFILE=quick tries fewer
examples, =long many more.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

# Machines differ: a slow example is no failure.
settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile("quick", deadline=None, print_blob=True, max_examples=20)
settings.register_profile("long", deadline=None, print_blob=True, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def find_library() -> tuple[Path | None, str]:
    """The compiled library that cjk_tokenizer would load, or None and the reason."""
    import cjk_tokenizer

    try:
        path = Path(cjk_tokenizer.loadable_path())
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
    return path, ""


def pytest_report_header() -> str:
    path, reason = find_library()
    return f"cjk library: {path if path else 'none (' + reason + ')'}"


def pytest_sessionstart() -> None:
    """A run that is meant for a certain copy of the package (sanitizers) must not use another."""
    wanted = os.environ.get("CJK_TEST_SITE")
    if wanted:
        path, reason = find_library()
        if path is None or Path(wanted) not in path.parents:
            pytest.exit(f"library under {wanted} wanted, {path or reason} found", returncode=3)


@pytest.fixture(autouse=True)
def nothing_stays_registered() -> Iterator[None]:
    """Segmenters belong to the process: what a test registers goes with it."""
    yield
    segmenting = sys.modules.get("cjk_tokenizer.segmenting")
    if segmenting is not None:
        for name in segmenting.registered_segmenters():
            segmenting.unregister_segmenter(name)


@pytest.fixture(scope="session")
def library() -> Path:
    """Path of the compiled library; the test fails when it is not built."""
    path, reason = find_library()
    if path is None or not path.is_file():
        pytest.fail(f"the library is not built: run `make build` first ({reason or path})")
    return path


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Real text and test cases that are no part of the repository: ../shared beside it."""
    if not (SHARED / "data" / "text").is_dir():
        pytest.skip(f"no real text: {SHARED.name}/data/text is absent beside the repository")
    return SHARED
