"""The parts of ``tools/mutate.py``: which mutants there are, which tests are near, and how a mutant is tried."""
