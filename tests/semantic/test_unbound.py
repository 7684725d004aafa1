"""Names that a handler uses although its own `try` binds them first: which line uses them, and which binds them."""

from __future__ import annotations

from textwrap import indent

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary


def found(body: str) -> str:
    """Return the uses of names without a value in the handlers of a function."""
    functions = collect(f"async def get(a, b):\n{indent(body, '    ')}\n", Vocabulary(handlers=True)).functions
    uses = next(each for each in functions if each.name == "get").unbound
    return "; ".join(f"{each.name} on {each.span.line - 1} of {each.bound.line - 1}" for each in uses)


FAILING = {
    "a call": ("load()", True),
    "a call of an object's method": ("shops.open()", True),
    "a call of what is worked out": ("shops[0]()", True),
    "a made object that is told something": ("Shop(1)", True),
    "a made object that is told something by name": ("Shop(a=1)", True),
    "a made object": ("Shop()", False),
    "a made object of a module": ("shops.Shop()", False),
    "something that is awaited": ("await a", True),
    "an item under a text": ("a['x']", True),
    "an item under a number": ("a[1]", False),
    "an item under a number and a text": ("a[1, 'x']", True),
    "a slice": ("a[1:2]", False),
    "what a client gets": ("client.get('x')", True),
    "what a client of an object gets": ("self.http.get('x')", True),
    "what is got of a dict": ("a.get('x')", False),
    "a length": ("len(a)", False),
    "a stripped text": ("a.strip()", False),
    "a function without a name": ("lambda: load()", False),
    "a number": ("1", False),
    "a name": ("a", False),
}


@pytest.mark.parametrize(("value", "is_found"), FAILING.values(), ids=FAILING)
def test_a_name_has_no_value_where_it_was_to_be_bound_to(value: str, is_found: bool) -> None:
    body = f"try:\n x = {value}\nexcept Exception:\n log(x)"
    assert found(body) == ("x on 4 of 2" if is_found else "")


