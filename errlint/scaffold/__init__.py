"""Scaffold: the runtime of a convention, written into the user's package; nothing of it needs errlint.

The flow, in the order of the modules that carry it out::

    destination (where the package lies) -> runtime (modules and tests, settings that name them) -> writing
"""
