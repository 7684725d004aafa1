"""Which registry codes belong to, which classes share one by accident, and which have none."""

from __future__ import annotations

import pytest
from judged_texts import findings, lines, project_of

ENUM = "from enum import Enum\n\n\nclass ErrorCode(Enum):\n    LOST = 'lost'\n    LATE = 'late'\n\n\n"
BASE = "class BookError(Exception):\n    def __init__(self, text, code=None):\n        self.code = code\n\n\n"
SERVER = "@mcp.tool()\ndef find(names):\n"


def classes(*codes: str) -> str:
    """Return exception classes with some codes."""
    return "".join(
        f"class E{index}Error(BookError):\n    code = '{code}'\n\n\n" for index, code in enumerate(codes, start=1)
    )


def raises(*codes: str) -> str:
    """Return a tool that raises with some codes."""
    return SERVER + "".join(f"    if names:\n        raise BookError('no', code={code})\n" for code in codes)


LOST, LATE = "ErrorCode.LOST", "'late'"

INFERRED = {
    "most are of an enum": (ENUM + BASE + raises(LOST, LATE, "'odd'"), ["odd"]),
    "half are of an enum": (ENUM + BASE + raises(LOST, LATE, "'odd'", "'old'"), []),
    "one is of an enum": (ENUM + BASE + raises(LOST, "'odd'"), []),
    "one alone is of an enum": (ENUM + BASE + raises(LOST), []),
    "members that there are not": (ENUM + BASE + raises("ErrorCode.ODD"), ["ODD"]),
    "what a protocol prescribes": (ENUM + BASE + raises(LOST, LATE, "'invalid_request'"), []),
    "numbers": (ENUM + BASE + raises(LOST, LATE, "404"), []),
    "classes have codes": (BASE + classes("a", "b", "c") + raises("'a'", "'b'", "'c'", "'odd'"), ["odd"]),
    "classes have codes, and a third others": (
        BASE + classes("a", "b", "c") + raises("'a'", "'b'", "'c'", "'odd'", "'old'"),
        [],
    ),
    "two of them are used": (BASE + classes("a", "b", "c") + raises("'a'", "'b'"), []),
    "two classes have codes": (BASE + classes("a", "b") + raises("'a'", "'b'", "'a'", "'odd'"), []),
    "an enum and classes have codes": (
        ENUM + BASE + classes("a", "b", "c") + raises("'a'", "'b'", "'c'", "'odd'"),
        [],
    ),
    "an enum that is open": (
        ENUM.replace("'late'", "'late'\n    MORE = read()") + BASE + raises(LOST, LATE, "'odd'"),
        [],
    ),
}


@pytest.mark.parametrize(("text", "codes"), INFERRED.values(), ids=INFERRED)
def test_codes_belong_to_a_registry_where(text: str, codes: list[str]) -> None:
    found = findings({"server.py": text}, rules=["ERR301"])
    assert [each.message.partition("`")[2].partition("`")[0] for each in found if "no member" not in each.message] == [
        code for code in codes if code != "ODD"
    ]
    assert ["no member `ODD`" in each.message for each in found if "no member" in each.message] == [
        True for code in codes if code == "ODD"
    ]


def test_codes_of_other_arguments_belong_to_nothing() -> None:
    text = BASE.replace("code=None", "code=None, error_code=None") + ENUM + raises(LOST, LATE, "'odd'")
    found = findings({"server.py": text.replace("code='odd'", "error_code='odd'")}, rules=["ERR301"])
    assert found == []
    assert len(findings({"server.py": text}, rules=["ERR301"])) == 1


def plain(owner: str, code: str, base: str = "BookError") -> str:
    return f"class {owner}({base}):\n    code = '{code}'\n\n\n"


