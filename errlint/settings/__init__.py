"""Settings of one run: what the configuration and the command line say, checked, with all defaults filled in.

The flow, in the order of the modules that carry it out::

    file -> text -> document -> checked values -> codes of rules -> with the command line -> Settings
     locate       toml_reader   table, sections,    selection             loading             model
                                policies

:mod:`configuration` reads one file whole, :mod:`conventions` the files that it builds on, :mod:`nested` those of
subfolders. :mod:`policy` has the structs of a policy, :mod:`keys` its keys, from which :mod:`schema` is made too.
:mod:`toml_positions` and :mod:`show` are only imported by a run that fails or that shows its settings.
"""

from errlint.settings.loading import Loaded, load
from errlint.settings.model import (
    DEFAULT_EXCLUDE,
    DEFAULT_TESTS,
    NAMES_OF_TESTS,
    Adapters,
    CommandLine,
    Override,
    Settings,
)
from errlint.settings.policy import Boundary, Policy, Response, Style

__all__ = [
    "DEFAULT_EXCLUDE",
    "DEFAULT_TESTS",
    "NAMES_OF_TESTS",
    "Adapters",
    "Boundary",
    "CommandLine",
    "Loaded",
    "Override",
    "Policy",
    "Response",
    "Settings",
    "Style",
    "load",
]