RAISED = {
    "everything, where something failed before": ("load()\n x = 1", "", "x on 5 of 3"),
    "everything, where something failed between": ("z = 1\n load()\n x = 1", "Exception", "x on 6 of 4"),
    "everything, where a block suppresses something before": (
        "with suppress(OSError):\n  load()\n x = 1",
        "Exception",
        "x on 6 of 4",
    ),
    "everything, where a clean-up failed before": (
        "try:\n  y = 1\n except Exception:\n  ...\n finally:\n  load()\n x = 1",
        "Exception",
        "x on 10 of 8",
    ),
    "everything, where a clean-up has run": ("try:\n  y = load()\n finally:\n  x = a", "Exception", ""),
    "everything, where a clean-up has run on another way": (
        "try:\n  y = load()\n finally:\n  if a:\n   x = a",
        "Exception",
        "x on 8 of 6",
    ),
    "everything, where a clean-up has failed before": (
        "try:\n  y = 1\n finally:\n  load()\n  x = a",
        "Exception",
        "x on 8 of 6",
    ),
    "everything, where something failed before a clean-up": (
        "y = load()\n try:\n  y = 1\n finally:\n  x = a",
        "Exception",
        "x on 8 of 6",
    ),
    "everything, where something is asserted before": ("assert a\n x = 1", "Exception", "x on 5 of 3"),
    "everything, where nothing fails before": ("x = a\n load()", "Exception", ""),
    "some class, where nothing fails behind": ("x = load()", "OSError", "x on 4 of 2"),
    "some class, where something fails behind": ("x = load()\n y = load(x)", "OSError", ""),
    "some class, where a name is used behind": ("x = load()\n y = a", "OSError", "x on 5 of 2"),
    "some class, where nothing is used behind": ("x = load()\n y = None", "OSError", "x on 5 of 2"),
    "some class, where a truth value is used behind": ("x = load()\n y = True", "OSError", "x on 5 of 2"),
    "some class, where a text is used behind": ("x = load()\n y = 'y'", "OSError", "x on 5 of 2"),
    "some class, where a text with a name is used behind": ("x = load()\n y = f'{a}'", "OSError", "x on 5 of 2"),
    "some class, where an attribute is used behind": ("x = load()\n y = a.y", "OSError", ""),
    "what it is known to raise": ("x = int(a)\n y = load(x)", "ValueError", "x on 5 of 2"),
    "what a method of a made object is known to raise": (
        "x = Path(a).read_text()\n y = load(x)",
        "FileNotFoundError",
        "x on 5 of 2",
    ),
    "what an item under a number is known to raise": ("x = a[0]\n y = load(x)", "IndexError", "x on 5 of 2"),
    "what is known to raise it before": ("y = int(a)\n x = 1\n y = load(x)", "ValueError", "x on 6 of 3"),
    "what is known to raise it, and its parents": (
        "y = json.loads(a)\n x = 1\n y = load(x)",
        "ValueError",
        "x on 6 of 3",
    ),
    "what is raised": ("if a:\n  raise Gone(a)\n x = 1\n load()", "Gone", "x on 7 of 4"),
    "what is raised as it is": ("if a:\n  raise Gone\n x = 1\n load()", "Gone", "x on 7 of 4"),
    "what is raised of a module": ("if a:\n  raise shop.Gone(a)\n x = 1\n load()", "shop.Gone", "x on 7 of 4"),
    "what is above that": ("if a:\n  raise FileNotFoundError\n x = 1\n load()", "OSError", "x on 7 of 4"),
    "something else than what is raised": ("if a:\n  raise Gone(a)\n x = 1\n load()", "OSError", ""),
    "an import that is not there": ("import x\n load()", "ImportError", "x on 5 of 2"),
    "something else than an import": ("import x\n load()", "OSError", ""),
    "a key that is not there": ("y = a['y']\n x = 1\n load()", "KeyError", "x on 6 of 3"),
    "a key that is not there to store something": ("a['y'] = b\n x = 1\n load()", "KeyError", "x on 6 of 3"),
    "what storing an item raises": ("a[b] = 1\n x = 1", "Exception", "x on 5 of 3"),
    "what adding to an item raises": ("a[b] += 1\n x = 1", "Exception", "x on 5 of 3"),
    "what a declared item raises": ("a[b]: int = 1\n x = 1", "Exception", "x on 5 of 3"),
    "a declared value that fails": ("x: int = load()", "Exception", "x on 4 of 2"),
    "a declaration": ("x: int\n load()", "Exception", ""),
    "a loop over what fails": ("for x in load():\n  ...", "Exception", "x on 5 of 2"),
    "a with that fails": ("with opened() as x:\n  load()", "Exception", "x on 5 of 2"),
    "one branch that fails": ("if a:\n  x = 1\n else:\n  load()", "Exception", "x on 7 of 3"),
    "what follows a branch": ("if a:\n  x = 1\n load()", "Exception", ""),
    "what an inner handler has caught": ("try:\n  x = load()\n except Exception:\n  ...\n close()", "Exception", ""),
    "what an inner handler lets go on": ("try:\n  x = load()\n except OSError:\n  raise", "Exception", "x on 7 of 3"),
    "what an inner handler does": (
        "try:\n  y = load()\n except OSError:\n  close()\n x = 1",
        "Exception",
        "x on 8 of 6",
    ),
    "a class that an inner handler has caught": (
        "try:\n  y = int(a)\n except ValueError:\n  y = 1\n x = 1\n load()",
        "ValueError",
        "",
    ),
    "a class that an inner handler of everything has caught": (
        "try:\n  y = int(a)\n except:\n  y = 1\n x = 1\n load()",
        "ValueError",
        "",
    ),
}


@pytest.mark.parametrize(("work", "caught", "uses"), RAISED.values(), ids=RAISED)
def test_a_name_has_no_value_where_a_handler_catches(work: str, caught: str, uses: str) -> None:
    assert found(f"try:\n {work}\nexcept {caught}:\n log(x)".replace("except :", "except:")) == uses