SHARED = {
    "a code with a number": (plain("LostError", "E1") + plain("LateError", "E1"), 1),
    "a code that is the name of one": (plain("NotFoundError", "not_found") + plain("LateError", "not_found"), 1),
    "a code that is the name of the second": (plain("LateError", "NOT-FOUND") + plain("NotFound", "NOT-FOUND"), 1),
    "a code that is the name of one of three": (
        plain("LostError", "lost") + plain("LateError", "lost") + plain("OldError", "lost"),
        0,
    ),
    "a code of no name": (plain("LostError", "odd") + plain("LateError", "odd"), 0),
    "a code of no name where most have their own": (
        plain("LostError", "odd") + plain("LateError", "odd") + plain("A", "a") + plain("B", "b"),
        1,
    ),
    "a code of no name where few have their own": (
        plain("LostError", "odd") + plain("LateError", "odd") + plain("A", "a"),
        0,
    ),
    "a class and its base": (plain("LostError", "E1") + plain("LateError", "E1", "LostError"), 0),
    "two classes below a class of their own code": (
        plain("LostError", "E1") + plain("AError", "E1", "LostError") + plain("BError", "E1", "LostError"),
        0,
    ),
    "two classes below a class without": (
        "class ShelfError(BookError):\n    pass\n\n\n"
        + plain("AError", "E1", "ShelfError")
        + plain("BError", "E1", "ShelfError"),
        1,
    ),
    "two classes by one name": (plain("LostError", "E1") + plain("LostError", "E1"), 0),
    "a class alone": (plain("LostError", "E1"), 0),
    "classes with codes of their own": (plain("LostError", "E1") + plain("LateError", "E2"), 0),
    "numbers": (
        "class LostError(BookError):\n    code = 404\n\n\nclass LateError(BookError):\n    code = 404\n\n\n",
        0,
    ),
    "a constant": (
        "CODE = 'E1'\n\n\nclass LostError(BookError):\n    code = CODE\n\n\n"
        "class LateError(BookError):\n    code = CODE\n",
        0,
    ),
    "other attributes": (
        "class LostError(BookError):\n    code = 'E1'\n\n\nclass LateError(BookError):\n    error_code = 'E1'\n\n\n",
        0,
    ),
    "a code that is handed to the base": (
        plain("LostError", "E1")
        + "class LateError(BookError):\n    def __init__(self):\n        super().__init__('no', code='E1')\n\n\n",
        1,
    ),
}


@pytest.mark.parametrize(("text", "number"), SHARED.values(), ids=SHARED)
def test_classes_share_a_code(text: str, number: int) -> None:
    assert len(findings({"server.py": f"{BASE}{text}{SERVER}    pass\n"}, rules=["ERR303"])) == number


ALONE = {
    "classes with codes of their own": (plain("LostError", "E1") + plain("LateError", "E2"), ""),
    "a class and its base": (plain("LostError", "E1") + plain("LateError", "E1", "LostError"), ""),
    "roots of the policy": (
        plain("LostError", "lost", "Exception") + plain("LateError", "late", "Exception"),
        "[exceptions]\nroot = ['LostError', 'LateError']\n",
    ),
}


@pytest.mark.parametrize(("text", "config"), ALONE.values(), ids=ALONE)
def test_no_code_is_shared_by(text: str, config: str) -> None:
    assert project_of({"server.py": f"{BASE}{text}"}, config).codes.shared_by_classes("server.py") == []


def test_a_code_belongs_to_the_registries_of_the_policy_before_that_of_its_member() -> None:
    text = ENUM + BASE + raises(LOST) + "\n\nKNOWN = ['lost', 'late']\n"
    for config, names in {"[codes]\nregistry = ['KNOWN']\n": ["KNOWN"], "": []}.items():
        codes = project_of({"server.py": text}, config).codes
        (usage,) = codes.usages("server.py")
        assert [each.name for each in codes.registries(usage)] == names


def test_the_registry_of_exception_classes_is_that_of_the_first_file_with_one() -> None:
    texts = {
        "errors.py": BASE + classes("a", "b"),
        "others.py": "from errors import BookError\n\n\n" + classes("c"),
        "server.py": "from errors import BookError\n\n\n" + raises("'a'", "'b'", "'c'", "'odd'"),
    }
    codes = project_of(texts).codes
    *_, odd = codes.usages("server.py")
    (registry,) = codes.registries(odd)
    assert (registry.path, [each.text for each in registry.codes]) == ("errors.py", ["a", "b", "c"])


def test_classes_may_share_codes_of_a_registry() -> None:
    text = BASE + plain("LostError", "E1") + plain("LateError", "E1") + f"{SERVER}    pass\n"
    assert findings({"server.py": text}, "[codes.vocabulary]\nE1 = {}\n", rules=["ERR303"]) == []


ROOTS = "[exceptions]\nroot = ['LostError', 'LateError']\n[codes.vocabulary]\nlost = {}\n"


