"""Handlers after which nobody knows of the exception: how the function goes on, and what was said and tried."""

from __future__ import annotations

from textwrap import indent

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary


def swallowed(body: str) -> str:
    """Return the handlers of a function that swallow: on which line, how it goes on, what was logged and tried."""
    functions = collect(f"async def get(a, b):\n{indent(body, '    ')}\n", Vocabulary(swallows=True)).functions
    found = next(each for each in functions if each.name == "get").swallows
    return "; ".join(
        f"{each.span.line - 1} {each.how}"
        f"{f' {each.answer.line - 1}' if each.answer else ''}"
        f"{f' {each.level} {each.said}'.rstrip() if each.level else ''}"
        f"{' tells' * each.tells}{' suppressed' * each.is_suppressed}"
        for each in found
    )


def tried(handler: str, behind: str = "") -> str:
    """Return a function that loads something, with what it does in the handler, and what it does then."""
    return f"try:\n    load()\nexcept OSError as error:\n{indent(handler, '    ')}\n{behind}"


HANDLERS = {
    "an empty answer": ("return []", "", "3 returned 4"),
    "an answer with the error": ("return [error]", "", "3 returned 4 tells"),
    "an answer that nobody comes past": ("return []\nclose()", "", ""),
    "nothing": ("pass", "", "3 ended"),
    "nothing, and the function goes on": ("pass", "close()", "3 passed"),
    "a remark": ("'it is no matter'", "", "3 ended"),
    "an import": ("import traceback", "close()", "3 passed"),
    "a raise": ("raise", "", ""),
    "a condition": ("if a:\n    pass", "close()", ""),
    "a log line": ("log.error('no %s', a)", "", "3 ended error no %s"),
    "log lines, of which the worst counts": ("log.critical('no')\nlog.debug(' more')", "", "3 ended error no more"),
    "log lines, the last the worst": ("log.info('no')\nlog.error(' more')", "", "3 ended error no more"),
    "a log line with a name": ("log.error(a)", "", "3 ended error"),
    "a log line of nothing": ("log.error()", "", "3 ended error"),
    "a log line of an object": ("self.log.warning('no')", "", "3 ended warning no"),
    "a log line of a logger that is made": ("logging.getLogger('x').error('no')", "", "3 ended error no"),
    "a log line of a logger that is called": ("logger().error('no')", "", "3 ended error no"),
    "something that is printed": ("print('no')", "", "3 ended warning no"),
    "a printed traceback": ("traceback.print_exc()", "", "3 ended warning"),
    "an error that is told to the client": ("await ctx.error('no')", "", "3 ended warning no"),
    "something else that is told to the client": ("ctx.info('no')", "", "3 ended info no"),
    "another call of the context": ("ctx.fail('no')", "", ""),
    "an error of another object": ("shop.error('no')", "", ""),
    "an error of what another function makes": ("shop().error('no')", "", ""),
    "another method of a log": ("log.add('no')", "", ""),
    "another function": ("error_page('no')", "", ""),
    "an item that is called": ("pages[0]('no')", "", ""),
    "an empty value": ("x = []", "return x", "3 passed"),
    "an empty value that is declared": ("x: list = []", "return x", "3 passed"),
    "a value": ("x = load()", "return x", ""),
    "a full value": ("x = 3", "return x", ""),
    "an empty value of an object": ("a.x = []", "return x", ""),
    "an empty value that is asked for": ("x = []", "if x:\n    close()", "3 asked"),
    "a count of failures": ("breaker.failed()", "close()", "3 passed"),
    "a count of failures that is told the error": ("breaker.failed(error)", "close()", ""),
    "a count of something else": ("shop.failed()", "close()", ""),
    "a counter that is called": ("breaker()", "close()", ""),
}  # fmt: skip


@pytest.mark.parametrize(("handler", "behind", "found"), HANDLERS.values(), ids=HANDLERS)
def test_a_handler_swallows_by(handler: str, behind: str, found: str) -> None:
    assert swallowed(tried(handler, behind)) == found


@pytest.mark.parametrize(
    ("types", "is_found"),
    [
        ("OSError", True),
        ("(KeyError, OSError)", True),
        ("Exception", True),
        ("", True),
        ("KeyError", False),
        ("(KeyError, json.JSONDecodeError)", False),
    ],
)
def test_what_asks_a_question_by_an_exception_swallows_nothing(types: str, is_found: bool) -> None:
    found = swallowed(f"try:\n    load()\nexcept {types}:\n    return []".replace("except :", "except:"))
    suppressed = swallowed(f"with suppress({types.strip('()') or 'Exception'}):\n    load()")
    assert (found, suppressed) == (("3 returned 4", "1 ended suppressed") if is_found else ("", ""))


