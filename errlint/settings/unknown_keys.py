"""What was meant by a key that errlint does not know: another spelling, another table, the word of another tool."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from errlint.settings.keys import ARRAYS, ROOT, SECTIONS
from errlint.suggest import did_you_mean

OF_OTHER_TOOLS = {
    "disable": "`ignore` has the rules that do not run",  # pylint, mypy
    "disabled": "`ignore` has the rules that do not run",
    "enable": "`extend-select` has the rules that run besides",  # pylint
    "enabled": "`select` has the rules that run",
    "rules": "`select` has the rules that run, `severity` how much they matter",
    "skip": "`exclude` and `extend-exclude` have the files that are left out",  # isort, bandit
    "skips": "`ignore` has the rules that do not run",  # bandit
    "omit": "`exclude` and `extend-exclude` have the files that are left out",  # coverage
    "files": "`include` has the files that are reported on",  # mypy
    "paths": "`include` has the files that are reported on",
    "src": "`include` has the files that are reported on",  # ruff
    "source": "`include` has the files that are reported on",  # coverage
    "lint": "what stands in it belongs at the top, without `lint`",  # ruff
    "errlint": "what stands in it belongs at the top, without `errlint`",
    "fixable": "`extend-safe-fixes` has the rules whose fixes are taken for safe",  # ruff
    "unfixable": "`extend-unsafe-fixes` has the rules whose fixes are not",  # ruff
    "preset": "`convention` names the preset",
    "extends": "`convention` names the preset, or the file, that this builds on",  # eslint
    "extend": "`convention` names the preset, or the file, that this builds on",  # ruff
    "output-format": "it is an option of the command line, `--output-format`",  # ruff
    "format": "it is an option of the command line, `--output-format`",
    "fix": "it is an option of the command line, `--fix`",  # ruff
    "unsafe-fixes": "it is an option of the command line, `--unsafe-fixes`",  # ruff
}
"""What errlint has for settings of other tools, by their names."""

_MOST = 4
_LISTED = 12
"""Of a table with more keys the page about them is named instead of them."""


def meant(table: str, key: str, known: Collection[str]) -> str:
    """Return the hint for an unknown key of a table ("" for the outermost one) that has the ``known`` keys."""
    hyphened = key.replace("_", "-").lower()
    plain = hyphened.removeprefix("extend-")
    inner = table.rpartition(".")[2].partition("[")[0]
    if hyphened in known:
        return f"did you mean `{hyphened}`?"
    if "." in key and key.partition(".")[0] in known:
        return "write it without the quotes: what is in them is one word"
    if table.startswith("overrides") and plain in ("select", "ignore"):
        return "`per-file-ignores` has the rules that are not reported in some files"
    if not table and hyphened in OF_OTHER_TOOLS:
        return OF_OTHER_TOOLS[hyphened]
    near = did_you_mean(key, known)
    if near:
        return near
    places = [place for place in dict.fromkeys(_places(hyphened)) if place != inner]
    if places and len(places) <= _MOST:
        return f"did you mean {' or '.join(f'`{place}`' for place in places)}?"
    if table and len(known) <= _LISTED:
        return f"there are {', '.join(sorted(known))}"
    return "docs/configuration.md describes all keys"


def _places(key: str) -> Iterator[str]:
    """Yield where a key stands, as `exceptions.root`."""
    plain = key.removeprefix("extend-")
    for name in (key, plain, f"{plain}s"):
        if name in ROOT:
            yield name
        yield from (dotted for dotted in ROOT if dotted.partition(".")[2] == name)
        yield from (f"{section}.{name}" for section, keys in SECTIONS.items() if name in keys)
        yield from (f"{array}.{name}" for array, keys in ARRAYS.items() if name in keys)
