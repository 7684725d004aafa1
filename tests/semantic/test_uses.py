"""What becomes of the result of `find`, and where `find` itself is handed over: as the facts of a function have it."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from errlint.collect import collect
from errlint.project.asked_facts import vocabulary
from errlint.settings import Settings

WATCHED = frozenset({"find", "third", "run", "TOOLS"})


def used(body: str) -> str:
    """Return the uses of the names that are looked at in a function: how, of what, and handed to what."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = collect(f"async def get(a, b):\n{lines}", vocabulary(Settings(root=Path()))).functions
    uses = next(each for each in functions if each.name == "get").uses
    told = (
        f"{use.asked} {use.how}{' awaited' * use.is_awaited}{' > ' * bool(use.receiver)}{use.receiver}"
        for use in uses
        if use.callee.rpartition(".")[2].removesuffix("()") in WATCHED
    )
    return "; ".join(dict.fromkeys(told))


RAISED = {
    "a result that is a condition for a raise": ("if find(a):\n raise Gone", "find raised"),
    "a result that has to be there": ("if not find(a):\n raise Gone", "find called"),
    "an awaited one that has to be there": ("if not await find():\n raise Gone", "find called awaited"),
    "one that is bound and has to be there": ("if not (r := find()):\n raise Gone", "find called"),
    "one that is bound and raised": ("if error := find():\n raise Gone(error)", "find raised"),
    "a condition for something else": ("if find(a):\n other()", "find called"),
    "a name of it": ("r = find()\nif r:\n raise Gone", "find raised"),
    "a name that has to be there": ("r = find()\nif not r:\n raise Gone", "find called"),
    "a name that is none": ("r = find()\nif r is None:\n raise Gone", "find called"),
    "a name that equals none": ("r = find()\nif r == None:\n raise Gone", "find called"),
    "a name that is not none": ("r = find()\nif r is not None:\n raise Gone", "find raised"),
    "a name that is some other thing": ("r = find()\nif r is MISSING:\n raise Gone", "find raised"),
    "a name that is a number": ("r = find()\nif r == 3:\n raise Gone", "find raised"),
    "a part of it that is not there": ("r = find()\nif not r.ok:\n raise Gone", "find raised"),
    "two things that are not there": ("r = find()\nif r is None and not a:\n raise Gone", "find called"),
    "not there, or an error": ("r = find()\nif r is None or r.error:\n raise Gone", "find raised"),
    "a chain that ends in none": ("r = find()\nif a < r is None:\n raise Gone", "find raised"),
    "a sign": ("r = find()\nif -r:\n raise Gone", "find raised"),
    "what is raised itself": ("raise find()", "find raised"),
    "an argument of what is raised": ("r = find()\nraise Gone(r)", "find raised"),
    "an argument of what a method answers": ("r = a.find()\nraise Gone(r)", "a.find raised"),
    "a name that has another value by then": ("r = find()\nr = other()\nraise Gone(r)", "find called"),
    "one of two values": (
        "if a:\n r = find()\nelse:\n r = other()\nraise Gone(r)",
        "find raised",
    ),
    "one of two values of an expression": ("r = find() if a else other()\nraise Gone(r)", "find raised"),
    "a condition for a raise, before it is one of several": (
        "r = find()\nif r:\n raise Gone\nkept.append(r)",
        "find raised",
    ),
    "a condition for a raise, after it was one of several": (
        "r = find()\nkept.append(r)\nif r:\n raise Gone",
        "find gathered",
    ),
}

