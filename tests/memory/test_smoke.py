"""The smoke benchmark: raw text finds nothing, bigrams and words find everything in Chinese."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "smoke.py"


@pytest.fixture(scope="module")
def smoke() -> ModuleType:
    spec = importlib.util.spec_from_file_location("smoke", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["smoke"] = module  # where NamedTuple looks for it
    spec.loader.exec_module(module)
    return module


def test_counts(smoke: ModuleType) -> None:
    pytest.importorskip("jieba")
    ways = {way.name: way for way in smoke.WAYS}
    assert len(smoke.CHINESE.documents) == 20 and len(smoke.CHINESE.queries) == 12
    counts = {name: smoke.count_found(smoke.CHINESE, way) for name, way in ways.items()}
    assert counts == {
        "raw unicode61": 0,
        "bigrams": 12,
        "words": 12,
        "shadow text": 12,
        "tokenize='cjk'": 12,
    }
    for data in smoke.SETS.values():
        everything = len(data.queries)
        assert smoke.count_found(data, ways["raw unicode61"]) == 0
        assert smoke.count_found(data, ways["shadow text"]) == everything
        assert smoke.count_found(data, ways["tokenize='cjk'"]) == everything
    for data in (smoke.JAPANESE, smoke.KOREAN):
        assert smoke.count_found(data, ways["bigrams"]) == len(data.queries)


def test_output(smoke: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    smoke.main(["zh", "ko"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[-2:] == ["zh", "ko"]
    assert lines[1].split()[-2:] == ["0/12", "0/10"]
    with pytest.raises(SystemExit, match="unknown set xx: the sets are zh, ja, ko, th, mixed"):
        smoke.main(["xx"])
