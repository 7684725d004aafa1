"""Drift: how the documents of a project and its code differ.

What both speak of is in :mod:`documented`: the entries of all catalogs beside the codes and classes of the code.
:mod:`compared` binds each entry to the error that it is about, or to the nearest, and keeps what several rules ask;
:mod:`differing` tells the two apart: hints, fields, codes, statuses, classes. :mod:`phantoms` are entries of which the
code has nothing.

Beside entries there are messages without a label (:mod:`unsaid`, asked of all that the code can say: :mod:`sayings`),
lists of values (:mod:`allowed`, :mod:`unknown_values`) and of codes (:mod:`listed_codes`), options with their values
and defaults (:mod:`options`, by what expressions list: :mod:`enumerated`), what the policy says of codes
(:mod:`prescribed`), examples and entries that contradict each other (:mod:`contradictions`, :mod:`classified`) and
imports in samples (:mod:`importable`).

What pages (:mod:`pages`) and docstrings of tools say of raising and answering is in :mod:`promised`: failures that they
show (:mod:`shown`), and exceptions of the language that they name (:mod:`unraised`), for which
:mod:`exception_escape` follows all that a tool calls.
"""