ANSWERED = {
    "an answer": ("return find()", "find returned"),
    "an awaited answer": ("return await find()", "find returned awaited"),
    "what is answered in its place": ("return find(1)(2)", "find returned"),
    "a part of it that is called": ("return find(1)[0](2)", "find called"),
    "a part of it": ("return find().x", "find called"),
    "a part of a part of it": ("return find().x.y", "find called"),
    "one of two answers": ("return find() or third()", "find returned; third returned"),
    "one by a condition": ("return find() if third() else other()", "third called; find returned"),
    "a part of a tuple": ("return find(), 404", "find returned"),
    "the parts of a tuple": ("return (*find(), 404)", "find returned"),
    "a list of one": ("return [find()]", "find returned"),
    "a list of its parts": ("return [*find()]", "find returned"),
    "a list of two": ("return [find(), third()]", "find gathered; third gathered"),
    "a set of two": ("return {find(), third()}", "find gathered; third gathered"),
    "lists together": ("return [*find(), *third()]", "find gathered; third gathered"),
    "under a key": ("return {'book': find()}", "find field"),
    "under a key of what is under a key": ("return {'shop': {'book': find()}}", "find gathered"),
    "all of a dict": ("return {**find()}", "find returned"),
    "a sign": ("return -find()", "find called"),
    "a comparison": ("return find() == 1", "find called"),
    "a text with it": ("return f'{find()}'", "find called"),
    "the width of a text": ("return f'{a:{find()}}'", "find called"),
    "what an answer is made of": ("return Reply(find())", "find returned"),
    "the text of an answer": ("return Reply(text=find())", "find returned"),
    "another part of an answer": ("return Reply(code=find())", "find field"),
    "a part of something that is kept": ("r = Reply(code=find())", "find called"),
    "what a generator goes through": ("yield from find()", ""),
    "what a method of it answers": ("return find().run()", "find called; find().run returned"),
    "what a method of it answers when it is there": (
        "return (await find()).run()",
        "find called awaited; find().run returned",
    ),
    "what a method of it answers, awaited": (
        "return await find().run()",
        "find called; find().run returned awaited",
    ),
    "what a method of anything answers": ("return a[0].run()", ".run returned"),
    "a name among several": ("r = find()\nreturn [r, a]", "find gathered"),
    "a name alone": ("r = find()\nreturn [r]", "find called"),
    "a name under a key": ("r = find()\nreturn {'x': r}", "find field"),
    "its error among several": ("r = find()\nreturn [r.error, 1]", "find gathered"),
    "its error among several by a key": ("r = find()\nreturn [r['error'], 1]", "find gathered"),
    "its name among several": ("r = find()\nreturn [r.name, 1]", "find called"),
    "its name among several by a key": ("r = find()\nreturn [r['name'], 1]", "find called"),
    "what stands under a key that is worked out": ("r = other()\nreturn [r[find()], 1]", "find called"),
    "its error alone": ("r = find()\nreturn r['error']", "find called"),
    "its error beside the rest": ("r = find()\nreturn {'x': r.error}", "find gathered"),
    "its error as the answer": ("r = find()\nreturn r.error", "find called"),
}

