"""Index: what the text of one file says by itself.

:class:`errlint.index.module.Collector` walks the tree and asks the others.

- :mod:`errlint.index.expressions`: what an expression says, as a value
- :mod:`errlint.index.forward`: the walk for what holds at a point of a function, whatever is asked
- :mod:`errlint.index.flow`, :mod:`~errlint.index.effects`: which values a name can have where, and what changes them
- :mod:`errlint.index.path_states`: what has happened on the ways to a point; :mod:`errlint.index.unbound`: names that
  have no value there
- :mod:`errlint.index.catching`: what a handler catches
- :mod:`errlint.index.scopes`, :mod:`~errlint.index.alternatives`: what names are bound to
- :mod:`errlint.index.uses`: where functions are used, and what becomes of their results
- :mod:`errlint.index.spans`: where statements stand
- :mod:`errlint.index.occurrences`: where words stand in the bytes of a file
"""
