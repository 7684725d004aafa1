"""Whose method a caller calls, as far as a fix can tell: what is known of an object, and what is only guessed."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from test_fix import CONFIGURATION, ERRORS, START, TOOL, fixes_in, looks, reasons, unsafe_alone

from errlint.fix.presentation.advice import advice

REPO = """\
class Repo:
    def find(self, on):
        if not on:
            return {"error": "no on"}
        return {"path": on}
"""

OTHER = """\
class Client:
    def find(self, on):
        return fetch(on)
"""


def write(folder: Path, server: str, **modules: str) -> None:
    (folder / "shop").mkdir()
    for name, text in {"__init__": "", "errors": ERRORS, "repo": REPO, "client": OTHER, **modules}.items():
        (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    imports = "from shop.client import Client\nfrom shop.repo import Repo\n"
    (folder / "shop/server.py").write_text(START.replace("from shop", f"{imports}from shop") + server, encoding="utf-8")
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")


def tool(body: str) -> str:
    return TOOL + indent(dedent(body), "    ")


USE = """\
def use(repo{annotation}, on):
    return repo.find(on)


{tool}"""

MADE = f"def made() -> Repo:\n    return load()\n\n\n{tool('repo = made(); return repo.find(on)')}"

HOLDER = """\
class Holder:
    def __init__(self{parameters}):
        self.repo = {value}

    def use(self, on):
        return self.repo.find(on)


{tool}"""

USED = tool("return Holder().use(on)\n")

KNOWN = {
    "a local object": tool("repo = Repo()\nreturn repo.find(on)\n"),
    "an annotated local object": tool("repo: Repo = Repo()\nreturn repo.find(on)\n"),
    "a local object of a module": tool("repo = shop.repo.Repo()\nreturn repo.find(on)\n").replace(
        TOOL, f"import shop.repo\n\n\n{TOOL}"
    ),
    "an object that is handed over": USE.format(annotation=": Repo", tool=tool("return use(Repo(), on)")),
    "an object that may be handed over": USE.format(
        annotation=": 'Repo | None'", tool=tool("return use(Repo() if on else None, on)")
    ),
    "an attribute": HOLDER.format(parameters="", value="Repo()", tool=USED),
    "an attribute that is handed over": HOLDER.format(parameters=", repo: Repo", value="repo", tool=USED),
    "a variable of the function around": tool(
        "repo = Repo()\ndef inner():\n    return repo.find(on)\nreturn inner()\n"
    ),
    "what a function says that it gives": MADE,
    "an object of the module": f"repo = Repo()\n\n\n{tool('return repo.find(on)')}",
    "an object that is made in two places": tool(
        "if on:\n    repo = Repo()\nelse:\n    repo = Repo()\nreturn repo.find(on)\n"
    ),
    "an object of a class that is imported in several ways": tool(
        "from .repo import Repo\nrepo = Repo()\nreturn repo.find(on)\n"
    ),
    "what a method of the same object says that it gives": (
        "class Owner:\n    def _repo(self) -> Repo:\n        return load()\n\n"
        "    def use(self, on):\n        repo = self._repo()\n        return repo.find(on)\n\n\n"
        f"{tool('return Owner().use(on)')}"
    ),
    "what it is mixed into": (
        "class Using:\n    def use(self, on):\n        return self.find(on)\n\n\n"
        f"class Both(Using, Repo):\n    pass\n\n\n{tool('return Both().use(on)')}"
    ),
    "an object beside one of another class": tool(
        "client = Client()\nclient.find(on)\nrepo = Repo()\nreturn repo.find(on)\n"
    ),
}


@pytest.mark.parametrize("server", KNOWN.values(), ids=KNOWN)
def test_a_method_raises_that_is_called_of(tmp_path: Path, server: str) -> None:
    write(tmp_path, server)
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


HOLDING = """\
from shop.repo import Repo

shelf: Repo | None = None


def start():
    global shelf
    shelf = Repo()
"""


HELD_BY_MODULE = f"from shop import holding\n\n\n{tool('return holding.shelf.find(on)')}"


def test_a_method_raises_that_is_called_of_an_object_of_another_module(tmp_path: Path) -> None:
    write(tmp_path, HELD_BY_MODULE, holding=HOLDING)
    found = fixes_in(tmp_path, "ERR101")
    assert (reasons(found.refused), reasons(found.fixed)) == ([], [])
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


KEPT = "from shop.repo import Repo\n\nshelf = Repo()\n"

IMPORTED = {
    "its name": "from shop.holding import shelf\n\n\n" + tool("return shelf.find(on)"),
    "its name, by another module": "from shop.again import shelf\n\n\n" + tool("return shelf.find(on)"),
    "its name, in a function": tool("from shop.holding import shelf\nreturn shelf.find(on)\n"),
    "its module": "from shop import holding as kept\n\n\n" + tool("return kept.shelf.find(on)"),
    "its package": "import shop.holding\n\n\n" + tool("return shop.holding.shelf.find(on)"),
}


@pytest.mark.parametrize("server", IMPORTED.values(), ids=IMPORTED)
@pytest.mark.parametrize("holding", [KEPT, HOLDING], ids=["made at once", "made later"])
def test_a_method_raises_that_is_called_of_an_object_which_is_imported_by(
    tmp_path: Path, server: str, holding: str
) -> None:
    write(tmp_path, server, holding=holding, again="from .holding import shelf\n")
    found = fixes_in(tmp_path, "ERR101")
    assert (reasons(found.refused), reasons(found.fixed)) == ([], [])
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


ROUTE = """from fastapi import FastAPI, HTTPException
from shop.holding import shelf