KEPT = {
    "in an attribute": ("self.x = find()", "find field"),
    "in a declared attribute": ("self.x: int = find()", "find field"),
    "added to an attribute": ("self.x += find()", "find field"),
    "in an attribute in a loop": ("for x in b:\n self.x = find()", "find gathered"),
    "under a key": ("a['x'] = find()", "find field"),
    "under a key that is worked out": ("a[b] = find()", "find gathered"),
    "under a key of an item": ("a[b]['x'] = find()", "find gathered"),
    "in an attribute of an item": ("a['x'].y = find()", "find field"),
    "in two names": ("x, y = find()", "find called"),
    "added to a name": ("r += find()", "find called"),
    "asked by a loop": ("while find():\n other()", "find called"),
    "gone through": ("for x in find():\n other()", "find called"),
    "gone through as it comes": ("async for x in find():\n other()", "find called"),
    "entered": ("with find() as x:\n other()", "find called"),
    "entered when it is there": ("async with find() as x:\n other()", "find called"),
    "in a list by its name": ("r = find()\nkept.append(r)", "find gathered"),
    "in a list when it is there": ("r = find()\nkept.append(await r)", "find gathered"),
    "a part of it in a list": ("r = find()\nkept.append(r.x)", "find called"),
    "shown by its name": ("r = find()\npage.show(r)", "find called"),
    "a dict in a list": ("kept.append({'x': find()})", "find gathered"),
    "a dict in a dict": ("kept.update({'x': find()})", "find field"),
    "all of it in a dict": ("kept.update(find())", "find gathered"),
    "one of some arguments": ("other(*[find()])", "find gathered"),
    "a list of one as an argument": ("other([find()])", "find called"),
    "one task of many": ("for x in b:\n t = create_task(find(3))\n kept.append(t)", "find gathered"),
    "one task of many, with an end to it": (
        "for x in b:\n t = wait_for(5, find(3))\n kept.append(t)",
        "find gathered",
    ),
    "the only task": ("t = create_task(find(3))\nkept.append(t)", "find called"),
    "what one of many is made of": ("for x in b:\n t = made(find(3))\n kept.append(t)", "find called"),
    "a text of many": ("for x in b:\n kept.append(f'{find(3)}')", "find gathered"),
    "a text of one": ("kept.append(f'{find(3)}')", "find called"),
    "a text that is printed for many": ("for x in b:\n print(f'{find(3)}')", "find called"),
    "made for each": ("return [find(3) for x in b]", "find gathered"),
    "made for each, with a key": (
        "return {find(3): third(3) for x in b}",
        "find gathered; third gathered",
    ),
    "gone through by a comprehension": ("return [1 for x in find(3)]", "find called"),
    "asked by a comprehension": ("return [x for x in b if find(3)]", "find called"),
    "called later": ("return other(lambda x: find(x))", "find passed"),
}

HANDED_OVER = {
    "as it is": ("find", "find passed"),
    "as a part of a module": ("shop.find", "shop.find passed"),
    "to a function": ("return other(find)", "find passed > other"),
    "to a function, by the name of a module": ("return other(shop.find)", "shop.find passed > other"),
    "to what a function makes": ("return other(1)(find)", "find passed > other"),
    "to what a function has made": ("wrap = guard('x')\nreturn wrap(find)", "find passed > guard"),
    "to one of two things": (
        "if a:\n wrap = guard('x')\nelse:\n wrap = other('x')\nreturn wrap(find)",
        "find passed > wrap",
    ),
    "to an item of a table": ("wrap = TABLE[a]\nreturn wrap(find)", "find passed > wrap"),
    "to a text": ("wrap = 'x'\nreturn wrap(find)", "find passed > wrap"),
    "by a name": ("other(serializer=find)", "find passed > other"),
    "by the name for what a server calls": ("Server('shop', on_call_tool=find)", "find passed > Server.on_call_tool"),
    "to be registered": ("server.add_tool(find)", "find passed > server.add_tool"),
    "to be registered by a name": ("server.add_tool(fn=find)", "find passed > server.add_tool"),
    "beside what is registered": (
        "server.add_tool(find, serializer=third)",
        "find passed > server.add_tool; third passed > ?",
    ),
    "to be registered in a wrapper": (
        "server.add_tool(timed(find))",
        "find passed > timed; find passed > server.add_tool",
    ),
    "to be registered in a wrapper in another": (
        "server.add_tool(timed(guard()(find)))",
        "find passed > guard; find passed > server.add_tool",
    ),
    "to be registered in a wrapper, by the name of a handler": (
        "server.add_tool(timed(log_handler=find))",
        "find passed > timed; find passed > server.add_tool",
    ),
    "beside what is registered, to a wrapper of it": (
        "server.add_tool(timed(find, key=third))",
        "find passed > timed; third passed > timed; find passed > server.add_tool",
    ),
    "beside what is registered, in a wrapper": ("server.add_tool(run, serializer=timed(find))",
                                                "run passed > server.add_tool; find passed > timed"),
    "to be registered twice": ("server.add_tool(server.tool(find))", "find passed > server.tool"),
    "to be registered twice, in a wrapper": ("server.add_tool(timed(server.tool(find)))",
                                             "find passed > server.tool"),
    "to a wrapper that is not registered": ("other(timed(find))", "find passed > timed"),
    "to be registered in a wrapper that has a name": (
        "kept = timed(find)\nserver.add_tool(kept)",
        "find passed > timed; find passed > server.add_tool",
    ),
    "to be called for many": ("pool.map(find, b)", "find gathered > pool.map"),
    "to be called later": ("pool.submit(find, b)", "find called > pool.submit"),
    "to be called elsewhere": (
        "return await asyncio.to_thread(find, b)",
        "find returned > asyncio.to_thread",
    ),
    "to be called later, for many": ("for x in range(3):\n pool.submit(find)", "find gathered > pool.submit"),
}  # fmt: skip

