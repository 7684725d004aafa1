"""Catalog: what a project documents about its errors in Markdown, read with exact places.

The flow: :mod:`markdown` turns a file into sections of headings, tables, paragraphs and fences; :mod:`reader`
recognises in them the entries of a catalog (:mod:`entry`), whatever the layout: with :mod:`tables` for rows,
:mod:`labels` for lines such as ``**Error Code:** X``, and :mod:`codes` for what looks like an error code at all.

Beside entries a document has messages without a label (:mod:`unlabelled`), lists and samples of exceptions
(:mod:`listed`), references to files and headings (:mod:`references`) and imports in samples (:mod:`samples`);
:mod:`html_tables` reads tables that are HTML.

The other side is the catalog of the code (:mod:`errlint.project.raised_errors`, printed by
:mod:`errlint.commands.catalog_show`): :mod:`errlint.project.drift.binding` says which of its errors an entry is about,
:mod:`templates` whether the two texts agree. How they differ is asked in :mod:`errlint.project.drift`.

Generated regions (:mod:`regions`) hold the errors of the code as :mod:`layout` writes them:
:mod:`errlint.project.drift.generated` says which, :mod:`errlint.fix.regions` brings them up to date.
"""
