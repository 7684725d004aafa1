"""What happens after a record is made: how each way ends, what gets the record on it, and which files it goes to."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest
from test_flow import shown

from errlint.index.files import files
from errlint.index.outcomes import followed, loop_around, outcomes
from errlint.index.spans import Spans
from errlint.source import Lines

MADE = "record = made()"
NAMES = frozenset({"record"})


def parsed(body: str) -> tuple[list[ast.stmt], ast.stmt, Spans]:
    """Return the statements of a function, the one that makes the record, and the places of all."""
    text = f"async def get(a, b):\n{indent(body, '    ')}\n"
    tree = ast.parse(text)
    function = tree.body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    start = next(
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and ast.unparse(node).startswith((MADE, "report({"))
    )
    return function.body, start, Spans(Lines(text))


def ways(body: str) -> str:
    """Return how the ways from the record on end, on which line, and what is done (``*`` where it gets the record)."""
    statements, start, spans = parsed(body)
    found = outcomes(statements, start, NAMES, spans)
    return "; ".join(
        f"{each.end} {each.span.line - 1}: {' '.join(name + '*' * holds for name, holds in each.acts)}"
        for each in found
    )


ENDS = {
    "the end of the function": ("close()", "end 1: made close"),
    "the record as the answer": ("return record", "record 2: made"),
    "what is made of it as the answer": ("return keep(record)", "record 2: made keep*"),
    "a text of it as the answer": ("text = dumps(record)\nreturn text", "record 3: made dumps*"),
    "a declared text of it as the answer": ("text: str = dumps(record)\nreturn text", "record 3: made dumps*"),
    "a text of something else as the answer": ("text = dumps(a)\nreturn text", "return 3: made dumps"),
    "another answer": ("return a", "return 2: made"),
    "no answer": ("return", "return 2: made"),
    "an answer that nobody comes past": ("return 1\nkeep(record)", "return 2: made"),
    "a raise": ("raise Gone(record)", "raise 2: made Gone*"),
    "the end of the process": ("raise SystemExit(1)", "exit 2: made SystemExit"),
    "the end of the process by a name": ("raise SystemExit(code)", "exit 2: made SystemExit"),
    "the end of the process by a truth value": ("raise SystemExit(False)", "exit 2: made SystemExit"),
    "the end of the process with success": ("raise SystemExit(0)", "success 2: made SystemExit"),
    "the end of the process with nothing": ("raise SystemExit(None)", "success 2: made SystemExit"),
    "the end of the process without a word": ("raise SystemExit()", "success 2: made SystemExit"),
    "the end of the process by its class": ("raise SystemExit", "success 2: made"),
    "the end of the process by a call": ("sys.exit(1)", "exit 2: made sys.exit"),
    "the end of the process by a call without a word": ("sys.exit()", "success 2: made sys.exit"),
    "a crash": ("os.abort()", "exit 2: made os.abort"),
    "the end of something else": ("driver.quit()", "end 1: made driver.quit"),
    "a print": ("print(record)", "end 1: made print*"),
    "a print to a stream": ("print(record, file=sys.stderr)", "end 1: made print:stderr*"),
    "a print of something else to the output": ("print(a, file=sys.stdout)", "end 1: made print:stdout"),
    "a yield": ("yield record", "end 1: made yield*"),
    "a yield of what is made of it": ("yield from rows(record)", "end 1: made yield* rows*"),
    "a yield of something else": ("yield a", "end 1: made"),
    "a flag": ("failed = True", "end 1: made =flag"),
    "a flag of an object": ("a.failed = True", "end 1: made =flag =a.failed"),
    "a number": ("failed = 1", "end 1: made"),
    "an attribute": ("a.failed = record", "end 1: made =a.failed*"),
    "an item": ("a['x'] = record", "end 1: made =a*"),
    "a condition": (
        "if a:\n keep(record)\nelse:\n return record\nclose()",
        "record 5: made; end 1: made keep* close",
    ),
    "two conditions": (
        "if a:\n keep(record)\nelif b:\n close()",
        "end 1: made keep*; end 1: made close; end 1: made",
    ),
    "a loop": (
        "for x in a:\n keep(record)\n if x:\n  break\n if b:\n  continue\n return 1\nclose()",
        "return 8: made keep*; end 1: made close; end 1: made keep* close",
    ),
    "a with": ("with opened():\n keep(record)", "end 1: made opened keep*"),
    "a try": (
        "try:\n keep(record)\nexcept OSError:\n close()\nelse:\n other()\nfinally:\n last()",
        "end 1: made keep* other last; end 1: made =tried close last",
    ),
    "a match": (
        "match a:\n case 1:\n  keep(record)\n case 2:\n  return 1",
        "return 6: made; end 1: made keep*; end 1: made",
    ),
    "a match of everything": (
        "match a:\n case 1:\n  keep(record)\n case _:\n  return 1",
        "return 6: made; end 1: made keep*",
    ),
    "a match of everything on a condition": (
        "match a:\n case 1:\n  keep(record)\n case _ if b:\n  return 1",
        "return 6: made; end 1: made keep*; end 1: made",
    ),
    "a loop without an end": (
        "while True:\n if a:\n  break\n keep(record)\n if b:\n  return 1\nclose()",
        "return 7: made keep*; end 1: made close",
    ),
    "a loop that nobody leaves": ("while True:\n keep(record)\n if a:\n  continue", "end 1: made keep*"),
    "a loop by a condition": ("while a:\n return 1", "return 3: made; end 1: made"),
    "a loop with an else": (
        "for x in a:\n if x:\n  break\nelse:\n keep(record)\nclose()",
        "end 1: made keep* close; end 1: made close",
    ),
    "another value for its name": ("record = b\nkeep(record)\nreturn record", "return 4: made keep"),
    "a truth value for its name": ("record = None\nrecord = True\nreturn record", "return 4: made =flag"),
    "more of it for its name": ("record = more(record)\nreturn record", "record 3: made more*"),
    "another value for its name on one way": (
        "if a:\n record = b\nreturn record",
        "return 4: made; record 4: made",
    ),
    "definitions": ("def later():\n keep(record)\nclass Later: ...\nclose()", "end 1: made close"),
}


@pytest.mark.parametrize(("behind", "found"), ENDS.values(), ids=ENDS)
def test_a_way_ends_behind_a_record_with(behind: str, found: str) -> None:
    assert ways(f"{MADE}\n{behind}") == found


PLACES = {
    "in a loop": ("for x in a:\n {}", "next 2: made", "items"),
    "in a loop over what a function answers": ("for x in rows(a):\n {}", "next 2: made", "items"),
    "in a loop that goes on": ("for x in a:\n {}\n continue\nclose()", "next 2: made", "items"),
    "in a loop that it ends": ("for x in a:\n {}\n break\nclose()", "break 2: made", "items"),
    "in a loop that it ends as the answer": ("for x in a:\n {}\n return record", "record 3: made", "items"),
    "in a loop that it ends at times": (
        "for x in a:\n {}\n if x:\n  break\n keep(record)\nclose()",
        "next 2: made keep*; break 2: made",
        "search",
    ),
    "in a loop that an answer ends": ("for x in a:\n if x:\n  return 1\n {}", "next 4: made", "search"),
    "in a loop that a raise ends": ("for x in a:\n if x:\n  raise Gone\n {}", "next 4: made", "items"),
    "in a loop of rounds": ("for x in range(3):\n {}", "next 2: made", "rounds"),
    "in a loop by a condition": ("while a:\n {}", "next 2: made", "rounds"),
    "in a loop in a loop": ("for x in a:\n for y in b:\n  {}", "next 3: made", "rounds"),
    "behind a loop": ("for x in a:\n ...\nelse:\n {}\nclose()", "end 4: made close", ""),
    "below a condition": ("if a:\n {}\nelif b:\n other()\nelse:\n other()\nclose()", "end 2: made close", ""),
    "below another condition": ("if a:\n other()\nelif b:\n {}\nclose()", "end 4: made close", ""),
    "below no condition": ("if a:\n other()\nelif b:\n other()\nelse:\n {}\nclose()", "end 6: made close", ""),
    "in a with": ("with opened():\n {}\nclose()", "end 2: made close", ""),
    "in a try": (
        "try:\n {}\nexcept OSError:\n other()\nelse:\n keep(record)\nfinally:\n last()\nclose()",
        "end 2: made keep* last close",
        "",
    ),
    "in a handler": (
        "try:\n ...\nexcept OSError:\n {}\nelse:\n other()\nfinally:\n last()\nclose()",
        "end 4: made last close",
        "",
    ),
    "in the else of a try": (
        "try:\n ...\nexcept OSError:\n other()\nelse:\n {}\nfinally:\n last()\nclose()",
        "end 6: made last close",
        "",
    ),
    "in a clean-up": ("try:\n ...\nfinally:\n {}\nclose()", "end 4: made close", ""),
    "in a case": ("match a:\n case 1:\n  {}\n case _:\n  other()\nclose()", "end 3: made close", ""),
    "in a function inside": ("def later():\n {}", "", ""),
    "in a class inside": ("class Later:\n {}", "", ""),
}


@pytest.mark.parametrize(("around", "found", "loop"), PLACES.values(), ids=PLACES)
def test_a_way_ends_behind_a_record_that_stands(around: str, found: str, loop: str) -> None:
    body = around.format(MADE)
    statements, start, _ = parsed(body)
    assert ways(body) == found
    assert loop_around(statements, start) == loop


def test_what_is_told_by_a_call_is_told_there() -> None:
    assert ways("report({'error': a})\nclose()") == "end 1: report* close"
    assert ways("return_to(a)\nreport({'error': a})") == "end 2: report*"


@pytest.mark.parametrize(
    ("answer", "end"), [("return report({'error': a})", "record"), ("return", "return"), ("raise Gone(a)", "raise")]
)
def test_a_statement_that_makes_the_record_and_leaves(answer: str, end: str) -> None:
    text = f"def get(a):\n    {answer}\n"
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    (found,) = outcomes(function.body, function.body[0], frozenset(), Spans(Lines(text)))
    assert (found.end, found.span.line) == (end, 2)


def test_the_statements_that_tell_more_are_those_that_are_reached() -> None:
    body, start, spans = parsed(f"{MADE}\nkeep(record)\nif a:\n tell(a)\n return\ntell(b)")
    asked = [node for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.Expr)]
    reached = followed(body, start, NAMES, spans, frozenset(map(id, [start, *asked]))).reached
    assert [(each.end, each.span.line - 1, each.acts[1:]) for each in reached] == [
        ("report", 2, ()),
        ("report", 4, (("keep", True),)),
        ("report", 6, (("keep", True),)),
    ]


@pytest.mark.parametrize(("count", "is_known"), [(5, True), (6, False)])
def test_so_many_ways_are_told_apart(count: int, is_known: bool) -> None:
    branches = "\n".join(f"if a == {number}:\n keep{number}()" for number in range(count))
    assert bool(ways(f"{MADE}\n{branches}")) is is_known


FILES = {
    "a file that is opened": ("with open(path, 'w') as f:\n json.dump(record, f)", "2 path"),
    "one that is added to": ("with open(path, mode='a') as f:\n f.write(str(record))", "2 path"),
    "one that is made": ("with io.open(path, 'x') as f:\n f.write(record)", "2 path"),
    "a path that is opened": ("with path.open('w') as f:\n f.write(record)", "2 path"),
    "one that is opened beside another": ("with held, open(path, 'w') as f:\n f.write(record)", "2 path"),
    "one that is opened to read it": ("with open(path) as f:\n f.write(record)", ""),
    "a path that is opened to read it": ("with path.open() as f:\n f.write(record)", ""),
    "one without a path": ("with io.open(mode='w') as f:\n f.write(record)", ""),
    "one that something else is written to": ("with open(path, 'w') as f:\n f.write(a)", ""),
    "one that is held already": ("with f:\n f.write(record)", ""),
    "one by another function": ("with opened(path, 'w') as f:\n f.write(record)", ""),
    "a text that is written": ("path.write_text(record)", "2 path"),
    "bytes that are written": ("path.write_bytes(record)", "2 path"),
    "a text of a text of it": ("text = dumps(record)\nmore = text + 'x'\npath.write_text(more)", "4 path"),
    "a record that has more by then": ("record = more(record)\npath.write_text(record)", "3 path"),
    "a text of something else": ("text = dumps(a)\npath.write_text(text)", ""),
    "something else that is written": ("path.write_text(a)", ""),
    "something that is read": ("path.read_text(record)", ""),
    "a function of that name": ("write_text(record)", ""),
    "a path of parts": ("Path('out', a).write_text(record)", "2 'out' + a"),
    "a path that is divided": ("(folder / 'x' / a).write_text(record)", "2 folder + 'x' + a"),
    "a path that is subtracted from": ("(folder - 'x').write_text(record)", "2 ?"),
    "a path of a folder that has a name": (
        "folder = Path(a)\n(folder / 'x.json').write_text(record)",
        "3 a + 'x.json'",
    ),
    "a path that is joined": ("Path(os.path.join(a, 'x')).write_text(record)", "2 a + 'x'"),
    "a path by methods": (
        "folder.joinpath('x').with_suffix('.y').write_text(record)",
        "2 folder + 'x' + '.y'",
    ),
    "a path that a function makes": ("made_path(a).write_text(record)", "2 made_path(a)"),
}


@pytest.mark.parametrize(("behind", "found"), FILES.values(), ids=FILES)
def test_a_record_is_written_to(behind: str, found: str) -> None:
    body, _, spans = parsed(f"{MADE}\n{behind}")
    written = files(body, NAMES, spans)
    assert "; ".join(f"{each.span.line - 1} {' + '.join(map(shown, each.parts))}" for each in written) == found
