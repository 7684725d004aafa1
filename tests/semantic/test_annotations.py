"""What annotations name: the types of a union one by one, the one class, the values of a literal."""

from __future__ import annotations

import ast

import pytest

from errlint.index.annotations import head, literals, members, named_class, unquoted


def expression(written: str) -> ast.expr:
    """Return an annotation as it stands in a file."""
    return ast.parse(written, mode="eval").body


MEMBERS = {
    "Shop": "Shop",
    "'Shop'": "Shop",
    "'not a type'": "'not a type'",
    "Shop | None": "Shop; None",
    "Shop | Row | 'Rack | None'": "Shop; Row; Rack; None",
    "Shop & Row": "Shop & Row",
    "Union[Shop, Row]": "Shop; Row",
    "typing.Union[Shop, 'Row | None']": "Shop; Row; None",
    "Union[Shop]": "Shop",
    "Optional[Shop]": "Shop; None",
    "Optional[Shop | Row]": "Shop; Row; None",
    "Annotated[Shop, 'the shop', Field()]": "Shop",
    "Annotated[Shop | None, 'the shop']": "Shop; None",
    "Final[Shop]": "Shop",
    "list[Shop]": "list[Shop]",
    "dict[str, Shop]": "dict[str, Shop]",
}


@pytest.mark.parametrize(("written", "types"), MEMBERS.items(), ids=MEMBERS)
def test_the_types_of_a_union(written: str, types: str) -> None:
    assert "; ".join(map(ast.unparse, members(expression(written)))) == types


CLASSES = {
    "Shop": "Shop",
    "_Shop": "_Shop",
    "shops.Shop": "shops.Shop",
    "'Shop'": "Shop",
    "Shop | None": "Shop",
    "Optional['Shop']": "Shop",
    "Annotated[Shop, 'the shop']": "Shop",
    "Shop[int]": "Shop",
    "Shop[int] | Shop[str]": "Shop",
    "Shop | Row": "",
    "Shop | dict": "",
    "dict": "",
    "shops.shop": "",
    "None": "",
    "...": "",
    "'not a type'": "",
    "made()": "",
}


@pytest.mark.parametrize(("written", "name"), CLASSES.items(), ids=CLASSES)
def test_the_one_class_that_an_annotation_names(written: str, name: str) -> None:
    assert named_class(expression(written)) == name


def test_no_annotation_names_no_class() -> None:
    assert named_class(None) == ""


@pytest.mark.parametrize(
    ("written", "name"),
    [("Shop", "Shop"), ("shops.Shop", "Shop"), ("typing.Literal['a']", "Literal"), ("Shop[int]", "Shop")],
)
def test_the_name_that_an_annotation_begins_with(written: str, name: str) -> None:
    assert head(expression(written)) == name


LITERALS = {
    "Literal['open']": ("open",),
    "Literal['open', 'shut', 3, None]": ("open", "shut", 3, None),
    "typing.Literal['open']": ("open",),
    "Literal['open', State.SHUT]": ("open",),
    "Literal": (),
    "List['open']": (),
    "'open'": (),
}


@pytest.mark.parametrize(("written", "values"), LITERALS.items(), ids=LITERALS)
def test_the_values_of_a_literal(written: str, values: tuple[object, ...]) -> None:
    assert literals(expression(written)) == values


@pytest.mark.parametrize(
    ("written", "read"), [("'Shop'", "Shop"), ("'not a type'", "'not a type'"), ("Shop", "Shop"), ("3", "3")]
)
def test_an_annotation_may_be_written_as_a_text(written: str, read: str) -> None:
    assert ast.unparse(unquoted(expression(written))) == read
