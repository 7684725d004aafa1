"""Where LibCST nodes stand: as LibCST says itself, in errlint's own modules and in text that is laid out oddly."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

import errlint
from errlint.fix.node_positions import Extent, Positions, code_of, written
from errlint.fix.source_file import SourceFile

OWN = sorted(path.read_text(encoding="utf-8") for path in Path(errlint.__file__).parent.glob("fix/**/*.py"))
ODD = """\
# At the top.

@ decorated  (1,
    2)  # behind
class A ( B ):   # a body

    '''Text
    of two lines.'''
    x = ( "ä" 'ö'
    "ü" ) ; y = ( ( 1 ) ) [ 2 : ]
    # below the class


if  a  :  pass
elif b \\
        : pass
else : pass ;
with ( open(x)  as  f , ) : f  .  read ( )
try :
  from  .  import  ( a ,  b
    , )
except  (A) as e : raise
finally : pass
match  a :
  case [ 1 , * _ ] if b : pass
async  def f ( * , a : int = 1 , ** b )  ->  int :
    return ( yield f"{ a !r: >{ b } }" )
# At the end.
"""


def positions_by_libcst(module: cst.Module) -> dict[cst.CSTNode, Extent]:
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    return {
        node: (place.start.line, place.start.column, place.end.line, place.end.column)
        for node, place in positions.items()
    }


def positions(file: SourceFile) -> dict[cst.CSTNode, Extent]:
    return {node: file.extent(node) for node in Positions(file.module, written(file.module)[1]).all()}


@pytest.mark.parametrize(
    "text",
    [ODD, ODD.replace("\n", "\r\n"), ODD.rstrip("\n"), "", "\n", "x", "# x", "x\n\n# x\n"],
)
def test_odd_text_has_the_positions_that_libcst_tells(text: str) -> None:
    file = SourceFile("odd.py", text.encode())
    known = positions_by_libcst(file.module)
    found = positions(file)

    assert found == {node: known[node] for node in found}
    assert file.text == file.module.code
    assert file.given_back(file.module) == text.encode()


def test_modules_have_the_positions_that_libcst_tells_in_the_same_order() -> None:
    for text in OWN:
        file = SourceFile("own.py", text.encode())
        known = positions_by_libcst(file.module)
        found = positions(file)

        assert list(found.items()) == [(node, place) for node, place in known.items() if node in found]
        assert code_of(file.module, file.module) == file.text == text


def test_only_layout_has_no_position() -> None:
    file = SourceFile("odd.py", ODD.encode())
    left_out = positions_by_libcst(file.module).keys() - positions(file).keys() - {file.module}
    kinds = (cst.BaseExpression, cst.BaseStatement, cst.BaseSmallStatement, cst.BaseSuite, cst.Comment)

    assert not any(isinstance(node, kinds) for node in left_out)


@pytest.mark.parametrize("header", ["", "# First.\n\n"])
def test_nodes_are_found_by_where_they_begin(header: str) -> None:
    file = SourceFile("shop.py", f"{header}a = 1\n\n\n# Above.\nif a:\n    b = a\n# Last.\n".encode())
    lines = header.count("\n")

    assert [type(node) for node in file.nodes_at(lines + 1, 1)][:1] == [cst.Name]
    assert {cst.If} <= {type(node) for node in file.nodes_at(lines + 5, 1)}
    assert {cst.Name, cst.Assign, cst.SimpleStatementLine} <= {type(node) for node in file.nodes_at(lines + 6, 5)}
    assert [type(node) for node in file.nodes_at(lines + 7, 1)] == [cst.Comment]
    assert not file.nodes_at(lines + 2, 1)
    assert not file.nodes_at(lines + 99, 1)


def test_texts_are_told_in_the_order_in_which_they_stand() -> None:
    file = SourceFile(
        "shop.py",
        b"""\
@told("a", by="b")
class Shop(base("c"), kind="d"):
    "e"
    @told("f")
    def find(self, name: "g" = "h", *, by: int = "i") -> "j":
        try:
            return ["k" if "l" else "m", f"{'n'}", "o" "p"]
        except told("q"):
            "r"
match "s":
    case "t" if "u":
        {"v": "w"}
""",
    )

    assert "".join(text for text, _ in file.texts) == "abcdefghijklmnopqrstuvw"
