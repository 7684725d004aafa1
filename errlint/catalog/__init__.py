"""Catalog: what a project documents about its errors in Markdown, read with exact places.

The flow: :mod:`markdown` turns a file into sections of headings, tables, paragraphs and fences; :mod:`reader`
recognises in them the entries of a catalog (:mod:`entry`), whatever the layout: with :mod:`tables` for rows,
:mod:`labels` for lines such as ``**Error Code:** X``, and :mod:`codes` for what looks like an error code at all.

The other side is the catalog of the code (:mod:`errlint.project.raised_errors`, printed by :mod:`show`): :mod:`binding`
says which of its errors an entry is about, :mod:`templates` whether the two texts agree.

Generated regions (:mod:`regions`) hold the errors of the code (:mod:`generated`) as :mod:`layout` writes them;
:mod:`write` brings them up to date.
"""
