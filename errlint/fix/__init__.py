"""Fix: error returns become raises, over all files that are concerned, proved before a byte is written.

The flow of a run that fixes, in the order of the functions that carry it out::

    recover -> find_fixes (plan -> rewrite -> prove) -> require_clean -> apply -> verify -> undo, where that fails

Planning: :mod:`run` is the whole of it, pass after pass, :mod:`plan` decides about each function, :mod:`rules` have the
fixes of all other rules. A group of changes, its doubts and refusals are those of :mod:`model`. :mod:`sources` reads
each file once and :mod:`parsed` has its tree; :mod:`bindings` says what names are bound to. :mod:`rewrite` changes the
tree of a file, :mod:`prove` compares it with the old one; :mod:`leftovers` finds all that nothing uses any more.
:mod:`trust` makes doubts into what a configuration says of them, :mod:`ignore` writes suppressions instead.

The folders, in the order in which an error return goes through them:

- :mod:`forms`: what is answered (:mod:`forms.answers` goes through factories, variables and conditions to the
  payload that :mod:`forms.payload` reads).
- :mod:`users`: who uses it (:mod:`users.reach` follows callers to the boundaries, :mod:`users.hazards` looks at what is
  around, :mod:`users.callers` and :mod:`users.tested` change what looks for the error, by what :mod:`users.verdicts`
  says of a test of an answer; :mod:`users.stale` removes checks that find nothing).
- :mod:`raising`: what is raised instead (:mod:`raising.exceptions` chooses the class, :mod:`raising.constructors` what
  it is given, :mod:`raising.imports` how the file names it, :mod:`raising.handling` and :mod:`raising.passing` change
  the handlers around it, :mod:`raising.signatures` what a helper says of its answer).
- :mod:`responding`: what is answered instead, under the style ``return`` (:mod:`responding.answering` is the whole of
  it, :mod:`responding.responses` reads the declared types).
- :mod:`telling`: diffs, summaries, edits for editors and ``--interactive``.
- :mod:`writing`: :mod:`writing.transaction` writes all files or none, :mod:`writing.undo` brings back the old ones,
  after a crash too; both rest on :mod:`writing.journal`, the record on disk.
"""
