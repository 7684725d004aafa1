"""Fix: error returns become raises, over all files that are concerned, proved before a byte is written.

The flow of a run that fixes, in the order of the functions that carry it out::

    recover -> find_fixes (plan -> rewrite -> prove) -> require_clean -> apply -> verify -> undo, where that fails

Planning: :mod:`run` is the whole of it, :mod:`plan` decides about each function. :mod:`answers` finds what is returned,
in whatever form (:mod:`factories`, :mod:`variables`, :mod:`conditions`), and :mod:`payload` reads it;
:mod:`passing` finds the handlers that are not needed any more, :mod:`leftovers` all that nothing uses any more;
:mod:`exceptions` chooses what to raise, :mod:`imports` how the file names it; :mod:`reach` follows callers to the
boundaries, :mod:`hazards` looks at what is around each place. :mod:`rewrite` changes the tree of a file, :mod:`prove`
compares it with the old one. Under the style ``return``, :mod:`answering` puts declared types in the place of what is
answered: :mod:`responses` reads them, :mod:`filling` and :mod:`fitting` say what they are given, :mod:`receivers` who
gets it.

Writing: :mod:`transaction` writes all files or none, :mod:`undo` brings back the old ones, after a crash too; both rest
on :mod:`journal`, the record on disk, and :mod:`files`, which replaces single files. :mod:`guard` asks git,
:mod:`verify` the user's command.
"""