GONE_THROUGH = {
    "items of a loop": ("for x in TOOLS:\n other(x)", "TOOLS passed; TOOLS passed > other"),
    "keys of items": (
        "for x in TOOLS:\n server.add_tool(x['run'])",
        "TOOLS passed; TOOLS passed > server.add_tool",
    ),
    "keys of items, by a name": (
        "for x in TOOLS:\n server.add_tool(fn=x['run'])",
        "TOOLS passed; TOOLS passed > server.add_tool",
    ),
    "keys of items that say something else": (
        "for x in TOOLS:\n server.add_tool(find, name=x['name'])",
        "TOOLS passed; find passed > server.add_tool",
    ),
    "keys of items that nobody registers": ("for x in TOOLS:\n other(x['name'])", "TOOLS passed"),
    "attributes of items": (
        "for x in TOOLS:\n server.add_tool(x.run)",
        "TOOLS passed; TOOLS passed > server.add_tool",
    ),
    "an attribute of something else": (
        "for x in TOOLS:\n server.add_tool(b.run)",
        "TOOLS passed; b.run passed > server.add_tool",
    ),
    "a key of something else": ("for x in TOOLS:\n server.add_tool(b['run'])", "TOOLS passed"),
    "what stands in a tuple": (
        "for x in (find, third):\n other(x)",
        "find passed; third passed; find passed > other; third passed > other",
    ),
    "what stands in a set": (
        "for x in {find, *TOOLS}:\n other(x)",
        "find passed; TOOLS passed; find passed > other; TOOLS passed > other",
    ),
    "pairs": ("for x, n in [(find, 1)]:\n other(x)", "find passed; find passed > other"),
    "the values of a dict": ("for x in {'x': find}.values():\n other(x)", "find passed; find passed > other"),
    "the items of a dict": ("for x in TOOLS.items():\n other(x)", "TOOLS passed > other"),
    "what another method answers": ("for x in shop.find():\n other(x)",
                                    "shop.find called; shop.find() passed > other"),
    "what is sorted": ("for x in sorted(TOOLS):\n other(x)", "TOOLS passed > sorted; TOOLS passed > other"),
    "what is cast": ("for x in cast(list, TOOLS):\n other(x)", "TOOLS passed > cast; TOOLS passed > other"),
    "what something by the name of a cast answers": ("for x in cast(TOOLS):\n other(x)", "TOOLS passed > cast"),
    "what a function answers that is handed a list": (
        "each = find(1, [third])\nfor x in each:\n other(x)",
        "find called; third passed; find() passed > other",
    ),
    "what a function answers": ("for x in find():\n other(x)", "find called; find() passed > other"),
    "what a function answers, by a name": (
        "each = find()\nfor x in each:\n other(x)",
        "find called; find() passed > other",
    ),
    "what a made function answers": ("for x in find()():\n other(x)", "find called"),
    "what a made function answers, by a name": ("each = find()()\nfor x in each:\n other(x)", "find called"),
    "a list by a name": ("each = [find]\nfor x in each:\n other(x)", "find passed; find passed > other"),
    "a list that is cast, by a name": (
        "each = cast(list, [find])\nfor x in each:\n other(x)",
        "find passed; find passed > other",
    ),
    "functions in a comprehension": (
        "return [other(x) for x in (find, third)]",
        "find passed; third passed; find passed > other; third passed > other",
    ),
}  # fmt: skip

