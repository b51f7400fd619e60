#!/usr/bin/env python3
"""Write the terms of OpenCC's data, of which the table of fold_han is made.

    python tools/make_opencc_license.py build/opencc_license.txt

They are taken from the build requirement that brings the data along (tools/make_han_fold.py), as
installed; what we link must be passed on with them.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

PACKAGE = "opencc-python-reimplemented"
HEAD = """\
The table of Han variants (option fold_han) is made of dictionaries of OpenCC, as the Python package
{package} {version} has them. They are changed in form, merged with other data, and under these
terms:

"""


def main() -> None:
    try:
        installed = distribution(PACKAGE)
    except PackageNotFoundError:
        raise SystemExit(f"make_opencc_license: pip install {PACKAGE}") from None
    licences = [path for path in installed.files or [] if path.name.startswith("LICENSE")]
    if not licences:
        raise SystemExit(f"make_opencc_license: {PACKAGE} was installed without its licence")
    text = Path(str(licences[0].locate())).read_text(encoding="utf-8")
    head = HEAD.format(package=PACKAGE, version=installed.version)
    Path(sys.argv[1]).write_text(head + text, encoding="utf-8")


if __name__ == "__main__":
    main()