ASKED = {
    "by a condition": ("x = load()", "if x:\n close()", "asked"),
    "by a condition for something else": ("x = load()", "if a:\n close()", "passed"),
    "by a conditional expression": ("x, y = load()", "return 1 if y else 2", "asked"),
    "by an assertion": ("x = load()", "assert x", "asked"),
    "by a loop": ("x = load()", "while x:\n close()", "asked"),
    "by an alternative": ("x = load()", "return x or 1", "asked"),
    "by a comparison": ("x = load()", "return x == 1", "asked"),
    "by a comprehension": ("x = load()", "return [y for y in a if x]", "asked"),
    "by a length": ("x = load()", "return len(x)", "asked"),
    "by a match": ("x = load()", "match x:\n case 1:\n  close()", "asked"),
    "by a sum": ("x = load()", "return sum(x)", "passed"),
    "in the try alone": ("x = load()\n if x:\n  close()", "close()", "passed"),
    "of what a branch binds": ("if a:\n  x = load()", "return 1 if x else 2", "asked"),
    "by a flag": ("load()\n done = True", "return done", "passed"),
    "by a flag that is set elsewhere": ("load()\n done = 1", "if a:\n done = False", "asked"),
    "by a number that is set elsewhere": ("load()\n done = 1", "if a:\n done = 2", "passed"),
}


@pytest.mark.parametrize(("work", "behind", "how"), ASKED.values(), ids=ASKED)
def test_the_function_asks_later_what_came_of_it(work: str, behind: str, how: str) -> None:
    # A flag that is set in the `try` itself is one as well.
    how = "asked" if "= True" in work else how
    body = f"try:\n {work}\nexcept OSError:\n pass\n{behind}"
    found = swallowed(body)
    assert found.split(" ")[1] == how
    suppressed = swallowed(f"with suppress(OSError):\n {work}\n{behind}")
    assert suppressed == f"1 {how} suppressed"


AGAIN = """\
for n in range(3):
    try:
        return load()
    except OSError as error:
        sleep(1)
return []"""

LOOPS = {
    "over items": ("for x in b:\n try:\n  load()\n except OSError:\n  log.error('no')", "4 turned error no"),
    "that goes on": ("for x in b:\n try:\n  load()\n except OSError:\n  continue", "4 turned"),
    "that takes from a queue": ("while True:\n try:\n  jobs.get()\n except OSError:\n  pass", "4 looped"),
    "that takes from one by its short name": (
        "while True:\n try:\n  self.q.get_nowait()\n except OSError:\n  pass",
        "4 looped",
    ),
    "that takes from something else": ("while True:\n try:\n  rows.get()\n except OSError:\n  pass", "4 turned"),
    "over what is taken from a queue": (
        "while True:\n job = queue.get()\n for x in job:\n  try:\n   load()\n  except OSError:\n   pass",
        "6 looped",
    ),
    "over a queue's first": ("for x in queue.get():\n try:\n  load()\n except OSError:\n  pass", "4 turned"),
    "of attempts": (AGAIN, "4 returned 6"),
    "of attempts that are logged, with an answer that has the error": (
        AGAIN.replace("sleep(1)", "log.error('no')\n        await asyncio.sleep(1)").replace("[]", "[error]"),
        "4 returned 7 error no tells",
    ),
    "of attempts without end": (AGAIN.replace("range(3)", "itertools.count()"), "4 returned 6"),
    "of attempts by a condition": (AGAIN.replace("for n in range(3)", "while n < 3"), "4 returned 6"),
    "of attempts without a wait": (AGAIN.replace("sleep(1)", "pass"), "4 turned"),
    "of attempts, with a wait that has another name": (
        AGAIN.replace("sleep(1)", "pause = 2\n        backoff(pause)"),
        "4 returned 7",
    ),
    "over items, with a wait": (AGAIN.replace("range(3)", "b"), ""),
    "over what a function answers, with a wait": (AGAIN.replace("range(3)", "rows(3)"), ""),
    "of attempts without an answer": (AGAIN.replace("return []", "return"), ""),
    "of attempts without an end": (AGAIN.replace("return []", ""), ""),
    "of attempts, with something else behind": (AGAIN.replace("return []", "close()\nreturn []"), ""),
    "of attempts that no success ends": (AGAIN.replace("return load", "load"), ""),
    "of attempts that a success ends": (
        AGAIN.replace("return load()", "load()\n        break"),
        "5 returned 7",
    ),
    "of attempts that a success ends in its else": (
        AGAIN.replace("return load", "load").replace("\nreturn", "\n    else:\n        break\nreturn"),
        "4 returned 8",
    ),
    "of attempts, of which the last is answered": (
        "for n in range(3):\n try:\n  return load()\n except OSError as e:\n  if n == 2:\n   return [e]\n  sleep(1)",
        "4 returned 6 tells",
    ),
    "of attempts with two answers": (
        "for n in range(3):\n try:\n  return load()\n except OSError:\n  if n == 2:\n   return []\n  elif n:\n"
        "   return {}\n  sleep(1)",
        "",
    ),
    "of attempts, of which the last is answered without a wait": (
        "for n in range(3):\n try:\n  return load()\n except OSError:\n  if n == 2:\n   return []",
        "",
    ),
    "of attempts, of which the last is raised": (
        AGAIN.replace("sleep(1)", "if n == 2:\n            raise\n        sleep(1)"),
        "",
    ),
    "of attempts that are told to somebody": (AGAIN.replace("sleep(1)", "report()\n        sleep(1)"), ""),
    "with what is suppressed": ("for x in b:\n with suppress(OSError):\n  load()", ""),
}