app = FastAPI()


@app.get("/parts")
def parts(on: str):
    result = shelf.find(on)
    if "error" in result:
        raise HTTPException(status_code=404, detail=result["error"])
    return result
"""


def test_a_route_that_asks_an_imported_object_keeps_its_status(tmp_path: Path) -> None:
    server = IMPORTED["its name"].replace("shelf.find(on)", "{**shelf.find(on)}")
    write(tmp_path, server, holding=KEPT, app=ROUTE)
    changed = fixes_in(tmp_path, "ERR101").contents["shop/app.py"][1].decode()
    assert "except ShopError as exc:\n        raise HTTPException(status_code=404, detail=str(exc)) from exc" in changed


def test_an_object_of_another_module_that_is_of_several_classes_is_in_doubt(tmp_path: Path) -> None:
    holding = f"{HOLDING}\n\ndef other():\n    global shelf\n    shelf = load()\n"
    write(tmp_path, HELD_BY_MODULE, holding=holding)
    (doubt,) = reasons(unsafe_alone(tmp_path, "ERR101").fixed)
    assert doubt == "it may be called here, or another function of its name: `holding.shelf.find`"


UNKNOWN = {
    "what another function gives": tool("repo = made()\nreturn repo.find(on)\n"),
    "an object that nothing is known of": USE.format(annotation="", tool=tool("return use(Repo(), on)")),
    "an object that is one or another": tool("repo = Repo()\nif text:\n    repo = Client()\nreturn repo.find(on)\n"),
    "an attribute that is one or another": HOLDER.format(
        parameters=", other", value="Repo()\n        if other:\n            self.repo = other", tool=USED
    ),
    "an object of the module that another function changes": (
        f"repo = Repo()\n\n\ndef change():\n    global repo\n    repo = made()\n\n\n{tool('return repo.find(on)')}"
    ),
    "what a decorated function says that it gives": f"@load\n{MADE}",
    "an object of a class that nothing is known of": tool("repo = Far()\nreturn repo.find(on)\n"),
}


@pytest.mark.parametrize("server", UNKNOWN.values(), ids=UNKNOWN)
def test_a_method_raises_in_doubt_where_its_name_is_called_of(tmp_path: Path, server: str) -> None:
    write(tmp_path, server)
    found = unsafe_alone(tmp_path, "ERR101")
    (doubt,) = looks(found.fixed, "shop/server.py")
    assert doubt[0].startswith("it may be called here, or another function of its name: `")
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


GUESSED = 'repo = made()\nfound = repo.find(on)\nif "error" in found:\n    return {"path": "none"}\nreturn found\n'


def test_a_check_of_what_the_only_method_of_a_name_answers_goes_in_doubt(tmp_path: Path) -> None:
    write(tmp_path, tool(GUESSED), client="")
    (group,) = fixes_in(tmp_path, "ERR101").fixed
    assert reasons((group,)) == ["`repo.find` is taken to be `Repo.find`, the only method of its name"]


PIVOT = """\
def pivot(on):
    if not on:
        return {"error": "no on"}
    return {}


"""


def pivoting(body: str) -> str:
    """Return a module with a function, a tool that returns what it answers, and another one with some body."""
    return f"{PIVOT}{tool(body)}\n\n{tool('return pivot(on)').replace('def read', 'def other')}"


@pytest.mark.parametrize(
    "body",
    [
        "frame = load(on)\nreturn frame.pivot(on)\n",
        "for frame in on:\n    return frame.pivot(on)\n",
        "frame = load(on)\nreturn frame.data.pivot(on)\n",
    ],
)
def test_a_function_is_no_method_of_a_local_object(tmp_path: Path, body: str) -> None:
    write(tmp_path, pivoting(body), repo="")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


def test_a_function_is_no_method_of_an_annotated_parameter(tmp_path: Path) -> None:
    use = "def use(frame: Frame, on):\n    return frame.data.pivot(on)\n\n\n"
    write(tmp_path, use + pivoting("return use(on, on)"), repo="")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []


def test_a_function_may_be_one_of_a_module_that_is_handed_over(tmp_path: Path) -> None:
    use = "def use(frame: ModuleType, on):\n    return frame.pivot(on)\n\n\n"
    write(tmp_path, use + pivoting("return use(on, on)"), repo="")
    text = "it may be called here, or another function of its name: `frame.pivot`"
    assert text in reasons(unsafe_alone(tmp_path, "ERR101").fixed)


def test_to_ask_whether_there_is_a_function_is_no_use_of_it(tmp_path: Path) -> None:
    write(tmp_path, f"{pivoting('return pivot(on)')}\n\nNOTE = 'pivots' if pivot else 'plain'\n", repo="")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []


def test_a_function_that_is_only_asked_for_is_called_by_nobody(tmp_path: Path) -> None:
    write(tmp_path, f"{PIVOT}{tool('return {}')}\n\nNOTE = 'pivots' if pivot else 'plain'\n", repo="")
    text = "`pivot` may be used here, and nothing else is known to call it: who does gets an exception"
    assert text in reasons(unsafe_alone(tmp_path, "ERR101").fixed)


def test_a_function_is_no_method_of_an_object_of_the_module(tmp_path: Path) -> None:
    made = "if __name__ == '__main__':\n    frame = load()\n    print(frame.pivot(1))\n"
    write(tmp_path, f"{pivoting('return pivot(on)')}\n\n{made}", repo="")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []


def test_a_parameter_is_no_function_of_another_file(tmp_path: Path) -> None:
    client = "def begin(pivot):\n    keep(pivot)\n    keep(pivot=pivot)\n    return pivot\n"
    write(tmp_path, pivoting("return pivot(on)"), repo="", client=f"{OTHER}\n\n{client}")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []


@pytest.mark.parametrize("line", ["from shop.server import *", "from .server import pivot"])
def test_an_imported_name_may_be_a_function_of_another_file(tmp_path: Path, line: str) -> None:
    write(tmp_path, pivoting("return pivot(on)"), repo="", client=f"{line}\n\n\n{OTHER}\n\nkeep(pivot)\n")
    assert reasons(unsafe_alone(tmp_path, "ERR101").fixed) != []


NOT_FOLLOWED = {
    "an assertion": "def use(on):\n    assert 'error' not in pivot(on)\n",
    "a match": "def use(on):\n    match pivot(on):\n        case {'error': _}:\n            return 1\n",
    "the guard of a case": "def use(on):\n    match on:\n        case str() if pivot(on):\n            return 1\n",
    "a cause": "def use(on):\n    raise KeyError(on) from pivot(on)\n",
    "a delegation": "def use(on):\n    yield from pivot(on)\n",
    "a lambda that looks at it": "def use(on):\n    on.keep(lambda: 'error' in pivot(on))\n",
    "a lambda that is called at once": "def use(on):\n    return {**(lambda: pivot(on))()}\n",
    "a deletion": "def use(on):\n    del on[pivot(on)['path']]\n",
}


@pytest.mark.parametrize("use", NOT_FOLLOWED.values(), ids=NOT_FOLLOWED)
def test_what_becomes_of_a_function_is_not_followed_in(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{pivoting('return {}')}\n\n{use}", repo="")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == ["what becomes of `pivot` is not followed"]


IN_CONDITIONS = {
    "alone": "def use(on):\n    return [each for each in on if 'error' in pivot(each)]\n",
    "beside another call": "def use(on):\n    return pivot(on) if on else [1 for _ in on if pivot(_)]\n",
}


@pytest.mark.parametrize("use", IN_CONDITIONS.values(), ids=IN_CONDITIONS)
def test_the_condition_of_a_comprehension_does_more_with_a_result(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{pivoting('return {}')}\n\n{use}", repo="")
    text = "a caller does more with the result of `pivot` than to return it"
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == [text]


HANDED_ON = {
    "the default of a parameter": "def use(on, ask=pivot):\n    return {**ask(on)}\n",
    "the default of a keyword": "def use(on, *, ask=pivot):\n    return {**ask(on)}\n",
    "the default of a lambda": "use = lambda on, ask=pivot: {**ask(on)}\n",
    "what a decorator is given": "@apply(pivot)\ndef use(on):\n    return on\n",
    "a keyword of a class": "class Use(Base, ask=pivot):\n    pass\n",
    "an attribute": "def use(on):\n    on.ask = pivot\n",
    "an argument": "def use(on):\n    on.keep(ask=pivot)\n",
    "a lambda": "def use(on):\n    on.keep(ask=lambda: pivot(on))\n",
    "a lambda in a table": "CALLS = {'pivot': lambda: pivot(1)}\n",
    "a lambda with a name": "def use(on):\n    later = lambda: pivot(on)\n    return {**later()}\n",
    "two lambdas": "def use(on):\n    on.keep(lambda: pivot(on), ask=lambda each: pivot(each))\n",
    "what another function returns": "def use():\n    return pivot\n",
    "two other names": "show = told = pivot\n",
}


@pytest.mark.parametrize("use", HANDED_ON.values(), ids=HANDED_ON)
def test_a_function_is_changed_that_is_handed_on_as(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{pivoting('return {}')}\n\n{use}", repo="")
    found = unsafe_alone(tmp_path, "ERR101")
    assert any("after it was handed on here" in reason for reason in reasons(found.fixed))
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


OTHERS_OF_THE_NAME = {
    "a parameter": "def use(pivot):\n    keep(pivot)\n    return pivot\n",
    "a variable": "def use(on):\n    pivot = load(on)\n    keep(pivot)\n    return pivot\n",
    "a variable of the function around it": "def use(pivot):\n    def inner():\n        return {**pivot}\n",
    "a parameter of a lambda": "use = keep(lambda pivot: {**pivot})\n",
    "a variable of a comprehension": "use = [{**pivot} for pivot in load()]\n",
}


@pytest.mark.parametrize("use", OTHERS_OF_THE_NAME.values(), ids=OTHERS_OF_THE_NAME)
def test_a_function_is_not(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{pivoting('return {}')}\n\n{use}", repo="")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


NOT_OTHERS = {
    "a name of the module": "def use(on):\n    global pivot\n    keep(pivot)\n",
    "an import": "def use(pivot):\n    def inner():\n        from .server import pivot\n        keep(pivot)\n",
}


@pytest.mark.parametrize("use", NOT_OTHERS.values(), ids=NOT_OTHERS)
def test_a_variable_is_not(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{pivoting('return {}')}\n\n{use}", repo="")
    assert any("after it was handed on" in reason for reason in reasons(unsafe_alone(tmp_path, "ERR101").fixed))


@pytest.mark.parametrize("value", ["importlib.import_module(on)", "sys.modules[on]", "getattr(on, 'm')"])
def test_a_function_may_be_one_of_a_module_in_a_variable(tmp_path: Path, value: str) -> None:
    body = f"frame = {value}\nreturn frame.pivot(on)\n"
    write(tmp_path, pivoting(body), repo="")
    text = "it may be called here, or another function of its name: `frame.pivot`"
    assert text in reasons(unsafe_alone(tmp_path, "ERR101").fixed)


def test_the_method_of_a_class_below_may_be_called(tmp_path: Path) -> None:
    server = USE.format(annotation=": Repo", tool=tool("return use(Near(), on)"))
    near = REPO.replace("class Repo:", "from shop.repo import Repo\n\n\nclass Near(Repo):").replace("no on", "not near")
    write(tmp_path, f"from shop.near import Near\n\n\n{server}", near=near)
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("not near")' in found.contents["shop/near.py"][1].decode()


FINDING = REPO + "\n    def use(self, on):\n        return self.find(on)\n"

LOOKED_UP = {
    "an object": "def use(thing, on):\n    return {**getattr(thing, 'find')(on)}\n",
    "an object, by a part of the name": "def use(thing, on):\n    return {**getattr(thing, f'fi{on}')(on)}\n",
    "an object, by a name in a variable": "def use(thing, on):\n    name = 'fi' + on\n    keep(getattr(thing, name))\n",
    "an object, by one of some names": "def use(on):\n    return [getattr(on, each)() for each in ('read', 'find')]\n",
    "an object of the class": "def use(on):\n    repo = Repo()\n    return {**getattr(repo, on)()}\n",
    "an object whose class is said": "def use(on, repo: Repo):\n    return {**getattr(repo, on)()}\n",
    "an object, later": "def use(thing, on):\n    ask = getattr(thing, 'find', None)\n    return {**ask(on)}\n",
    "a heir, later": "class Near(Repo):\n    def any(self, on):\n        keep(lambda: getattr(self, on)(on))\n",
    "the names of a heir": "class Near(Repo):\n    def any(self, on):\n        keep(getattr(self, '__dict__')[on])\n",
    "a heir": "class Near(Repo):\n    def any(self, on):\n        return {**getattr(self, on)(on)}\n",
    "any object": "use = keep(methodcaller('find'))\n",
}


@pytest.mark.parametrize("use", LOOKED_UP.values(), ids=LOOKED_UP)
def test_a_method_is_fixed_in_doubt_that_may_be_looked_up_by_its_name_in(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{tool('return Repo().use(on)')}\n\n{use}", repo=FINDING)
    assert "`Repo.find` may be looked up by its name here" in reasons(fixes_in(tmp_path, "ERR101").fixed)


ASKING = tool('r = shelf.find(on)\nif "error" in r:\n    return {"path": r["error"]}\nreturn r')

OTHERS = {
    "an attribute of the module": "from shop import server\n\nserver.shelf = load()\n",
    "an attribute by its name": "from shop import server\n\nsetattr(server, 'shelf', load())\n",
    "a file that cannot be read": "from shop import server\n\nserver.shelf = load(\n",
    "an object of another class": "from shop import client, server\n\nserver.shelf = client.Client()\n",
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_an_object_of_a_module_may_be_replaced_by(tmp_path: Path, other: str) -> None:
    write(tmp_path, f"shelf = Repo()\n\n\n{ASKING}", app=other)
    text = "it may be called here, or another function of its name: `shelf.find`"
    assert text in reasons(unsafe_alone(tmp_path, "ERR101").fixed)


HELD = f"""\
class Holder:
    def __init__(self):
        self.shelf = Repo()

    def use(self, on):
{indent(ASKING.partition("text: str):")[2].strip(chr(10)), "    ").replace("shelf.find", "self.shelf.find")}


