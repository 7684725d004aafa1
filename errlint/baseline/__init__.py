"""Baselines: findings that were there before, in a file beside the code, and are not told again.

- :mod:`errlint.baseline.entries`: the file, a line a finding
- :mod:`errlint.baseline.matching`: which findings of a run those are
"""