@pytest.mark.parametrize(("body", "found"), LOOPS.values(), ids=LOOPS)
def test_a_handler_swallows_in_a_loop(body: str, found: str) -> None:
    assert swallowed(body) == found


TRY = "try:\n    load()\nexcept OSError:\n    pass"

PLACES = {
    "below a condition": ("if a:\n{}", "4 ended"),
    "below a condition, with more behind": ("if a:\n{}\nclose()", "4 passed"),
    "below another condition": ("if a:\n    ...\nelif b:\n{}", "6 ended"),
    "below none of several conditions": ("if a:\n    ...\nelif b:\n    ...\nelse:\n{}", "8 ended"),
    "below no condition": ("if a:\n    ...\nelse:\n{}", "6 ended"),
    "in a case": ("match a:\n  case 1:\n{}", "5 ended"),
    "in a case, with more behind": ("match a:\n  case 1:\n{}\nclose()", "5 passed"),
    "in a with": ("with opened():\n{}", "4 ended"),
    "behind a loop": ("while a:\n    ...\nelse:\n{}", "6 ended"),
    "in a try": ("try:\n{}\nexcept KeyError:\n    raise", "4 ended"),
    "in a try that goes on with its else": ("try:\n{}\nexcept KeyError:\n    raise\nelse:\n    close()", "4 passed"),
    "in the else of a try": ("try:\n    close()\nexcept KeyError:\n    raise\nelse:\n{}", "8 ended"),
    "in a handler": ("try:\n    close()\nexcept KeyError:\n{}", ""),
    "in a clean-up": ("try:\n    close()\nfinally:\n{}", ""),
    "in a function inside": ("def inner():\n{}\ninner()", ""),
}


@pytest.mark.parametrize(("around", "found"), PLACES.values(), ids=PLACES)
def test_a_handler_swallows_where_it_stands(around: str, found: str) -> None:
    assert swallowed(around.format(indent(TRY, "    "))) == found


def test_what_is_suppressed_in_a_handler_is_aside() -> None:
    assert swallowed("try:\n close()\nexcept KeyError:\n with suppress(OSError):\n  load()") == ""
    assert swallowed("with opened():\n load()") == ""


def test_a_function_swallows_nothing_that_one_in_it_does() -> None:
    assert swallowed(f"{TRY}\ndef inner():\n{indent(TRY, '    ')}\nclass Inner:\n{indent(TRY, '    ')}") == "3 passed"


def test_a_handler_that_waits_and_answers_tries_nothing_again_without_a_loop() -> None:
    assert swallowed(tried("sleep(1)\nif a:\n    return []")) == ""


def test_each_clause_swallows_by_itself() -> None:
    clauses = "except OSError:\n    pass\nexcept ValueError:\n    pass\nexcept RuntimeError:\n    return []"
    assert swallowed(f"try:\n    load()\n{clauses}") == "3 ended; 7 returned 8"


@pytest.mark.parametrize(
    ("work", "names"),
    [
        ("load()\n shop.save(a)", ("load", "shop.save")),
        ("load()\n load()", ("load",)),
        ("keep(key=find(1), *rest(2))", ("keep", "find", "rest")),
        ("open_shop(1).run()", (".run", "open_shop")),
        ("keep(lambda: load())", ("keep",)),
        ("def later():\n  load()\n close()", ("close",)),
        ("class Later:\n  load()\n close()", ("close",)),
        ("shops[0]()", ()),
    ],
)
def test_the_names_of_the_work_that_a_try_does(work: str, names: tuple[str, ...]) -> None:
    text = f"def get(a):\n try:\n  {work.replace(chr(10), chr(10) + ' ')}\n except OSError:\n  pass\n"
    module = collect(text, Vocabulary(swallows=True))
    (found,) = next(each for each in module.functions if each.name == "get").swallows
    assert found.work == names
