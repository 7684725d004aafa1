"""Which functions are looked up by names that only the run knows: the service by itself."""

from __future__ import annotations

import pytest
from linked_texts import linked

FUNCTIONS = "def add(x):\n    return x\n\ndef drop(x):\n    return x\n\n"
METHODS = "    def _add(self, x):\n        return x\n\n    def _drop(self, x):\n        return x\n\n"
CLASS = (
    "class Server:\n    def __init__(self):\n        {table}\n\n    def run(self, name, x):\n        {look}\n\n"
    + METHODS
)
TABLE = "self.{name} = {{'add': self._add, 'drop': self._drop}}"

LOOKED_UP = {
    "by get in a constant": FUNCTIONS
    + "COMMANDS = {'add': add, 'drop': drop}\n"
    + "def run(name, x):\n    handler = COMMANDS.get(name)\n    return handler(x)\n",
    "by a key in a constant": FUNCTIONS
    + "_HANDLERS = {'add': add, 'drop': drop}\ndef run(name, x):\n    return _HANDLERS[name](x)\n",
    "in a constant that a type is given": FUNCTIONS
    + "command_map: dict = {'add': add, 'drop': drop}\ndef run(name, x):\n    return command_map[name](x)\n",
    "in a function that is handed a constant": FUNCTIONS
    + "HANDLER_MAP: dict = {'add': add, 'drop': drop}\n"
    + "def built(table):\n    return [{'function': table.get(name)} for name in NAMES]\n\n"
    "TOOLS = built(HANDLER_MAP)\n",
    "in an attribute": CLASS.format(table=TABLE.format(name="routes"), look="return self.routes[name](x)"),
    "by get in an attribute": CLASS.format(
        table=TABLE.format(name="command_routes"), look="handler = self.command_routes.get(name)"
    ),
    "by a class above": CLASS.format(table=TABLE.format(name="handlers"), look="return {}")
    + "class Other(Server):\n    def look(self, name, x):\n        return self.handlers[name](x)\n",
    "by getattr": CLASS.format(table="pass", look="return getattr(self, f'_{name}')(x)")
    .replace("f'_{name}'", "f'_handle_{name}'")
    .replace("def _add", "def _handle_add")
    .replace("def _drop", "def _handle_drop"),
}


def commands(text: str) -> list[str]:
    """Return the functions that clients ask for by name, each without what is before its own."""
    found = linked({"shop.py": text}).dispatch.commands
    return sorted(
        name.rpartition(".")[2].lstrip("_").replace("handle_", "") for each in found.values() for _, name in each
    )


@pytest.mark.parametrize("text", LOOKED_UP.values(), ids=LOOKED_UP)
def test_what_clients_ask_for_is_looked_up(text: str) -> None:
    assert commands(text) == ["add", "drop"]


