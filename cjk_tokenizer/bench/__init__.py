"""Measuring FTS5 tokenizers side by side, on any text: what `cjk-tokenizer bench` runs.

    corpus      rows of text -> a database of rows of a wanted size; queries out of them
    contenders  the table of what is measured, and what each needs
    worker      one process a contender: builds, searches, counts; `client` talks to it
    run         the plan as a list of steps, done one after the other, contenders taking turns
    summary     medians, percentiles, ratios and slopes of what was recorded
    report      the same as Markdown tables; `plots` as pictures, where matplotlib is installed

Each contender has a process of its own: what one allocates, breaks or prints disturbs no other.
Every step is recorded when it is done, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations
