"""``errlint server``: findings and fixes in an editor, by the Language Server Protocol.

::

    text of an editor ─ session.check_near ─▶ findings of the file ─┐
                      └ session.check_all ──▶ findings of all files ─┴ diagnostics ─▶ editor
    place in a text ─ session.find_fixes ─▶ actions ─▶ editor

``language_server`` speaks the protocol and decides when what is done; ``session`` knows one project and no protocol.
Nothing of a workspace is trusted: the settings are those of the project's own configuration, with the limits of a run,
and an editor sends none.
"""
