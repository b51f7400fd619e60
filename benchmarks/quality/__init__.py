"""Quality of search, measured: `python -m benchmarks.quality` (see __main__.py)."""