{tool("return Holder().use(on)")}
"""

OTHERS_HELD = {
    "from outside": "def use(holder):\n    holder.shelf = load()\n",
    "by its name": "def use(holder):\n    setattr(holder, 'shelf', load())\n",
    "in a class below": "class Near(Holder):\n    def __init__(self):\n        self.shelf = load()\n",
}


@pytest.mark.parametrize("other", OTHERS_HELD.values(), ids=OTHERS_HELD)
def test_an_object_in_an_attribute_may_be_replaced(tmp_path: Path, other: str) -> None:
    write(tmp_path, f"{HELD}\n\n{other}")
    text = "it may be called here, or another function of its name: `self.shelf.find`"
    assert text in reasons(unsafe_alone(tmp_path, "ERR101").fixed)


SAME = {
    "an object of the same class": "def use(holder):\n    holder.shelf = Repo()\n",
    "the attribute of another class": "class Far:\n    def __init__(self):\n        self.shelf = load()\n",
    "a declaration": "def use(holder):\n    holder.shelf: Repo\n",
}


@pytest.mark.parametrize("other", SAME.values(), ids=SAME)
def test_an_object_is_not_replaced_by(tmp_path: Path, other: str) -> None:
    write(tmp_path, f"{HELD}\n\n{other}")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []


FAKE = """\
from shop import server


