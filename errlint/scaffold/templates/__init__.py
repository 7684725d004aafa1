"""The runtimes that ``errlint init --scaffold`` writes, as real modules: linted, typed and tested here as they stand.

``shared`` has what all of them have in common; each other package is one convention. Nothing of errlint imports them.
"""
