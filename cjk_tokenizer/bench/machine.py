"""What a run ran on: date, processor, versions. Nothing that names the machine or its user."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any

from cjk_tokenizer.connect import diagnose

from .contenders import Contender

PACKAGES = ("apsw", "jieba", "rjieba", "sqlitefts")


def describe(contenders: Sequence[Contender]) -> dict[str, Any]:
    """As it goes into the results."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "memory_gb": memory_gigabytes(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "cjk_tokenizer": diagnose().version,
        "packages": dict(_versions(PACKAGES)),
        "contenders": [each.name for each in contenders],
    }


def cpu_model() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def memory_gigabytes() -> int | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)
    except (AttributeError, OSError, ValueError):
        return None


def _versions(packages: Iterable[str]) -> Iterable[tuple[str, str]]:
    for name in packages:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