class Fake:
    def find(self, on):
        return {"error": "fake"}


"""
FAKES = {
    "a class": (f"{FAKE}def test_it():\n    server.shelf = Fake()\n    assert server.read('x', '')['path']\n", 4),
    "an object": (
        "from shop import server\n\n\ndef test_it():\n    server.shelf = Namespace(find=lambda on: {'error': 'x'})\n"
        "    assert server.read('x', '')['path']\n",
        5,
    ),
}


@pytest.mark.parametrize(("tests", "line"), FAKES.values(), ids=FAKES)
def test_a_test_may_put_another_object_in_its_place_as(tmp_path: Path, tests: str, line: int) -> None:
    write(tmp_path, f"shelf = Repo()\n\n\n{ASKING}")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_server.py").write_text(tests, encoding="utf-8")
    found = unsafe_alone(tmp_path, "ERR101")
    asked = [("a test lets something else answer an error for `Repo.find`", f"tests/test_server.py:{line}")]
    assert looks(found.fixed) == asked
    assert set(found.contents) == {"shop/repo.py", "shop/server.py"}


NOT_LOOKED_UP = {
    "other names": "def use(thing, on):\n    return {**getattr(thing, f'read_{on}')(on)}\n",
    "other names in a variable": "def use(thing, on):\n    name = 'read' + on\n    return {**getattr(thing, name)()}\n",
    "something that nothing is known of": "def use(thing, on):\n    return {**getattr(thing, on)()}\n",
    "another class": "class Far:\n    def any(self, on):\n        return {**getattr(self, on)(on)}\n",
    "an object that is only asked for it": "def use(thing):\n    return callable(getattr(thing, 'find', None))\n",
    "an object that is compared": "def use(thing):\n    return getattr(thing, 'find', None) is not None\n",
    "the module": "def use(on):\n    return {**globals()[on]()}\n",
    "a table of a heir": "class Near(Repo):\n    def any(self, on):\n        keep(getattr(self, 'm')[on])\n",
}


@pytest.mark.parametrize("use", NOT_LOOKED_UP.values(), ids=NOT_LOOKED_UP)
def test_a_method_is_not_looked_up_in(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{tool('return Repo().use(on)')}\n\n{use}", repo=FINDING)
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


OUT_OF_MODULES = {
    "itself": "{**globals()[on]()}",
    "itself, where it is there": "{**globals().get(on, keep)()}",
    "another name of it": "{**getattr(here, on)()}",
    "its dict": "{**here.__dict__[on]()}",
}


@pytest.mark.parametrize("use", OUT_OF_MODULES.values(), ids=OUT_OF_MODULES)
def test_a_function_is_fixed_in_doubt_that_may_be_looked_up_in_the_module_by(tmp_path: Path, use: str) -> None:
    server = f"from shop import server as here\n\n\n{pivoting('return {}')}\n\ndef use(on):\n    return {use}\n"
    write(tmp_path, server, repo="")
    assert "`pivot` may be looked up by its name here" in reasons(fixes_in(tmp_path, "ERR101").fixed)


def test_a_tool_that_may_be_looked_up_by_its_name_is_fixed_in_doubt(tmp_path: Path) -> None:
    failing = """return {"error": "no on"}\n"""
    server = f"{tool(failing)}\n\nuse = keep(globals()['read'])\n"
    write(tmp_path, server, repo="")
    (group,) = fixes_in(tmp_path, "ERR101").fixed
    assert "`read` may be looked up by its name here, and the boundary's answer has other keys" in reasons((group,))


def test_a_method_is_fixed_in_doubt_that_a_base_may_look_up_by_its_name(tmp_path: Path) -> None:
    base = "class Base:\n    def any(self, on):\n        return {**getattr(self, on)(on)}\n"
    repo = f"from shop.base import Base\n\n\n{FINDING.replace('class Repo', 'class Repo(Base)')}"
    write(tmp_path, tool("return Repo().use(on)"), repo=repo, base=base)
    assert "`Repo.find` may be looked up by its name here" in reasons(fixes_in(tmp_path, "ERR101").fixed)


@pytest.mark.parametrize("name", ["*", "pivot", "pivot as ask"])
def test_a_function_is_fixed_in_doubt_that_may_be_looked_up_where_it_is_imported(tmp_path: Path, name: str) -> None:
    client = f"from shop.server import {name}\n\n\n{OTHER}\n\ndef use(on):\n    return {{**globals()[on]()}}\n"
    write(tmp_path, pivoting("return pivot(on)"), repo="", client=client)
    assert "`pivot` may be looked up by its name here" in reasons(fixes_in(tmp_path, "ERR101").fixed)


def test_a_file_that_cannot_be_read_looks_nothing_up_that_it_does_not_name(tmp_path: Path) -> None:
    write(tmp_path, pivoting("return {}"), repo="", client="def use(on:\n    return getattr(on, on)()\n")
    assert 'raise ShopError("no on")' in fixes_in(tmp_path, "ERR101").contents["shop/server.py"][1].decode()


REPLACED = {
    "an attribute of the class": "Repo.find = keep\n",
    "an attribute of an object": "def use(thing):\n    thing.find = keep\n",
    "a deleted attribute": "def use():\n    del Repo.find\n",
    "an attribute by its name": "setattr(Repo, 'find', keep)\n",
    "a heir": "class Near(Repo):\n    find = keep\n",
    "a heir, in itself": "class Near(Repo):\n    def fill(self):\n        self.find = keep\n",
}


@pytest.mark.parametrize("use", REPLACED.values(), ids=REPLACED)
def test_a_method_is_left_that_may_be_replaced_by(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{tool('return Repo().use(on)')}\n\n{use}", repo=FINDING)
    (reason,) = reasons(fixes_in(tmp_path, "ERR101").refused)
    assert reason == "something else may take the place of `Repo.find` here"


NOT_REPLACED = {
    "another class": "class Far:\n    find = keep\n",
    "an attribute of another class": "class Far:\n    def fill(self):\n        self.find = keep\n",
    "a variable": "def use(on):\n    find = keep\n    return find\n",
    "a name of the module": "find = keep\n",
    "an attribute of the module": "def fill(find):\n    here = sys.modules[__name__]\n    here.find = find\n",
    "an annotation": "class Near(Repo):\n    find: object\n",
    "nothing that can be called": "class Near(Repo):\n    find = None\n",
    "data": "def use(self, on):\n    for key in on:\n        setattr(self, key, on)\n",
}


@pytest.mark.parametrize("use", NOT_REPLACED.values(), ids=NOT_REPLACED)
def test_a_method_is_not_replaced_by(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"{tool('return Repo().use(on)')}\n\n{use}", repo=FINDING)
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


@pytest.mark.parametrize(
    "use", ["def use(on):\n    global pivot\n    pivot = keep\n", "if keep:\n    pivot = keep\n", "here.pivot = keep\n"]
)
def test_a_function_is_left_that_may_be_replaced_by(tmp_path: Path, use: str) -> None:
    write(tmp_path, f"from shop import server as here\n\n\n{pivoting('return {}')}\n\n{use}", repo="")
    (reason,) = reasons(fixes_in(tmp_path, "ERR101").refused)
    assert reason == "something else may take the place of `pivot` here"


FINDER = """\
def find(on):
    if not on:
        return {"error": "no on"}
    return {"path": on}
