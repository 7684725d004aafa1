"""What handlers compare the fields of exceptions of the domain with: texts that no error has there."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from example_projects import MARKER, findings

from errlint.settings import CommandLine

ERRORS = """\
class ShopError(Exception):
    def __init__(self, message, *, kind="shut", place=""):
        super().__init__(message)
        self.kind = kind
        self.place = place


class TillError(ShopError):
    pass


class Other(Exception):
    kind = "shut"


WET = "wet"


def closed(order):
    raise TillError("It is shut", kind="gone")


def sent(order, mode):
    try:
        closed(order)
"""

CONFIG = """\
[exceptions]
root = ["shop.ShopError"]

[[required]]
classes = ["ShopError"]
fields = ["kind"]
values = { kind = ["shut", "gone"] }
"""

LINE = ERRORS.count("\n")
ASKED = {
    "a text that it has": ("except ShopError as error:\n    return error.kind == 'shut'", []),
    "a text that it never has": ("except ShopError as error:\n    return error.kind == 'wet'", ["wet"]),
    "a text that it never has, and is not": ("except ShopError as error:\n    return error.kind != 'wet'", ["wet"]),
    "one of several": ("except ShopError as error:\n    return error.kind in ('shut', 'wet')", ["wet"]),
    "a constant": ("except ShopError as error:\n    return error.kind == WET", ["wet"]),
    "what is not known": ("except ShopError as error:\n    return error.kind == mode", []),
    "another field": ("except ShopError as error:\n    return error.place == 'wet'", []),
    "a class below it": ("except TillError as error:\n    return error.kind == 'wet'", ["wet"]),
    "one of two classes": ("except (ShopError, TillError) as error:\n    return error.kind == 'wet'", ["wet"]),
    "any exception": ("except Exception as error:\n    return error.kind == 'wet'", []),
    "one of the language": ("except OSError as error:\n    return error.kind == 'wet'", []),
    "it, or one of the language": ("except (ShopError, OSError) as error:\n    return error.kind == 'wet'", []),
    "it, or one that is none of the domain": (
        "except (ShopError, Other) as error:\n    return error.kind == 'wet'",
        [],
    ),
    "one that is none of the domain": ("except Other as error:\n    return error.kind == 'wet'", []),
}


def compared(root: Path, handler: str, config: str = CONFIG) -> list[str]:
    """Return what is said of a handler."""
    (root / "pyproject.toml").write_text(MARKER, encoding="utf-8")
    (root / "errlint.toml").write_text(config, encoding="utf-8")
    (root / "shop.py").write_text(f"{ERRORS}{indent(handler, '    ')}\n", encoding="utf-8")
    found = findings(root, CommandLine(select=("ERR403",)))
    return [each.message for each in found if each.span.line > LINE]


@pytest.mark.parametrize(("handler", "texts"), ASKED.values(), ids=ASKED)
def test_a_text_that_no_error_has_in_a_field(tmp_path: Path, handler: str, texts: list[str]) -> None:
    assert compared(tmp_path, handler) == [
        f"`kind` is compared with '{text}', which no error has there; it is one of `shut`, `gone`" for text in texts
    ]


@pytest.mark.parametrize(
    "config",
    [
        pytest.param("[exceptions]\nroot = ['shop.ShopError']\n", id="nothing"),
        pytest.param(CONFIG.replace('classes = ["ShopError"]', 'classes = ["Other"]'), id="another class"),
        pytest.param(CONFIG.replace("kind =", "place ="), id="another field"),
        pytest.param(
            CONFIG + '\n[[required]]\nclasses = ["TillError"]\nfields = ["kind"]\nvalues = { kind = ["wet"] }\n',
            id="in two places",
        ),
    ],
)
def test_a_field_whose_values_the_policy_does_not_say(tmp_path: Path, config: str) -> None:
    assert compared(tmp_path, "except TillError as error:\n    return error.kind == 'wet'", config) == []


def test_a_class_above_the_domain_may_be_one_of_it_alone(tmp_path: Path) -> None:
    """What catches a base of the exceptions of the domain catches these."""
    base = ERRORS.replace(
        "class ShopError(Exception)", "class BaseError(Exception):\n    pass\n\n\nclass ShopError(BaseError)"
    )
    (tmp_path / "pyproject.toml").write_text(MARKER, encoding="utf-8")
    (tmp_path / "errlint.toml").write_text(CONFIG, encoding="utf-8")
    handler = "    except BaseError as error:\n        return error.kind == 'wet'\n"
    (tmp_path / "shop.py").write_text(base + handler, encoding="utf-8")
    found = findings(tmp_path, CommandLine(select=("ERR403",)))
    assert [each.span.line for each in found] == [base.count("\n") + 2]


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("", id="no values"),
        pytest.param('values = { place = ["front"] }\n', id="the values of another field"),
    ],
)
def test_what_else_the_policy_asks_of_the_class_says_nothing_of_the_field(tmp_path: Path, more: str) -> None:
    config = f'{CONFIG}\n[[required]]\nclasses = ["ShopError"]\nfields = ["place"]\n{more}'
    assert compared(tmp_path, "except TillError as error:\n    return error.kind == 'wet'", config) == [
        "`kind` is compared with 'wet', which no error has there; it is one of `shut`, `gone`"
    ]
