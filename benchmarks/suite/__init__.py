"""The published benchmarks: real text, every peer that can be had, and the bars that must be met.

The measuring is cjk_tokenizer.bench, which `cjk-tokenizer bench` uses as well; here is what belongs
to this repository: plans of three lengths, outside tokenizers (peers), the floor of a build
(limits), the bars, and the page in docs/benchmarks. `python -m benchmarks.suite --help`.
"""

from __future__ import annotations
