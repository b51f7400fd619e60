"""`python -m cjk_tokenizer.cli`: the command where its script is not on the PATH."""

from . import main

main()
