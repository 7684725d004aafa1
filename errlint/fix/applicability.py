"""What the user's configuration makes of doubts: `extend-safe-fixes`, `extend-unsafe-fixes`, `accept-shape-change`."""

from __future__ import annotations

from errlint.fix.model import Applicability, Doubt, Group
from errlint.settings.model import Trust


def trusted(group: Group, trust: Trust) -> Group:
    """Return a group with the doubts that the configuration takes away or adds; what is refused stays refused.

    All its findings have to be of codes that are taken for safe; one of a code that is not makes it unsafe.
    """
    if group.applicability is Applicability.REFUSED:
        return group
    codes = {finding.code for finding in group.findings}
    accepted = tuple(
        doubt for doubt in group.doubts if codes <= trust.safe or (trust.shape_change and doubt.is_convention)
    )
    added = tuple(Doubt(f"`extend-unsafe-fixes` has {code}") for code in sorted(codes & trust.unsafe))
    doubts = tuple(doubt for doubt in group.doubts if doubt not in accepted)
    return group._replace(doubts=(*doubts, *added), accepted=accepted)
