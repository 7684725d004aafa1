"""Fix: how changed files get to the disk, and back.

The flow of a run that fixes, in the order of the functions that carry it out::

    recover -> (read and plan) -> require_clean -> apply -> verify -> undo, where the command of the user fails

:mod:`transaction` writes all files or none, :mod:`undo` brings back the old ones, after a crash too; both rest on
:mod:`journal`, the record on disk, and :mod:`files`, which replaces single files. :mod:`guard` asks git, :mod:`verify`
the user's command.
"""
