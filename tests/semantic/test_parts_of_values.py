"""What a value is made of, what it has, and which parameter an argument goes to."""

from __future__ import annotations

import ast

import pytest

from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Opaque,
    Parameter,
    Ref,
    Text,
    Value,
    Variable,
    all_values,
    alternatives,
    answered,
    constant_text,
    is_closed,
    named_parts,
    names_told,
    text_with_holes,
    with_inner_values,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.index.expressions import convert
from errlint.project.arguments import bound_to, defaults_of
from errlint.project.values import field_default


def value_of(code: str) -> Value:
    return convert(ast.parse(code, mode="eval").body, {})


NAMES = {
    "a": ["a"],
    "a.b": ["a"],
    "f(a, b=c.d)": ["f", "a", "c"],
    "f'{a} and {b}'": ["a", "b"],
    "[a, (b, c)]": ["a", "b", "c"],
    "a['key']": ["a"],
    "f({'key': a})": ["f"],
    "a or b": ["a", "b"],
}


@pytest.mark.parametrize(("code", "names"), NAMES.items(), ids=NAMES)
def test_the_names_that_a_value_is_told_by(code: str, names: list[str]) -> None:
    assert [name for name in names_told(value_of(code)) if name] == names


ANSWERED = {
    "f(a)": ["f"],
    "dumps(f(a))": ["dumps", "f"],
    "Response(content=f(), status=g())": ["Response", "f"],
    "f() if a else g()": ["f", "g"],
    "{**f(), 'key': g()}": ["f"],
    "f(), 404": ["f"],
    "f'{f()}'": [],
    "f()['key']": [],
}


@pytest.mark.parametrize(("code", "names"), ANSWERED.items(), ids=ANSWERED)
def test_the_calls_that_an_answer_is_made_of_as_a_whole(code: str, names: list[str]) -> None:
    assert [part.name for part in answered(value_of(code)) if type(part) is Call] == names


def test_a_value_is_changed_inside_and_everywhere_below() -> None:
    def upper(value: Value) -> Value:
        return Ref(value.name.upper()) if type(value) is Ref else with_inner_values(value, upper)

    whole = "f(a, key=[b, {'key': c, **d}]).g(f'{e}', h['key'])"
    changed = list(all_values(with_inner_values(value_of(whole), upper)))
    assert sorted(part.name for part in changed if type(part) is Ref) == ["A", "B", "C", "D", "E", "H"]


def test_a_name_that_holds_a_choice_is_one_of_all_of_them() -> None:
    held = Variable("held", (Choice((Ref("a"), Constant(1))), Text(("b",))))
    assert list(alternatives(held)) == [Ref("a"), Constant(1), Text(("b",))]


def test_a_text_is_known_where_it_has_no_holes() -> None:
    assert constant_text(value_of("'no ' 'book'")) == "no book"
    assert constant_text(Variable("said", (Text(("no book",)),))) == "no book"
    assert constant_text(value_of("f'no {book}'")) is None
    assert constant_text(value_of("404")) is constant_text(None) is None
    assert text_with_holes(Text(("no ", Ref("book")))) == "no {}"


def test_a_dict_and_a_call_have_named_parts() -> None:
    assert named_parts(value_of("{'a': 1, b: 2, **c}")) == {"a": Constant(1)}
    assert named_parts(value_of("f(0, *a, b=1, **c)")) == {"b": Constant(1)}
    assert named_parts(value_of("[1]")) == {}
    closed = [value for code in ("{'a': 1}", "{a: 1}", "{**a}") if type(value := value_of(code)) is Dict]
    assert [is_closed(value) for value in closed] == [True, False, False]


PARAMETERS = (
    Parameter("self", "", None),
    Parameter("first", "", None),
    Parameter("second", "", Constant(2)),
    Parameter("third", "kw", Constant(3)),
)

BOUND = {
    "f(1)": {"first": 1},
    "f(1, 4)": {"first": 1, "second": 4},
    "f(1, 4, 5)": {"first": 1, "second": 4},
    "f(third=5, first=6)": {"third": 5, "first": 6},
    "f(1, *more, third=7)": {"first": 1, "third": 7},
    "f(*more, 8)": {},
}


@pytest.mark.parametrize(("code", "passed"), BOUND.items(), ids=BOUND)
def test_which_parameters_the_arguments_of_a_call_go_to(code: str, passed: dict[str, int]) -> None:
    function = Function("Shop.f", Span(1, 1, 1, 1), "Shop", False, False, PARAMETERS, (), (), (), False)
    call = value_of(code)
    assert type(call) is Call
    bound = bound_to(function, call)
    assert bound.passed == {name: Constant(number) for name, number in passed.items()}
    assert bound.is_open == ("*" in code)
    assert bound.has_more == (code == "f(1, 4, 5)")
    assert defaults_of(function) == {"second": Constant(2), "third": Constant(3)}


DEFAULTS = {
    "200": Constant(200),
    "Field(200, gt=0)": Constant(200),
    "field(default=None)": Constant(None),
    "field(default_factory=dict)": Dict(()),
    "field(default_factory=str)": Text(("",)),
    "field(default_factory=Book)": Call("Book", ()),
    "Field(description='a book')": None,
    "Field(...)": Opaque(),
}


@pytest.mark.parametrize(("code", "default"), DEFAULTS.items(), ids=DEFAULTS)
def test_what_a_field_holds_unless_it_is_given(code: str, default: Value | None) -> None:
    assert field_default(value_of(code)) == default