OTHERS = {
    "a table that nobody looks in": FUNCTIONS + "COMMANDS = {'add': add, 'drop': drop}\n",
    "a table of something else": FUNCTIONS
    + "COSTS = {'add': add, 'drop': drop}\ndef run(name, x):\n    return COSTS[name](x)\n",
    "handlers of errors": FUNCTIONS
    + "ERROR_HANDLERS = {'add': add, 'drop': drop}\ndef run(name, x):\n    return ERROR_HANDLERS[name](x)\n",
    "a table of one": FUNCTIONS + "COMMANDS = {'add': add}\ndef run(name, x):\n    return COMMANDS[name](x)\n",
    "a table that is no dict of names": FUNCTIONS
    + "COMMANDS = {1: add, 2: drop}\ndef run(name, x):\n    return COMMANDS[name](x)\n",
    "a table that is handed to what does not look in it": FUNCTIONS
    + "HANDLER_MAP = {'add': add, 'drop': drop}\n"
    + "def built(table):\n    return OTHERS.get(table)\n\nTOOLS = built(HANDLER_MAP)\n",
    "an attribute of another class": CLASS.format(table=TABLE.format(name="routes"), look="return {}")
    + "class Other:\n    def look(self, name, x):\n        return self.routes[name](x)\n",
    "an attribute of something else": CLASS.format(table=TABLE.format(name="costs"), look="return self.costs[name](x)"),
    "a table that is only changed": FUNCTIONS
    + "COMMANDS = {'add': add, 'drop': drop}\ndef run(name, x):\n    COMMANDS.update(x)\n    COMMANDS.pop(name)\n",
    "any method by getattr": CLASS.format(table="pass", look="return getattr(self, name)(x)"),
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_no_command_is_in(text: str) -> None:
    assert commands(text) == []


def test_a_method_is_found_of_an_object_that_the_constructor_makes() -> None:
    text = (
        "class Board:\n    def add(self, x):\n        return x\n\n    def drop(self, x):\n        return x\n\n"
        "class Server:\n    def __init__(self):\n        self.board = Board()\n"
        "        self.routes = {'add': self.board.add, 'drop': self.board.drop}\n\n"
        "    def run(self, name, x):\n        return self.routes[name](x)\n"
    )
    assert commands(text) == ["add", "drop"]


BY = {
    "a table that it writes on the spot": "        return {'add': self._add, 'drop': self._drop}[name](x)",
    "a table in a name": "        table = {'add': self._add, 'drop': self._drop}\n"
    "        return dumps(table.get(name)(x))",
    "a table in an attribute": "        return self.handlers[name](x)",
    "getattr": "        return getattr(self, f'_{name}')(x)",
}


@pytest.mark.parametrize("look", BY.values(), ids=BY)
def test_who_looks_up_is_known_of(look: str) -> None:
    head = f"class Server:\n    def __init__(self):\n        {TABLE.format(name='handlers')}\n\n"
    project = linked({"shop.py": f"{head}    def run(self, name, x):\n{look}\n\n{METHODS}"})
    add = next(each for each in project.modules["shop.py"].functions if each.name == "Server._add")
    assert [each.name for _, each in project.dispatch.by("shop.py", add)] == ["Server.run"]


TABLES = FUNCTIONS + "HANDLERS = {'add': add, 'drop': drop}\n\n"

LOOKING = {
    "get of a constant": ("def run(name, x):\n    return HANDLERS.get(name)(x)\n", ["run"]),
    "a key of a constant": ("def run(name, x):\n    return HANDLERS[name](x)\n", ["run"]),
    "both at once": ("def run(name, x):\n    HANDLERS.get(name)\n    return HANDLERS[name](x)\n", ["run"]),
    "another method of a constant": ("def run(name, x):\n    return HANDLERS.pop(name)(x)\n", []),
    "another table": ("def run(name, x):\n    return OTHERS[name](x)\n", []),
    "what is handed the table": (
        "def run(table, name):\n    return table.get(name)(name)\n\nfound = run(HANDLERS, 'add')\n",
        ["run"],
    ),
    "what is handed the table and takes an item": (
        "def run(table, name):\n    return table[name](name)\n\nfound = run(HANDLERS, 'add')\n",
        ["run"],
    ),
    "what takes an item of another one": (
        "def run(table, name):\n    return shelf[name](name)\n\nfound = run(HANDLERS, 'add')\n",
        [],
    ),
    "what is handed the table and does not look": (
        "def run(table, name):\n    return name\n\nfound = run(HANDLERS, 'add')\n",
        [],
    ),
    "what looks in another one that it is handed": (
        "def run(other, name):\n    return shelf.get(name)\n\nfound = run(HANDLERS, 'add')\n",
        [],
    ),
    "an object that is made with it": (
        "class Server:\n    def __init__(self, table):\n        self.table = table\n\n"
        "    def run(self, name, x):\n        return self.table[name](x)\n\n"
        "    def other(self, name):\n        return self.names[name]\n\nserver = Server(HANDLERS)\n",
        ["Server.run"],
    ),
    "another class that looks in an attribute of that name": (
        "class Server:\n    def __init__(self, table):\n        self.table = table\n\n"
        "class Other:\n    def run(self, name, x):\n        return self.table[name](x)\n\nserver = Server(HANDLERS)\n",
        [],
    ),
    "names like that of an attribute": (
        "class Server:\n    def __init__(self):\n        self.routes = {'add': add, 'drop': drop}\n\n"
        "    def run(self, name, x):\n        return routes[name](x)\n\n"
        "def look(self, name, x):\n    return self.routes[name](x)\n",
        [],
    ),
    "an object of a class below": (
        "class Base:\n    def __init__(self, table):\n        self.table = table\n\n"
        "class Server(Base):\n    def run(self, name, x):\n        return self.table.get(name)(x)\n\n"
        "server = Base(HANDLERS)\n",
        ["Server.run"],
    ),
    "an object that keeps something else": (
        "class Server:\n    def __init__(self, table, names):\n        self.table = names\n\n"
        "    def run(self, name, x):\n        return self.table[name](x)\n\nserver = Server(HANDLERS, 1)\n",
        ["Server.run"],
    ),
    "an object that keeps what it makes": (
        "class Server:\n    def __init__(self, table):\n        self.table = made()\n\n"
        "    def run(self, name, x):\n        return self.table[name](x)\n\nserver = Server(HANDLERS)\n",
        [],
    ),
    "an object without a constructor": (
        "class Server:\n    def run(self, name, x):\n        return self.table[name](x)\n\nserver = Server(HANDLERS)\n",
        [],
    ),
    "a table that is written on the spot": ("def run(name, x):\n    return {'a': add, 'b': drop}[name](x)\n", ["run"]),
    "another method of a table on the spot": ("def run(name, x):\n    return {'a': add, 'b': drop}.pop(name)(x)\n", []),
    "what is asked of a function in a table": (
        "def run(name, x):\n    return {'a': add, 'b': drop}.get(name).upper()\n",
        [],
    ),
    "a table that is answered": ("def run(name, x):\n    return {'a': add, 'b': drop}\n", []),
    "getattr of an object": ("def run(name, x):\n    return getattr(x, name)(x)\n", []),
    "getattr with one argument": ("def run(name, x):\n    return getattr(name)(x)\n", []),
}


@pytest.mark.parametrize(("text", "expected"), LOOKING.values(), ids=LOOKING)
def test_a_function_is_looked_up_by(text: str, expected: list[str]) -> None:
    project = linked({"shop.py": TABLES + text})
    add = next(each for each in project.modules["shop.py"].functions if each.name == "add")
    assert [each.name for _, each in project.dispatch.by("shop.py", add)] == expected


MODULES = {
    "by any name": ("getattr(shelf, name)(x)", ["add", "handle_add"]),
    "by a beginning": ("getattr(shelf, f'handle_{name}')(x)", ["handle_add"]),
    "by an ending": ("getattr(shelf, name + '_add')(x)", ["handle_add"]),
    "by another beginning": ("getattr(shelf, f'do_{name}')(x)", []),
    "by a name that is written": ("getattr(shelf, 'add')(x)", ["add"]),
    "of another module": ("getattr(other, name)(x)", []),
}
SHELF = (
    "def add(x):\n    return x\n\ndef handle_add(x):\n    return x\n\nclass Shelf:\n    def add(self, x):\n"
    "        return x\n"
)


@pytest.mark.parametrize(("look", "expected"), MODULES.values(), ids=MODULES)
def test_a_function_of_a_module_may_be_what_getattr_finds(look: str, expected: list[str]) -> None:
    text = f"import other\nimport shelf\n\ndef run(name, x):\n    return {look}\n"
    project = linked({"shop.py": text, "shelf.py": SHELF, "other.py": ""})
    functions = project.modules["shelf.py"].functions
    assert [each.name for each in functions if project.dispatch.is_looked_up("shelf.py", each)] == expected


PREFIXED = {
    "a beginning of commands": ("handle", ["Server.handle_add"]),
    "another beginning": ("render", []),
}


@pytest.mark.parametrize(("prefix", "expected"), PREFIXED.values(), ids=PREFIXED)
def test_methods_that_begin_like_commands_are_commands(prefix: str, expected: list[str]) -> None:
    text = (
        f"class Server:\n    def run(self, name, x):\n        return getattr(self, f'{prefix}_{{name}}')(x)\n\n"
        f"    def {prefix}_add(self, x):\n        return x\n\n    def other(self, x):\n        return x\n\n"
        f"class Other:\n    def {prefix}_add(self, x):\n        return x\n\ndef {prefix}_add(x):\n    return x\n"
    )
    found = linked({"shop.py": text}).dispatch.commands
    assert sorted(name for each in found.values() for _, name in each) == expected


LISTED = {
    "a list": ("TOOLS = [add, drop]\n", ["add", "drop"]),
    "a dict": ("SHOP_TOOLS = {'add': add}\n", ["add"]),
    "a list of something else": ("BOOKS = [add, drop]\n", []),
    "a list of what is no function": ("TOOLS = ['add', 3]\n", []),
    "an attribute": ("class Server:\n    def __init__(self):\n        self.TOOLS = {'add': add, 'drop': drop}\n", []),
}


@pytest.mark.parametrize(("text", "expected"), LISTED.values(), ids=LISTED)
def test_tools_are_listed_in_constants(text: str, expected: list[str]) -> None:
    found = linked({"shop.py": FUNCTIONS + text}).dispatch.tools
    assert sorted(name for each in found.values() for _, name in each) == expected


def test_tables_are_of_one_distribution() -> None:
    texts = {"a/shop.py": TABLES, "b/shop.py": "def run(name, x):\n    return HANDLERS[name](x)\n"}
    project = linked(texts, distributions=("", "a", "b"))
    assert project.dispatch.commands == {}
    assert set(linked(texts).dispatch.commands) == {""}


@pytest.mark.parametrize(
    "text",
    [
        TABLES + "def run(name, x):\n    return HANDLERS[name](x)\n",
        LOOKED_UP["in an attribute"],
        LOOKED_UP["by getattr"],
    ],
    ids=["a constant", "an attribute", "getattr"],
)
def test_commands_are_of_the_distribution_that_has_them(text: str) -> None:
    found = linked({"a/shop.py": text}, distributions=("", "a")).dispatch.commands
    assert set(found) == {"a"}


def test_a_table_of_what_is_not_known_has_no_command() -> None:
    text = "HANDLERS = {'add': gone, 'drop': lost}\n\ndef run(name, x):\n    return HANDLERS[name](x)\n"
    assert linked({"shop.py": text}).dispatch.commands == {}


def test_getattr_looks_in_what_it_is_handed() -> None:
    text = (
        "import shelf\n\nclass Server:\n    def run(self, name, x):\n        return getattr(shelf, name)(x)\n\n"
        "    def add(self, x):\n        return x\n\ndef run(self, name, x):\n    return getattr(self, name)(x)\n"
    )
    project = linked({"shop.py": text, "shelf.py": SHELF})
    looked_up = {
        path: [each.name for each in module.functions if project.dispatch.is_looked_up(path, each)]
        for path, module in project.modules.items()
    }
    assert looked_up == {"shop.py": [], "shelf.py": ["add", "handle_add"]}
