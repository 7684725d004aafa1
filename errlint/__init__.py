"""errlint: a linter for error-handling consistency in Python.

The flow, in the order of the modules that carry it out (:func:`errlint.run.check` is its table of contents)::

    paths -> discover -> files -> read -> index -> link -> project -> check -> findings -> report

:mod:`errlint.collect` is the way of one file: :mod:`errlint.reader` makes a tree of it, :mod:`errlint.index` the facts.
:mod:`errlint.fix` is apart from it: what writes changed files, and brings them back.

The modules and packages are named after the stages; ``run`` decides between them and the cache, ``pipeline`` is what
runs when the cache cannot answer.

Nothing of the checked code is ever imported or executed.
"""

__version__ = "0.1.0"