@pytest.mark.parametrize(
    ("first", "second", "number"),
    [
        pytest.param("'lost'", "'lost'", 1, id="one code"),
        pytest.param("'lost'", "'late'", 0, id="two codes"),
        pytest.param("LOST", "'lost'", 1, id="a constant"),
        pytest.param("404", "404", 0, id="numbers"),
    ],
)
def test_the_roots_of_the_policy_share(first: str, second: str, number: int) -> None:
    text = (
        f"LOST = 'lost'\n\n\nclass LostError(Exception):\n    code = {first}\n\n\n"
        f"class LateError(Exception):\n    code = {second}\n\n\n{SERVER}    pass\n"
    )
    assert len(findings({"server.py": text}, ROOTS, rules=["ERR303"])) == number


def test_classes_below_the_roots_may_share() -> None:
    roots = plain("LostError", "lost", "Exception") + plain("LateError", "late", "Exception")
    below = plain("AError", "none", "LostError") + plain("BError", "none", "LateError")
    config = ROOTS.replace("lost = {}", "lost = {}\nlate = {}\nnone = {}")
    assert findings({"server.py": f"{roots}{below}{SERVER}    pass\n"}, config, rules=["ERR303"]) == []


def test_classes_that_one_pattern_means_are_not_told_apart_by_the_policy() -> None:
    roots = plain("LostError", "lost", "Exception") + plain("LateError", "lost", "Exception")
    config = ROOTS.replace("'LostError', 'LateError'", "'*Error'")
    assert findings({"server.py": f"{roots}{SERVER}    pass\n"}, config, rules=["ERR303"]) == []


def test_a_class_below_the_only_root_may_have_its_code() -> None:
    text = f"{plain('LostError', 'lost', 'Exception')}{plain('LateError', 'lost', 'LostError')}{SERVER}    pass\n"
    config = "[exceptions]\nroot = ['LostError']\n[codes.vocabulary]\nlost = {}\n"
    assert findings({"server.py": text}, config, rules=["ERR303"]) == []


TOP = "class ShopError(Exception):\n    pass\n\n\n"


def of_shop(*bodies: str) -> str:
    """Return exceptions below one base, with a body each; the last begins on the line that is told."""
    return TOP + "".join(f"class E{index}Error(ShopError):\n    {body}\n\n\n" for index, body in enumerate(bodies))


CODED, BARE = "code = 'a'", "pass"
SELF = "def __init__(self, text"

LACKING = {
    "one of four": (of_shop(CODED, CODED, CODED, BARE), ["E3Error"]),
    "one of three": (of_shop(CODED, CODED, BARE), []),
    "two of five": (of_shop(CODED, CODED, CODED, BARE, BARE), []),
    "two of six": (of_shop(CODED, CODED, CODED, CODED, BARE, BARE), ["E4Error", "E5Error"]),
    "one whose code is none": (of_shop(CODED, CODED, CODED, "code = None"), ["E3Error"]),
    "one whose code is declared": (of_shop(CODED, CODED, CODED, "code: str"), ["E3Error"]),
    "one whose constructor is given it": (of_shop(CODED, CODED, CODED, f"{SELF}, code='a'): ..."), []),
    "one whose constructor is given a status": (of_shop(CODED, CODED, CODED, f"{SELF}, status=404): ..."), []),
    "one whose constructor is given anything": (of_shop(CODED, CODED, CODED, f"{SELF}, **more): ..."), []),
    "one whose constructor is given many": (of_shop(CODED, CODED, CODED, f"{SELF}, *more): ..."), ["E3Error"]),
    "one that stores it": (of_shop(CODED, CODED, CODED, f"{SELF}):\n        self.code = text"), []),
    "one that stores something else": (
        of_shop(CODED, CODED, CODED, f"{SELF}):\n        self.text = text"),
        ["E3Error"],
    ),
    "one that hands it to its base": (
        of_shop(CODED, CODED, CODED, f"{SELF}):\n        super().__init__(text, code='a')"),
        [],
    ),
    "one with a property": (of_shop(CODED, CODED, CODED, "@property\n    def code(self):\n        return 'a'"), []),
    "one that has it from its base": (
        of_shop(CODED, CODED, CODED) + "class E3Error(E2Error):\n    pass\n\n\n",
        [],
    ),
    "a base that nobody raises": (
        of_shop(CODED, CODED, CODED, CODED, BARE) + "class E5Error(E4Error):\n    code = 'a'\n\n\n",
        [],
    ),
    "a base that is raised": (
        of_shop(CODED, CODED, CODED, CODED, BARE)
        + "class E5Error(E4Error):\n    code = 'a'\n\n\ndef buy():\n    raise E4Error('no')\n",
        ["E4Error"],
    ),
    "a base that is raised beside the exception of a library": (
        "from fastmcp.exceptions import ToolError\n\n\n"
        + of_shop(CODED, CODED, CODED, CODED, BARE)
        + "class E5Error(E4Error):\n    code = 'a'\n\n\n"
        + "def buy(name):\n    if name:\n        raise ToolError('no')\n    raise E4Error('no')\n",
        ["E4Error"],
    ),
    "one of another base": (of_shop(CODED, CODED, CODED) + "class OtherError(Exception):\n    pass\n\n\n", []),
    "one that is no exception": (of_shop(CODED, CODED, CODED) + "class Shelf:\n    pass\n\n\n", []),
}


