"""LibCST's trees, lowered, are those of the interpreter, place for place; and files in newer grammar have one, too."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import warnings
from pathlib import Path

import libcst as cst
import pytest

from errlint.reader import parse
from errlint.reader.lowering import lowered
from errlint.reader.nodes import TemplateStr


def dumped(tree: ast.Module) -> str:
    """Show a tree with the places of its nodes, but for what is in f-strings: each version places that differently."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            # Some releases of 3.12 leave an empty text where nothing stands.
            node.values = [part for part in node.values if getattr(part, "value", None) != ""]
            for part in itertools.islice(ast.walk(node), 1, None):
                for name in part._attributes:
                    setattr(part, name, 0)
    return ast.dump(tree, include_attributes=True, indent=1)


SNIPPETS = {
    "texts": """\
a = "ä" 'b', u"c" "d", b"e" b"\\x00", r"\\d", '''f
g''', ""
""",
    "f-strings": """\
f"ä{a!r:>{b}} {c=} {d = !s} {{}}\\n" "e" rf"\\d{f}" f'{g=:>3}' "\\N{EM DASH}" f"\\N{EM DASH}{h}"
f""; "" f"" "x"; f'{a!r:{b}{c}d}'; f'''{
a
}'''
f'''\\n a="'{b}" ''{c}\\'{d}\\\\'{e}'''
""",
    "numbers": "1_000, 0x_ff, 0b1, 1e5, 1j, ..., True, None, -1 ** -(2), ~a",
    "places behind what is not ASCII": "é = 'ü' + ö.ä(ß); q = 1",
    "tuples": "a = 1,; b, *c = ((1, 2)), (); (d) = e, (f, g,); x = (yield), *h,",
    "subscripts": "x[1,]; x[a:b, c]; x[(1)]; x[(a):(b):(c)]; x[::]; x[:,]; x[(1, 2)] = y",
    "calls": """\
f(x for x in y); f((x for x in y)); f((x for x in y), 1); f(*(a), **(b), k=(1)); (a)(b)(c,)
f(
    x for x in y
)
""",
    "operators": "a or b or (c or d) or e and f and not g; (a or b) or c; (a) < b not in c is not (d) != e; a @ b // c",
    "conditions and lambdas": "a if b else (c) if d else e; lambda: 0; lambda *a, b=(1), **k: (a); lambda x, /, y=1: x",
    "collections": "{**a, 'b': 1}; {1, *a}; {}; [*a, b]; [a, (b),]",
    "comprehensions": "[a async for b, in c if d if e for (f, g) in h]; {a: b for c in d}",
    "generators": "{(a) for b in c}; (a for b in c)",
    "walrus": "(a := (1)); print((b := 2), x[c := 1])",
    "functions": """\
@((a))
# why
@b.c(1)
async def f(a, /, b: (int)=1, *args: g, c, d=(2), **kw: "h") -> (x): return await y
def g(*, a: int = 1) -> None:
    \"\"\"Say what.\"\"\"
    yield
    x = yield from a
""",
    "classes": "class A(B, *C, k=1, **D): x: int = 1; y.z: int\nclass E(): 'doc'\nclass F: ...",
    "branches": "if a: b; c\nelif d:\n    pass\nelse:\n    # no\n    pass\nwhile (a): break\nelse: pass",
    "loops": "for x, in y: pass\nfor (x, y) in z,: continue\nelse:\n    w",
    "with": """\
with (a as b, c as (d, e)): pass
with (a), (b) as c: pass
with (a, b) as c:
    pass
""",
    "try": "try: a\nexcept (A, B) as e:\n    raise C from (e)\nexcept D: raise\nelse: b\nfinally:\n    c\n",
    "match": """\
match a, b:
    case (1): pass
    case (1 | 2) as x if (y): pass
    case 1, *_: pass
    case [*x, _]: pass
    case {"a": (1), **rest}: pass
    case A.B(1, x=-1+2j,): pass
    case None | True | ("a" "b") | _: pass
    case (a,): pass
    case (): pass
    case ((a, [])),:
        pass
""",
    "imports": "from . import (a as b, c,)\nfrom ..x.y import *\nimport a.b as c, d.e",
    "small statements": "del a, (b), (c, d), [e]; del (a, b); del a,; global q, r",
    "one in a line": "assert (a), (b); x += (yield a), b; x = y = z",
    "lines joined": "x = (\n    1 +\n    # why\n    2\n); y = \\\n    3",
}


@pytest.mark.parametrize("text", SNIPPETS.values(), ids=SNIPPETS)
def test_a_tree_of_libcst_is_lowered_place_for_place(text: str) -> None:
    assert dumped(lowered(cst.parse_module(text))) == dumped(ast.parse(text))


@pytest.mark.parametrize(
    "name", ["argparse", "asyncio.tasks", "enum", "inspect", "tokenize", "typing", "test.test_patma"]
)
def test_modules_of_the_standard_library_are_lowered(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    text = Path(spec.origin).read_text(encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if getattr(node, "type_params", ()):
            node.type_params = []  # type: ignore[attr-defined]
    assert dumped(lowered(cst.parse_module(text))) == dumped(tree)


NEWER = """\
type Name = str | None


class Box[T: int, *Ts]:
    def get[U](self, other: U) -> U:
        return other


def say(on):
    try:
        return f"a {on["b"]} {f"{on}"} {'\\n'.join(on)}"
    except* ValueError as group:
        raise group
"""


def test_what_a_newer_interpreter_reads_is_read_by_any() -> None:
    tree = parse(NEWER)
    alias, box, say = tree.body
    assert type(alias).__name__ == "TypeAlias"
    assert (box.lineno, say.lineno, say.end_lineno) == (4, 9, 13)
    handled = say.body[0]  # type: ignore[attr-defined]
    assert handled.handlers[0].name == "group"
    (answer,) = handled.body
    assert [part.id for part in ast.walk(answer) if isinstance(part, ast.Name)] == ["on", "on", "on"]
    assert (answer.lineno, answer.col_offset) == (11, 8)
    assert answer.end_col_offset == len(NEWER.splitlines()[10])


def test_a_template_string_has_its_values() -> None:
    (line,) = lowered(cst.parse_module('t"no {one} here"\n')).body
    assert isinstance(line, ast.Expr)
    assert isinstance(line.value, TemplateStr)
    assert [part.id for part in ast.walk(line) if isinstance(part, ast.Name)] == ["one"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a = 1\nb = = 2\n", 2, "invalid syntax"),
        ("a = 1\n\0\n", 2, "the file contains a NUL byte"),
        (f"a = 1\nb = {'(' * 300}{')' * 300}\n", 2, "brackets are nested too deeply to be analysed"),
    ],
    ids=["a syntax error", "a NUL byte", "too deep"],
)
def test_what_is_no_python_says_so_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        parse(text)
    assert (caught.value.lineno, caught.value.msg) == (line, message)