USES = {
    "as it is": ("log(x)", "x on 5 of 3"),
    "more than once": ("log(x)\n log(x)", "x on 5 of 3"),
    "to add to it": ("x += 1", "x on 5 of 3"),
    "for its new value": ("x = x + 1", "x on 5 of 3"),
    "for its new declared value": ("x: int = x + 1", "x on 5 of 3"),
    "for its new value, where that binds it": ("y = (x := 1) + x", ""),
    "for what a loop goes through": ("for x in a:\n  ...", ""),
    "in what is raised": ("raise Gone(x)", "x on 5 of 3"),
    "as a condition": ("if x:\n  close()", "x on 5 of 3"),
    "as another condition": ("if a:\n  ...\n elif x:\n  close()", "x on 7 of 3"),
    "below a condition for something else": ("if a:\n  log(x)", "x on 6 of 3"),
    "below a condition for another name of the try": ("if y:\n  log(x)", "y on 5 of 4"),
    "below a condition for a type": ("if isinstance(a, dict):\n  log(x)", ""),
    "below a question for names": ("if 'x' in locals():\n  log(x)", ""),
    "behind a question for names": ("log(a)\n vars()\n log(x)", ""),
    "before a question for names": ("log(x)\n vars()", "x on 5 of 3"),
    "in a block": ("with opened():\n  log(x)", "x on 6 of 3"),
    "in a block that suppresses": ("with suppress(NameError):\n  log(x)", ""),
    "in a try that catches it": ("try:\n  log(x)\n except NameError:\n  ...", ""),
    "in a try that catches everything": ("try:\n  log(x)\n except:\n  ...", ""),
    "in a try that catches something else": ("try:\n  log(x)\n except OSError:\n  ...", "x on 6 of 3"),
    "after it is bound": ("x = 2\n log(x)", ""),
    "after a block with care binds it": ("if y:\n  x = 2\n log(x)", "y on 5 of 4"),
    "where a condition binds it": ("if x := a:\n  log(x)", ""),
    "as the target of a loop": ("for x in a:\n  log(x)", ""),
    "in a loop": ("while x:\n  close()", "x on 5 of 3"),
    "as the target of a comprehension": ("return [x for x in a]", ""),
    "in what a comprehension goes through": ("return [z for z in x]", "x on 5 of 3"),
    "in the condition of a comprehension": ("return [z for z in a if x]", "x on 5 of 3"),
    "in a function without a name": ("return lambda: x", ""),
    "in a function": ("def later():\n  log(x)", ""),
    "as a key": ("a[x] = 1", "x on 5 of 3"),
    "as a declared value": ("a.y: int = x", "x on 5 of 3"),
    "as the owner of a declared attribute": ("x.y: int = 1", "x on 5 of 3"),
}


@pytest.mark.parametrize(("handler", "uses"), USES.values(), ids=USES)
def test_a_handler_uses_a_name_without_a_value(handler: str, uses: str) -> None:
    body = f"try:\n load()\n x = 1; y = 2\nexcept Exception:\n {handler}"
    assert found(body) == uses.replace("y on 5 of 4", "y on 5 of 3")


BEFORE = {
    "nothing": ("", "x on 4 of 2"),
    "a block that suppresses": ("with suppress(OSError):\n close()\n", "x on 6 of 4"),
    "a value": ("x = 0\n", ""),
    "a value on one way": ("if a:\n x = 0\n", ""),
    "a loop over it": ("for x in a:\n ...\n", ""),
    "what a loop binds": ("for z in a:\n x = z\n", ""),
    "a function of that name": ("def x(): ...\n", ""),
    "what a function binds": ("def later():\n x = 1\n", "x on 6 of 4"),
}


@pytest.mark.parametrize(("before", "uses"), BEFORE.values(), ids=BEFORE)
def test_a_name_has_a_value_by_what_stands_before_the_try(before: str, uses: str) -> None:
    assert found(f"{before}try:\n x = load()\nexcept Exception:\n log(x)") == uses


PLACES = {
    "below a condition": ("if a:\n{}", "x on 5 of 3"),
    "below another condition": ("if a:\n ...\nelif b:\n{}", "x on 7 of 5"),
    "below no condition": ("if a:\n ...\nelse:\n{}", "x on 7 of 5"),
    "below another condition than what binds it": ("if a:\n x = 1\nelif b:\n{}", ""),
    "in a with": ("with opened():\n{}", "x on 5 of 3"),
    "in a loop": ("for z in a:\n{}", ""),
    "in a function in it": ("def later():\n{}", ""),
}


@pytest.mark.parametrize(("around", "uses"), PLACES.values(), ids=PLACES)
def test_a_try_is_looked_at_where_it_stands(around: str, uses: str) -> None:
    assert found(around.format(" try:\n  x = load()\n except Exception:\n  log(x)")) == uses


def test_each_handler_uses_a_name_by_itself() -> None:
    uses = found("try:\n x = load()\nexcept ValueError as e:\n log(x, e)\nexcept Exception as x:\n log(x)")
    assert uses == "x on 4 of 2"


def test_a_handler_that_asks_in_which_branch_it_is_takes_care() -> None:
    work = "try:\n if a:\n  x = 1\n else:\n  load()\nexcept Exception:\n"
    assert found(f"{work} if a:\n  log(x)") == ""
    assert found(f"{work} log(x)") == "x on 7 of 3"


def test_what_binds_a_name_fails_under_any_condition() -> None:
    assert found("try:\n x = load()\nexcept Exception:\n if a:\n  log(x)") == "x on 5 of 2"