def lacking(text: str, config: str = "") -> list[str]:
    found = findings({"server.py": f"{text}\n\n{SERVER}    pass\n"}, config, rules=["ERR312"])
    return [each.message.partition("`")[2].partition("`")[0] for each in found if "no error code" in each.message]


@pytest.mark.parametrize(("text", "names"), LACKING.values(), ids=LACKING)
def test_an_exception_has_no_code(text: str, names: list[str]) -> None:
    assert lacking(text) == names


def test_an_exception_of_the_same_kind_that_has_a_code_is_named() -> None:
    text = f"{of_shop(BARE, CODED, CODED, CODED)}{SERVER}    pass\n"
    (found,) = findings({"server.py": text}, rules=["ERR312"])
    assert found.message == "`E0Error` has no error code of its own and inherits none; give it one, as `E1Error` has"


POLICY = "[exceptions]\nroot = ['ShopError']\n[codes.vocabulary]\na = {}\n"

UNDER_A_POLICY = {
    "one without": (of_shop(CODED, BARE), POLICY, ["E1Error"]),
    "all without": (of_shop(BARE, BARE), POLICY, ["E0Error", "E1Error"]),
    "all with": (of_shop(CODED, CODED), POLICY, []),
    "one without a vocabulary": (of_shop(CODED, BARE), "[exceptions]\nroot = ['ShopError']\n", []),
    "one with statuses": (
        of_shop(CODED, BARE),
        "[exceptions]\nroot = ['ShopError']\n[codes.status]\nE0 = 404\n",
        ["E1Error"],
    ),
    "one without a root": (of_shop(CODED, BARE), "[codes.vocabulary]\na = {}\n", []),
    "all of a root without, where another one has them": (
        of_shop(BARE) + "class OtherError(Exception):\n    code = 'a'\n\n\n",
        POLICY.replace("['ShopError']", "['ShopError', 'OtherError']"),
        [],
    ),
    "all of a root without, where what is no root has them": (
        of_shop(BARE) + "class OtherError(Exception):\n    code = 'a'\n\n\n",
        POLICY,
        ["E0Error"],
    ),
}


@pytest.mark.parametrize(("text", "config", "names"), UNDER_A_POLICY.values(), ids=UNDER_A_POLICY)
def test_under_a_policy_an_exception_has_no_code(text: str, config: str, names: list[str]) -> None:
    assert lacking(text, config) == names


NEEDED = "class ShopError(Exception):\n    def __init__(self, text, *, code):\n        self.code = code\n\n\n"
FIRST, SECOND = "class E0Error(ShopError):\n    pass\n\n\n", "class E1Error(ShopError):\n    code = 'a'\n\n\n"

GIVEN = {
    "nobody gives": (f"{NEEDED}{FIRST}def buy():\n    raise E0Error('no')\n", ["E0Error"]),
    "nobody gives, and nobody makes": (f"{NEEDED}{FIRST}", []),
    "somebody gives": (f"{NEEDED}{FIRST}def buy():\n    raise E0Error('no', code='a')\n", []),
    "one of two gives": (
        f"{NEEDED}{FIRST}def buy(name):\n    raise E0Error('no') if name else E0Error('no', code='a')\n",
        [],
    ),
    "somebody may give": (f"{NEEDED}{FIRST}def buy(more):\n    raise E0Error('no', **more)\n", []),
    "the class has": (f"{NEEDED}{SECOND}def buy():\n    raise E1Error('no')\n", []),
    "nobody gives, with something else by position": (
        f"{NEEDED.replace('*, code', '*parts, code')}{FIRST}def buy():\n    raise E0Error('no', 'a')\n",
        ["E0Error"],
    ),
    "somebody may give by position": (
        f"{NEEDED.replace('*, code', 'code')}{FIRST}def buy(names):\n    raise E0Error(*names)\n",
        [],
    ),
    "has a default": (
        f"{NEEDED.replace('code):', 'code=0):')}{FIRST}def buy():\n    raise E0Error('no')\n",
        [],
    ),
    "is not asked for": (
        "class ShopError(Exception):\n    def __init__(self, text):\n        self.code = text\n\n\n"
        f"{FIRST}def buy():\n    raise E0Error('no')\n",
        [],
    ),
    "nobody gives by position": (
        f"{NEEDED.replace('*, code', 'code')}{FIRST}def buy():\n    raise E0Error('no')\n",
        ["E0Error"],
    ),
    "somebody gives by position": (
        f"{NEEDED.replace('*, code', 'code')}{FIRST}def buy():\n    raise E0Error('no', 'a')\n",
        [],
    ),
}


