"""Fix: error returns become raises, over all files that are concerned, proved before a byte is written.

The flow of a run that fixes, in the order of the functions that carry it out::

    recover -> find_fixes (plan -> rewrite -> prove) -> require_clean -> apply -> verify -> undo, where that fails

Planning: :mod:`run` is the whole of it, pass after pass, :mod:`plan` decides about each function, :mod:`rules` have the
fixes of all other rules. A group of changes, its doubts and refusals are those of :mod:`model`. :mod:`source_cache`
reads each file once and :mod:`source_file` has its tree; :mod:`bindings` says what names are bound to, :mod:`nodes`
what a node is. :mod:`rewrite` changes the tree of a file, :mod:`prove` compares it with the old one; :mod:`dead_code`
finds all that nothing uses any more. :mod:`applicability` makes doubts into what a configuration says of them,
:mod:`ignore` writes suppressions instead.

The folders, in the order in which an error return goes through them:

- :mod:`payload_extraction`: what is answered (its :mod:`answers` goes through factories, variables and conditions to
  the payload that :mod:`payload` reads).
- :mod:`callers`: who uses it (:mod:`reach` follows callers to the boundaries, :mod:`exception_path` looks at what is
  around, :mod:`caller_rewrites` and :mod:`test_rewrites` change what looks for the error, by what
  :mod:`abstract_values` says of a test of an answer; :mod:`stale_checks` removes checks that find nothing).
- :mod:`raising`: what is raised instead (:mod:`exceptions` chooses the class, :mod:`constructors` what it is given,
  :mod:`imports` how the file names it, :mod:`handling` and :mod:`passing` change the handlers around it,
  :mod:`signatures` what a helper says of its answer).
- :mod:`responding`: what is answered instead, under the style ``return`` (:mod:`answering` is the whole of it,
  :mod:`responses` reads the declared types).
- :mod:`presentation`: diffs, summaries, edits for editors and ``--interactive``.
- :mod:`writing`: :mod:`transaction` writes all files or none, :mod:`undo` brings back the old ones, after a crash too;
  both rest on :mod:`journal`, the record on disk.
"""