"""
INSTALLED = "try:\n    from shop.repo import find\nexcept ImportError:\n    find = {value}\n"


@pytest.mark.parametrize("value", ["None", "False", "''"])
def test_a_function_is_fixed_whose_import_may_fail(tmp_path: Path, value: str) -> None:
    server = f"{INSTALLED.format(value=value)}\n\nif find:\n{indent(tool('return find(on)'), '    ')}"
    write(tmp_path, server, repo=FINDER)
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


def test_a_function_is_no_other_one_where_a_module_gets_it(tmp_path: Path) -> None:
    server = f"import shop.client\nfrom shop.repo import find\n\nshop.client.find = find\n\n\n{tool('return find(on)')}"
    write(tmp_path, server, repo=FINDER, client="from shop.repo import find\n")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


@pytest.mark.parametrize("other", ["shop.client.look", "load()"])
def test_a_function_is_left_for_which_a_module_gets_another(tmp_path: Path, other: str) -> None:
    server = (
        f"import shop.client\nfrom shop.repo import find\n\nshop.client.find = {other}\n\n\n{tool('return find(on)')}"
    )
    client = "from shop.repo import find\n\n\ndef look(on):\n    return find(on)\n"
    write(tmp_path, server, repo=FINDER, client=client)
    (reason,) = reasons(fixes_in(tmp_path, "ERR101").refused)
    assert reason == "something else may take the place of `find` here"


@pytest.mark.parametrize("instead", ["find = keep", "find = Repo().find", "find = dict", "find, keep = keep, None"])
def test_a_function_is_left_for_which_another_stands_where_its_import_fails(tmp_path: Path, instead: str) -> None:
    server = INSTALLED.replace("find = {value}", instead) + f"\n\n{tool('return find(on)')}"
    write(tmp_path, server, repo=f"{FINDER}\n\n{REPO}")
    (reason,) = reasons(fixes_in(tmp_path, "ERR101").refused)
    assert reason == "something else may take the place of `find` here"


def test_a_file_that_cannot_be_read_names_no_function_inside_of_another(tmp_path: Path) -> None:
    inside = indent(tool('return {"error": "no on"}'), "    ")
    write(tmp_path, f"def begin():\n{inside}", repo="", client="def read(on:\n    return 1\n")
    assert 'raise ShopError("no on")' in fixes_in(tmp_path, "ERR101").contents["shop/server.py"][1].decode()


@pytest.mark.parametrize("found", ["pivot(on:\n    return 1\n", "    pivot 'on'\n"])
def test_a_file_that_cannot_be_read_is_named_with_the_line(tmp_path: Path, found: str) -> None:
    write(tmp_path, pivoting("return {}"), repo="", client=f"import shop\n\ndef {found}")
    (group,) = fixes_in(tmp_path, "ERR101").fixed
    assert ("the file cannot be parsed, and may use `pivot`", "shop/client.py", 3) in [
        (doubt.text, doubt.path, doubt.line) for doubt in group.doubts
    ]
    assert advice("the file cannot be parsed, and may use `pivot`") == "mend the syntax of the file that is named"


NEWER = {
    "an alias": "type Name = str | None\n",
    "parameters of a function": "def first[T](items: list[T]) -> T:\n    return items[0]\n",
    "a text in an f-string": 'def say(on):\n    return f"a {on["b"]} {f"{on}"} {\'\\n\'.join(on)}"\n',
    "parameters of a class": "class Box[T: int, *Ts]:\n    def get[U](self, other: U) -> U:\n        return other\n",
}


@pytest.mark.parametrize("newer", NEWER.values(), ids=NEWER)
def test_a_file_in_newer_grammar_holds_no_fix_back(tmp_path: Path, newer: str) -> None:
    write(tmp_path, pivoting("return {}"), repo="", client=f"{newer}\n\ndef pivot_of(on):\n    return on.pivot\n")
    found = fixes_in(tmp_path, "ERR101")
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


THREADS = {
    "asyncio": ("import asyncio", "await asyncio.to_thread(look, on)"),
    "anyio": ("import anyio", "await anyio.to_thread.run_sync(look, on)"),
    "starlette": ("from starlette.concurrency import run_in_threadpool", "await run_in_threadpool(look, on)"),
    "a loop": ("import asyncio", "await asyncio.get_running_loop().run_in_executor(None, look, on)"),
    "a lambda": ("import anyio", "await anyio.to_thread.run_sync(lambda: look(on))"),
    "a lambda in a loop": (
        "import asyncio",
        "await asyncio.get_running_loop().run_in_executor(None, lambda: look(on))",
    ),
}


@pytest.mark.parametrize(("head", "call"), THREADS.values(), ids=THREADS)
def test_a_function_in_another_thread_is_followed(tmp_path: Path, head: str, call: str) -> None:
    helper = 'def look(on):\n    if not on:\n        return {"error": "no on"}\n    return {}\n'
    source = tool(f"return {call}").replace("def ", "async def ", 1)
    write(tmp_path, f"{head}\n\n\n{helper}\n\n{source}", repo="")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


def test_what_is_run_in_another_thread_is_held_before_it_is_returned(tmp_path: Path) -> None:
    helper = 'def look(on):\n    if not on:\n        return {"error": "no on"}\n    return {}\n'
    lines = "try:\n    found = await asyncio.to_thread(lambda: look(on))\n    return found\n"
    source = tool(f"{lines}except Exception:\n    return {{}}\n").replace("def ", "async def ", 1)
    write(tmp_path, f"import asyncio\n\n\n{helper}\n\n{source}", repo="")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    after = found.contents["shop/server.py"][1].decode()
    assert 'raise ShopError("no on")' in after
    assert "        return found\n    except ShopError:\n        raise\n    except Exception:" in after


def test_another_method_of_its_name_does_not_use_a_method(tmp_path: Path) -> None:
    stale = 'class Old:\n    def pivot(self, on):\n        return {"error": "no on"} if not on else {}\n'
    used = "class New:\n    def pivot(self, on):\n        return {}\n\n\nnew = New()\n"
    write(tmp_path, f"{used}\n\n{tool('return new.pivot(on)')}", repo=stale)
    found = fixes_in(tmp_path, "ERR101")
    assert 'raise ShopError("no on")' in found.contents["shop/repo.py"][1].decode()


def test_a_package_comes_before_a_module_of_its_name(tmp_path: Path) -> None:
    source = "from shop.answers import failed\n\n\n" + tool('return failed("no on")')
    write(tmp_path, source, repo="")
    (tmp_path / "shop/answers").mkdir()
    (tmp_path / "shop/answers/__init__.py").write_text('def failed(text):\n    return {"error": text}\n')
    (tmp_path / "shop/answers.py").write_text("def failed(text):\n    return {}\n")
    found = fixes_in(tmp_path, "ERR102")
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


def test_a_name_of_which_one_value_is_unknown_is_unknown(tmp_path: Path) -> None:
    walk = "def walk(items, chain):\n    for item in items:\n        probe = chain[0]\n        getattr(item, probe)()\n"
    write(tmp_path, tool('return {"error": "no on"}'), repo="", client=walk + "        probe = chain[1]\n")
    assert 'raise ShopError("no on")' in fixes_in(tmp_path, "ERR101").contents["shop/server.py"][1].decode()


def test_a_suppression_that_a_fix_makes_needless_does_not_hold_it_back(tmp_path: Path) -> None:
    suppressed = '    if on:\n        return {"error": "as ever"}  # errlint: ignore[ERR101] somebody reads this\n'
    helper = f"def ask(on):\n{suppressed}    return {{}}\n\n\n"
    asking = tool('r = ask(on)\nif "error" in r:\n    return {"error": r["error"]}\nreturn {"path": text}')
    write(tmp_path, helper + asking)
    found = fixes_in(tmp_path, "ERR101", "ERR901")
    assert reasons(found.refused) == []
    assert 'raise ShopError(r["error"])' in found.contents["shop/server.py"][1].decode()
    assert [finding.code for finding in found.successors] == ["ERR901"]


SERVICE = """\
def answer(text):
    return {"success": False, "error": text}


