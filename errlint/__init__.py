"""errlint: a linter for error-handling consistency in Python.

The flow, in the order of the modules that carry it out (:func:`errlint.run.check` is its table of contents)::

    paths -> discover -> files -> gate -> segments -> collect -> facts -> link -> project -> check -> findings -> report
             discover             gate               collect/    facts    project             checks/  findings    report/

Nothing of the checked code is ever imported or executed.
"""

__version__ = "0.1.0"
