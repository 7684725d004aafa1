"""Index: what the text of one file says by itself.

:class:`errlint.index.module.Collector` walks the tree and asks the others.

- :mod:`errlint.index.expressions`: what an expression says, as a value
- :mod:`errlint.index.flow`: which values can be in which name where, and how blocks are left
- :mod:`errlint.index.scopes`, :mod:`~errlint.index.alternatives`: what names are bound to
- :mod:`errlint.index.uses`: where functions are used, and what becomes of their results
- :mod:`errlint.index.spans`: where statements stand
- :mod:`errlint.index.occurrences`: where words stand in the bytes of a file
"""
