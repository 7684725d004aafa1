"""Init: what a project already has, proposed as a configuration; every statement with its places.

The flow, in the order of the modules that carry it out::

    evidence (servers, boundaries, shapes, exceptions, nearest) -> propose -> write (a text) -> outlook (a run)

Nothing is imported or run, and nothing is guessed: what cannot be told for certain is proposed as a comment.
"""