OWN = {
    "a name of a comprehension": ("return [run(1) for run in b]", ""),
    "what a name of a comprehension has": ("return [x.run(1) for x in range(3)]", ".run passed; .run gathered"),
    "what the result of such a name has": ("return [x().run() for x in range(3)]", ".run gathered"),
    "a name of a comprehension that is handed over": ("return [other(run) for run in range(3)]", ""),
    "a part of one that is handed over": ("return [other(x.run) for x in range(3)]", ".run passed > other"),
    "the name of a comprehension behind it": ("return [1 for run in b], run(1)", "run returned"),
    "a parameter of a lambda": ("return other(lambda find: find(1))", ""),
    "what the result of such a parameter has": ("return other(lambda x: x().run())", ".run passed"),
    "a text": ("run = 'x'\nother(run)", ""),
    "a text or a function": ("if a:\n run = 'x'\nelse:\n run = load\nother(run)", "run passed > other"),
    "a parameter": ("def run(): ...\nother(a)", ""),
}


OBJECTS = {
    "of which a method is called": ("s = Shelf()\nt = Shelf()\ns.find()", {"s": "Shelf()"}),
    "that another name is a part of": ("s = Shop()\nt = s.shelf\nt.find()", {"t": "s.shelf", "s": "Shop()"}),
    "that a function inside may ask": (
        "s = Shelf()\nt = Rack()\ndef inner():\n    s.find()",
        {"s": "Shelf()", "t": "Rack()"},
    ),
    "that a class inside may ask": (
        "s = Shelf()\nclass Inner:\n    def find(self):\n        return s.find()",
        {"s": "Shelf()"},
    ),
    "that is cast": ("s = cast(Shelf, a)\ns.find()", {"s": "Shelf()"}),
    "that a function makes of a class": ("s = made(Shelf, a)\ns.find()", {"s": "made()"}),
    "that a cast of one thing makes": ("s = cast(Shelf)\ns.find()", {"s": "cast()"}),
    "that is bound to two things": ("s = Shelf()\ns = Rack()\ns.find()", {}),
    "that is one of several": ("s, t = Shelf()\ns.find()", {}),
    "of which nothing is asked": ("s = Shelf()\nother(s)", {}),
}


@pytest.mark.parametrize(("body", "objects"), OBJECTS.values(), ids=OBJECTS)
def test_a_name_stands_for_an_object(body: str, objects: dict[str, str]) -> None:
    text = f"async def get(a, b):\n{indent(body, '    ')}\n"
    functions = collect(text, vocabulary(Settings(root=Path()))).functions
    assert dict(next(each for each in functions if each.name == "get").objects) == objects


@pytest.mark.parametrize(("body", "uses"), RAISED.values(), ids=RAISED)
def test_what_is_raised_from_is_no_condition_that_something_is_there(body: str, uses: str) -> None:
    assert used(body) == uses


@pytest.mark.parametrize(("body", "uses"), ANSWERED.values(), ids=ANSWERED)
def test_an_answer_is_told_from_a_part_of_one(body: str, uses: str) -> None:
    assert used(body) == uses


@pytest.mark.parametrize(("body", "uses"), KEPT.values(), ids=KEPT)
def test_one_of_several_results_is_told_from_the_only_one(body: str, uses: str) -> None:
    assert used(body) == uses


@pytest.mark.parametrize(("body", "uses"), HANDED_OVER.values(), ids=HANDED_OVER)
def test_a_function_that_is_handed_over_is_told_with_what_gets_it(body: str, uses: str) -> None:
    assert used(body) == uses


@pytest.mark.parametrize(("body", "uses"), GONE_THROUGH.values(), ids=GONE_THROUGH)
def test_what_a_loop_goes_through_stands_for_each_of_its_items(body: str, uses: str) -> None:
    assert used(body) == uses


@pytest.mark.parametrize(("body", "uses"), OWN.values(), ids=OWN)
def test_a_name_that_stands_for_a_value_is_no_function(body: str, uses: str) -> None:
    assert used(body) == uses