@pytest.mark.parametrize(("text", "names"), GIVEN.values(), ids=GIVEN)
def test_a_code_that_a_constructor_needs(text: str, names: list[str]) -> None:
    assert lacking(text) == names


def test_a_class_whose_code_nobody_gives_is_no_example() -> None:
    text = f"{NEEDED}{FIRST}{SECOND}def buy():\n    raise E0Error('no')\n"
    (found,) = findings({"server.py": f"{text}\n\n{SERVER}    pass\n"}, rules=["ERR312"])
    assert found.message.endswith("give it one, as `E1Error` has")


def test_classes_of_tests_are_no_exceptions_of_the_code() -> None:
    bodies = of_shop(CODED, BARE)
    texts = {"server.py": f"{bodies}{SERVER}    pass\n", "test_a.py": "from server import ShopError\n\n\n" + classes()}
    texts["test_a.py"] += "".join(f"class T{n}(ShopError):\n    code = 'a'\n\n\n" for n in range(4))
    assert lines(texts, rules=["ERR312"]) == []
    texts["other.py"] = texts.pop("test_a.py")
    assert lines(texts, rules=["ERR312"]) == ["server.py:9"]


OWNED = {
    "its own": ("class AError(Exception):\n    code = 'a'\n", [("AError", "a")]),
    "that of its base": (
        "class AError(Exception):\n    code = 'a'\n\n\nclass BError(AError):\n    pass\n",
        [("AError", "a"), ("BError", "a")],
    ),
    "one that is nearer": (
        "class AError(Exception):\n    code = 'a'\n\n\nclass BError(AError):\n    code = 'b'\n",
        [("AError", "a"), ("BError", "b")],
    ),
    "that of its constructor": (
        "class AError(Exception):\n    def __init__(self, code='a'):\n        self.code = code\n",
        [("AError", "a")],
    ),
    "none": ("class AError(Exception):\n    pass\n", []),
}


@pytest.mark.parametrize(("text", "owned"), OWNED.values(), ids=OWNED)
def test_a_class_has_a_code(text: str, owned: list[tuple[str, str]]) -> None:
    codes = project_of({"errors.py": text}).codes
    assert [(owner, found.text) for owner, found in codes.owned("errors.py")] == owned


def test_codes_of_classes_are_those_of_a_distribution() -> None:
    texts = {"one/a.py": "class AError(Exception):\n    code = 'a'\n", "two/b.py": "class BError(Exception): ...\n"}
    codes = project_of(texts, distributions=("one", "two")).codes
    assert [owner for owner, _ in codes.owned("one/a.py")] == ["AError"]
    assert codes.owned("two/b.py") == ()


OF_RAISES = {
    "that it is given": ("AError('no', code='b')", {"b"}),
    "that of its class": ("AError('no')", {"a"}),
    "none of its class": ("OtherError('no')", set()),
    "none": ("error", set()),
}


@pytest.mark.parametrize(("value", "codes"), OF_RAISES.values(), ids=OF_RAISES)
def test_a_raise_has_the_code(value: str, codes: set[str]) -> None:
    text = (
        "class AError(Exception):\n    code = 'a'\n\n    def __init__(self, text, code=None):\n        pass\n\n\n"
        "class OtherError(Exception):\n    pass\n\n\n"
        f"def find(error):\n    raise {value}\n"
    )
    project = project_of({"a.py": text}, "[codes]\nvalidation = 'a'\n", rules=["ALL"])
    (case,) = (each for function in project.modules["a.py"].functions for each in function.cases if each.how == "raise")
    assert project.codes.of_raise("a.py", "find", case) == codes
