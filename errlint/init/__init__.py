"""Init: what a project already has, proposed as a configuration; every line of it with its evidence.

The flow, in the order of the modules that carry it out::

    evidence (boundaries, exceptions, registries, catalogs, presets) -> propose (text) -> write (a file)

Nothing is imported or run, and nothing is guessed: what cannot be told for certain is proposed as a comment.
"""