class Service:
    def failed(self, error, operation):
        try:
            if isinstance(error, KeyError):
                return answer(f"Not found: {error}")
            return answer(f"Failed to {operation}: {error}")
        except Exception:
            return answer("no text for it")


"""


def test_what_a_method_of_an_object_builds_is_not_taken_for_a_text_that_it_is_handed(tmp_path: Path) -> None:
    body = "service = Service()\ntry:\n    return load()\nexcept Exception as e:\n"
    write(tmp_path, SERVICE + tool(f'{body}    return service.failed(e, "read it")\n'))
    changed = fixes_in(tmp_path, "ERR102").contents["shop/server.py"][1].decode()
    assert 'raise ShopError(service.failed(e, "read it")["error"]) from e' in changed


LIBRARY = {
    "of the module": "PATTERN = re.compile('x')\n\n\ndef use(on):\n    r = PATTERN.find(on)\n",
    "of a function": "def use(on):\n    client = httpx.Client()\n    r = client.find(on)\n",
}


@pytest.mark.parametrize("use", LIBRARY.values(), ids=LIBRARY)
def test_an_object_of_a_library_has_no_method_of_the_project(tmp_path: Path, use: str) -> None:
    use = f"import re\nimport httpx\n\n{use}    if not r:\n        return None\n    return r.group(1)\n"
    write(tmp_path, f"{use}\n\n{tool('return Repo().find(on)')}", client="")
    found = fixes_in(tmp_path, "ERR101")
    assert (reasons(found.refused), reasons(found.fixed)) == ([], [])
    assert "shop/server.py" not in found.contents


COPIED = "import copy\n\n\ndef use(on, thing):\n    repo = copy.copy(thing)\n    r = repo.find(on)\n"


def test_a_library_that_hands_on_an_object_may_answer_one_of_the_project(tmp_path: Path) -> None:
    use = f'{COPIED}    if "error" in r:\n        return r["error"]\n    return None\n'
    write(tmp_path, f"{use}\n\n{tool('return Repo().find(on)')}", client="")
    assert "`repo.find` is taken to be `Repo.find`, the only method of its name" in reasons(
        fixes_in(tmp_path, "ERR101").fixed
    )


CAUGHT_BY = {
    "a handler of any exception": ("Exception", True),
    "a handler of another exception": ("ValueError", False),
}


@pytest.mark.parametrize("owner", ["Depot", ""], ids=["a method", "a function"])
@pytest.mark.parametrize(("caught", "is_told"), CAUGHT_BY.values(), ids=CAUGHT_BY)
def test_what_may_be_called_may_be_caught_by(tmp_path: Path, caught: str, is_told: bool, owner: str) -> None:
    find = "def find(self, text):\n    if not text:\n        return {'error': 'no text'}\n    return {'path': text}\n"
    found_by = f"class Depot:\n{indent(find, '    ')}" if owner else find.replace("self, ", "")
    use = f"try:\n    r = on.find(on)\nexcept {caught}:\n    return {{'path': 'none'}}\nreturn r\n"
    write(tmp_path, f"{found_by}\n\n{tool(use)}")
    name = "Depot.find" if owner else "find"
    told = [text for text, _ in looks(fixes_in(tmp_path, "ERR101").fixed)]
    assert "it may be called here, or another function of its name: `on.find`" in told
    text = f"an error of `{name}` may be caught here, which answers `{{'path': 'none'}}`"
    assert (text in told) is is_told
