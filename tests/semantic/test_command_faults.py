"""What commands for a terminal tell of errors: which functions are commands, how they end, and where they print.

Lines with ``# HERE`` are those of which something is said; all others stand beside them, for the difference.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from governed_texts import governed, marked

from errlint.project.commands import How
from errlint.settings import Policy
from errlint.settings.policy import Commands

STATUSES = Commands(statuses={"failure": 1, "usage": 2})
SIGNS = Commands(signs={"error": "❌", "warning": "⚠️"})
STDERR = Commands(stderr=True)

IMPORTS = (
    "import argparse\nimport asyncio\nimport os\nimport sys\n\nimport click\nimport typer\n"
    "from rich.console import Console\n\n"
)
WRONG = 'print("Error: no such book", file=sys.stderr)\n    return 3'


def lines(root: Path, text: str, asked: Commands, how: How) -> list[int]:
    """Return the lines of which a command at fault is told in a file."""
    project = governed(root, {"cli.py": text}, Policy(commands=asked))
    return [fault.span.line for fault in project.commands.of("cli.py", how)]


COMMANDS = {
    "what the process ends with": f"def show():\n    {WRONG}  # HERE\n\nsys.exit(show())\n",
    "what is run until it is done": f"async def show():\n    {WRONG}  # HERE\n\nsys.exit(asyncio.run(show()))\n",
    "what is awaited": f"async def show():\n    {WRONG}  # HERE\n\nasync def run():\n    sys.exit(await show())\n",
    "one of two": f"def show():\n    {WRONG}  # HERE\n\ndef drop():\n    {WRONG}  # HERE\n\n"
    f"sys.exit(show() or drop())\n",
    "what another one answers": f"def show():\n    {WRONG}  # HERE\n\ndef main():\n    return show()\n",
    "main, whoever calls it": f"def main():\n    {WRONG}  # HERE\n\nif __name__ == '__main__':\n    raise typer.Exit\n",
    "what is raised": f"def show():\n    {WRONG}  # HERE\n\nraise SystemExit(show())\n",
    "what nobody ends with": f"def show():\n    {WRONG}\n\nshow()\nsys.exit()\n",
    "what is handed to something else": f"def show():\n    {WRONG}\n\nsys.exit(len(show()))\n",
    "what a function inside of it answers": f"def show():\n    def told():\n        return drop()\n    return told\n\n"
    f"def drop():\n    {WRONG}\n\nsys.exit(show())\n",
    "two that answer each other": f"def show():\n    return drop()\n\ndef drop():\n    if sys.argv:\n"
    f"        return show()\n"
    f"    {WRONG}  # HERE\n\nsys.exit(show())\n",
    "a function of which nothing is known": f"def show():\n    {WRONG}\n\nsys.exit(gone())\n"
    f"sys.exit(asyncio.run())\nsys.exit(3)\n"
    "sys.exit(os.path.show())\n",
    "a command of Click": f"@click.command()\ndef show():\n    {WRONG}  # HERE\n",
    "a command of Typer": f"app = typer.Typer()\n\n@app.callback\ndef show():\n    {WRONG}  # HERE\n",
    "what is decorated otherwise": f"@click.option()\ndef show():\n    {WRONG}\n",
}


@pytest.mark.parametrize("text", COMMANDS.values(), ids=COMMANDS)
def test_a_command_is_what_the_process_ends_with(text: str, tmp_path: Path) -> None:
    assert lines(tmp_path, IMPORTS + text, STATUSES, How.STATUS) == marked(IMPORTS + text)


def test_a_decorator_makes_a_command_where_its_framework_is_imported(tmp_path: Path) -> None:
    text = f"import sys\nfrom shop import app\n\n@app.command()\ndef show():\n    {WRONG}\n\nsys.exit()\n"
    assert lines(tmp_path, text, STATUSES, How.STATUS) == []


@pytest.mark.parametrize("word", ["the way out", "exiting"], ids=["no word of it", "a word that begins so"])
def test_a_file_that_never_ends_a_process_has_no_command(word: str, tmp_path: Path) -> None:
    text = f'def main():\n    """Look for {word}."""\n    if wrong:\n        print("Error: no")\n        return 3\n'
    assert lines(tmp_path, text, STATUSES, How.STATUS) == []


def test_a_parser_in_an_attribute_is_not_followed(tmp_path: Path) -> None:
    text = (
        f"{IMPORTS}class Shop:\n    def main(self):\n        self.parser = argparse.ArgumentParser()\n"
        '        self.parser.exit(1, "no name")\n\ndef main():\n    shelf.exit(1, "no name")\n    count()\n'
    )
    assert lines(tmp_path, text, STATUSES, How.STATUS) == []


IMPORTED = {
    "a name": "from shop.show import drop, show\n\nsys.exit(show())\n",
    "a module": "import shop.show\n\nsys.exit(show.show())\n",
    "a module of a package": "from shop import show\n\nsys.exit(show.show())\n",
}


@pytest.mark.parametrize("text", IMPORTED.values(), ids=IMPORTED)
def test_a_command_of_another_file_is_one(text: str, tmp_path: Path) -> None:
    shop = f"import sys\n\ndef show():\n    {WRONG}\n\ndef drop():\n    {WRONG}\n\nexit = 'exit'\n"
    files = {"cli.py": f"import sys\n{text}", "shop/__init__.py": "", "shop/show.py": shop}
    project = governed(tmp_path, files, Policy(commands=STATUSES))
    assert [fault.function for fault in project.commands.of("shop/show.py", How.STATUS)] == ["show"]


RELATIVE = {
    "a name": "from .show import drop, show\n\nsys.exit(show())\n",
    "a module": "from . import show\n\nsys.exit(show.show())\n",
}


@pytest.mark.parametrize("text", RELATIVE.values(), ids=RELATIVE)
def test_a_command_of_a_file_beside_it_is_one(text: str, tmp_path: Path) -> None:
    shop = f"import sys\n\ndef show():\n    {WRONG}\n\ndef drop():\n    {WRONG}\n\nexit = 'exit'\n"
    files = {"shop/__main__.py": f"import sys\n{text}", "shop/__init__.py": "", "shop/show.py": shop}
    project = governed(tmp_path, files, Policy(commands=STATUSES))
    assert [fault.function for fault in project.commands.of("shop/show.py", How.STATUS)] == ["show"]


@pytest.mark.parametrize(
    "text",
    ["from os import show\n\nsys.exit(show())\n", "import gone\n\nsys.exit(gone.show())\n"],
    ids=["a name", "a module"],
)
def test_a_command_that_is_not_of_the_project_is_none_of_it(text: str, tmp_path: Path) -> None:
    assert lines(tmp_path, f"import sys\n{text}", STATUSES, How.STATUS) == []


ENDINGS = {
    "a status": "return 3  # HERE",
    "the right one": "return 1",
    "success": "return  # HERE",
    "success by its number": "return 0  # HERE",
    "a status that is not known": "return status",
    "a text": 'return "no"',
    "yes": "return True",
    "an exit": "sys.exit(3)  # HERE",
    "an exit with nothing": "sys.exit()  # HERE",
    "an exit with None": "sys.exit(None)  # HERE",
    "an exit with a text": 'sys.exit("no such book")',
    "a hard exit": "os._exit(3)  # HERE",
    "an exit of the framework": "raise click.exceptions.Exit(3)  # HERE",
    "an exit with a code": "raise typer.Exit(code=3)  # HERE",
    "an exit with a status": "context.exit(status=3)  # HERE",
    "an exit with the right code": "raise typer.Exit(code=1)",
    "an exit with something else": "raise typer.Exit(reason=1)  # HERE",
    "a bare exit": "raise SystemExit  # HERE",
    "a bare exit of the framework": "raise Exit  # HERE",
    "another exception": "raise KeyError",
    "another exception with a number": "raise ShopError(3)",
    "the exception again": "raise",
    "nothing, after which something follows": "count()",
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_a_command_that_told_an_error_ends_with_the_status_of_failure(ending: str, tmp_path: Path) -> None:
    body = f'if wrong:\n    print("Error: no such book", file=sys.stderr)\n    {ending}\nreturn 0\n'
    text = f"{IMPORTS}def main():\n{indent(body, '    ')}"
    assert lines(tmp_path, text, STATUSES, How.STATUS) == marked(text)


def test_what_a_decorated_command_returns_is_no_status(tmp_path: Path) -> None:
    text = (
        f'{IMPORTS}@click.command()\ndef show():\n    if wrong:\n        print("Error: no")\n        return 1  # HERE\n'
    )
    assert lines(tmp_path, text, STATUSES, How.STATUS) == marked(text)


def test_a_function_that_exits_itself_need_not_be_the_last(tmp_path: Path) -> None:
    """What it answers is no status where it is none of a process; here it is one, that of its own answer."""
    text = f"{IMPORTS}def show():\n    print('Error: no')\n    return 3\n\ndef main():\n    show()\n    return 0\n"
    assert lines(tmp_path, text, STATUSES, How.STATUS) == []


TOLD = 'print(f"Error: {error}", file=sys.stderr)'

LAST = {
    "the last statement": f"try:\n    show()\nexcept OSError as error:\n    {TOLD}  # HERE",
    "one before others": f"try:\n    show()\nexcept OSError as error:\n    {TOLD}\ncount()",
    "the last of a branch": f"try:\n    show()\nexcept OSError as error:\n    if wrong:\n"
    f"        {TOLD}  # HERE\n    else:\n"
    f"        {TOLD}  # HERE",
    "one of a branch before others": f"try:\n    show()\nexcept OSError as error:\n    if wrong:\n"
    f"        {TOLD}\n    else:\n"
    f"        {TOLD}\n    count()",
    "the last of a context": f"with shop:\n    try:\n        show()\n    except OSError as error:\n"
    f"        {TOLD}  # HERE",
    "one before others of a context": f"with shop:\n    try:\n        show()\n    except OSError as error:\n"
    f"        {TOLD}\n    count()",
    "the last of each turn": f"for book in books:\n    try:\n        show()\n    except OSError as error:\n"
    f"        {TOLD}",
    "the last of each turn of a loop without end": f"while True:\n    try:\n        show()\n"
    f"    except OSError as error:\n        {TOLD}",
    "the last after a loop": f"for book in books:\n    show()\nelse:\n    try:\n        show()\n"
    f"    except OSError as error:\n"
    f"        {TOLD}  # HERE",
    "the last of a case": f"match wanted:\n    case 1:\n        try:\n            show()\n"
    f"        except OSError as error:\n"
    f"            {TOLD}  # HERE",
    "one inside of another try": f"try:\n    try:\n        show()\n    except OSError as error:\n"
    f"        {TOLD}\nfinally:\n    count()",
    "one after all that went well": f"try:\n    show()\nexcept KeyError:\n    raise\nelse:\n    try:\n        show()\n"
    f"    except OSError as error:\n        {TOLD}",
    "no exception": 'print("Error: none so far", file=sys.stderr)',
    "what people do": "try:\n    show()\nexcept KeyboardInterrupt as error:\n"
    '    print(f"Error: {error}", file=sys.stderr)',
    "what people do in a module": "try:\n    show()\nexcept click.Abort as error:\n"
    '    print(f"Error: {error}", file=sys.stderr)',
}


@pytest.mark.parametrize("body", LAST.values(), ids=LAST)
def test_a_command_of_a_framework_succeeds_with_its_last_statement(body: str, tmp_path: Path) -> None:
    text = f"{IMPORTS}@click.command()\ndef show():\n{indent(body, '    ')}\n"
    assert lines(tmp_path, text, STATUSES, How.STATUS) == marked(text)


def test_a_function_whose_answer_is_no_status_goes_on_after_its_last_statement(tmp_path: Path) -> None:
    body = "try:\n    show()\nexcept OSError as error:\n    print(f'Error: {error}')\n"
    text = f"{IMPORTS}def told():\n{indent(body, '    ')}\n"
    assert lines(tmp_path, text, STATUSES, How.STATUS) == []


PARSER = "parser = argparse.ArgumentParser()\noptions = parser.parse_args()\n"
NO = 'print("Error: no", file=sys.stderr)'

USAGE = {
    "what is asked of an option": f"if options.limit < 1:\n    {NO}\n    return 1  # HERE",
    "the right status": f"if options.limit < 1:\n    {NO}\n    return 2",
    "what is asked otherwise": f"if options.limit > 1:\n    count()\nelse:\n    {NO}\n    return 1  # HERE",
    "in each of some": f"if not options.names:\n    for name in options.names:\n        {NO}\n        return 1  # HERE",
    "in a context": f"if not options.names:\n    with shop:\n        {NO}\n        return 1  # HERE",
    "in a case": f"if not options.names:\n    match options.names:\n        case []:\n            {NO}\n"
    f"            return 1  # HERE",
    "with a constant": f"if len(options.names) > LIMIT:\n    {NO}\n    return 1  # HERE",
    "beside something else": f"if options.limit < left:\n    {NO}\n    return 1",
    "worked out from an option": f"if exists(options.path):\n    {NO}\n    return 1",
    "no option at all": f"if LIMIT < 1:\n    {NO}\n    return 1",
    "what an option led to": f"if options.path:\n    try:\n        show()\n    except OSError as error:\n"
    f"        {NO}\n        return 1",
    "another one after it": f"if options.path:\n    show()\nif wrong:\n    {NO}\n    return 1",
    "some that are known": "known, rest = parser.parse_known_args()\nif known.limit < 1:\n"
    f"    {NO}\n    return 1  # HERE\nif rest:\n    {NO}\n    return 1",
}


@pytest.mark.parametrize("body", USAGE.values(), ids=USAGE)
def test_a_command_that_is_misused_ends_with_a_status_of_its_own(body: str, tmp_path: Path) -> None:
    text = f"{IMPORTS}def main():\n{indent(PARSER + body, '    ')}\n"
    assert lines(tmp_path, text, STATUSES, How.STATUS) == marked(text)


def test_the_options_of_a_decorated_command_are_its_parameters(tmp_path: Path) -> None:
    text = IMPORTS + dedent(f"""\
        @click.command()
        def show(first, /, limit, *, deep):
            if first < 1:
                {NO}
                sys.exit(1)  # HERE
            if limit < 1:
                {NO}
                sys.exit(1)  # HERE
            if not deep:
                {NO}
                sys.exit(1)  # HERE
            if left < 1:
                {NO}
                sys.exit(1)

        def main(limit):
            if limit < 1:
                {NO}
                sys.exit(1)
    """)
    assert lines(tmp_path, text, STATUSES, How.STATUS) == marked(text)


@pytest.mark.parametrize(
    ("statuses", "number"),
    [({"failure": 1, "usage": 2}, 2), ({"failure": 1}, 1), ({"usage": 2}, 2)],
    ids=["both", "failure alone", "usage alone"],
)
def test_what_no_status_is_said_for_is_a_failure(statuses: dict[str, int], number: int, tmp_path: Path) -> None:
    body = "".join(f"if options.limit < {n}:\n    {NO}\n    return {n}\n" for n in (1, 2, 3))
    text = f"{IMPORTS}def main():\n{indent(PARSER + body, '    ')}\n"
    found = lines(tmp_path, text, Commands(statuses=statuses), How.STATUS)
    assert [text.splitlines()[each - 1].strip() for each in found] == [f"return {n}" for n in (1, 2, 3) if n != number]


def test_a_failure_may_be_anything_where_only_a_status_of_usage_is_said(tmp_path: Path) -> None:
    text = f"{IMPORTS}def main():\n    if wrong:\n        {NO}\n        return 3\n"
    assert lines(tmp_path, text, Commands(statuses={"usage": 2}), How.STATUS) == []


EXITS = {
    "a message": 'parser.exit(1, "no name")  # HERE',
    "a message by its name": 'parser.exit(status=1, message="no name")  # HERE',
    "the right status": 'parser.exit(2, "❌ no name")',
    "no message": "parser.exit(1)",
    "what was asked for": 'parser.exit(0, "shop 1.0")',
    "what was asked for, with the status it has by itself": 'parser.exit(message="shop 1.0")',
    "a status that is not known": 'parser.exit(status, "no name")',
    "what the parser says by itself": 'parser.error("no name")',
    "what is no parser": 'shelf.exit(1, "no name")',
    "a function": 'exit(1, "no name")',
    "an answer": 'last = parser.exit(1, "no name")',
}


@pytest.mark.parametrize("body", EXITS.values(), ids=EXITS)
@pytest.mark.parametrize(
    ("head", "parser"),
    [
        ("def main():\n    parser = argparse.ArgumentParser()\n", "parser"),
        ("def main():\n    parser = ArgumentParser()\n", "parser"),
        ("def main():\n    below = parsers.add_parser()\n", "below"),
        ("def main(parser: argparse.ArgumentParser):\n", "parser"),
    ],
    ids=["of the module", "by its name", "of another parser", "a parameter"],
)
def test_a_parser_that_exits_with_a_message_says_how_it_is_misused(
    body: str, head: str, parser: str, tmp_path: Path
) -> None:
    text = f"{IMPORTS}{head}    {body.replace('parser.', f'{parser}.')}\n    count()\n"
    assert lines(tmp_path, text, STATUSES, How.STATUS) == marked(text)


def test_the_message_of_a_parser_has_the_sign_of_an_error(tmp_path: Path) -> None:
    body = 'parser.exit(2, "no name")  # HERE\nparser.exit(2, "❌ no name")\nparser.exit(status, "no name")\n'
    text = f"{IMPORTS}def main():\n{indent(PARSER + body, '    ')}"
    assert lines(tmp_path, text, SIGNS, How.SIGN) == marked(text)


CONSOLES = (
    "console = Console()\nproblems = Console(stderr=True)\nboth = Console()\n"
    "both = Console(stderr=True)\nother = made()\n"
)

STREAMS = {
    "print": 'print("Error: no")  # HERE',
    "print to stdout": 'print("Error: no", file=sys.stdout)  # HERE',
    "print to stderr": 'print("Error: no", file=sys.stderr)',
    "print to what is not known": 'print("Error: no", file=out)',
    "print with what is not known": 'print("Error: no", **where)',
    "print of Rich": 'rich.print("Error: no")  # HERE',
    "print of something else": 'report.lines.print("Error: no")',
    "write to stdout": 'sys.stdout.write("Error: no")  # HERE',
    "write to stderr": 'sys.stderr.write("Error: no")',
    "write to a file": 'report.write("Error: no")',
    "echo": 'click.echo("Error: no")  # HERE',
    "echo by its name": 'echo("Error: no")  # HERE',
    "echo in colours": 'typer.secho("Error: no", fg="red")  # HERE',
    "echo to stderr": 'click.echo("Error: no", err=True)',
    "echo to stdout": 'click.echo("Error: no", err=False)  # HERE',
    "echo to what is not known": 'click.echo("Error: no", err=aside)',
    "echo to a file": 'click.echo("Error: no", file=sys.stdout)  # HERE',
    "echo to a file of errors": 'click.echo("Error: no", file=sys.stderr)',
    "echo of something else": 'canyon.echo("Error: no")',
    "a console": 'console.print("Error: no")  # HERE',
    "a console of errors": 'problems.print("Error: no")',
    "one of two consoles": 'both.print("Error: no")',
    "something that is no console": 'other.print("Error: no")',
    "something that is not known": 'gone.print("Error: no")',
    "another method": 'console.rule("Error: no")',
    "nothing": "print()",
    "an answer to other programs": 'print(json.dumps("Error: no"))',
    "a text that is kept": 'said = print("Error: no")',
    "no error": 'print("The shop is open")',
}


@pytest.mark.parametrize("printed", STREAMS.values(), ids=STREAMS)
def test_errors_are_printed_to_stderr(printed: str, tmp_path: Path) -> None:
    text = f"{IMPORTS}{CONSOLES}def main():\n    if wrong:\n        {printed}\n        return 1\n    return 0\n"
    assert lines(tmp_path, text, STDERR, How.STREAM) == marked(text)


CAUGHT = {
    "what tells of it": 'print(f"The shop is closed: {error}")  # HERE\nreturn 1',
    "an answer to other programs": "print(json.dumps({'why': str(error)}))\nreturn 1",
    "what does not": 'print("The shop is closed")\nreturn 1',
    "what says that it is one": 'print("Error: no")  # HERE\nreturn 1',
    "what goes on with it": 'print(f"The shop is closed: {error}")  # HERE\nprint(f"why: {error}")\nreturn 1',
    "what goes on with one that says so": 'print("Error: no")  # HERE\nprint(f"why: {error}")\nreturn 1',
    "a warning": 'print(f"Warning: the shop is closed: {error}")\nreturn 1',
    "what succeeds": 'print(f"The shop is closed: {error}")\nreturn 0',
    "what may succeed": 'print(f"The shop is closed: {error}")\nreturn status',
    "what goes on": 'print(f"The shop is closed: {error}")\ncount()',
    "what is printed in a branch": 'if wrong:\n    print(f"The shop is closed: {error}")  # HERE\n    return 1',
    "what is caught below": "try:\n    show()\nexcept KeyError:\n"
    '    print(f"The shop is closed: {error}")  # HERE\n    return 1',
}


@pytest.mark.parametrize("body", CAUGHT.values(), ids=CAUGHT)
def test_what_tells_of_a_caught_exception_before_a_failure_is_an_error(body: str, tmp_path: Path) -> None:
    text = (
        f"{IMPORTS}def main():\n    try:\n        show()\n    except OSError as error:\n"
        f"{indent(body, '        ')}\n    return 0\n"
    )
    assert lines(tmp_path, text, STDERR, How.STREAM) == marked(text)


SIGNED = {
    "an error": 'print("Error: no")  # HERE',
    "with its sign": 'print("❌ Error: no")',
    "with its sign after colours": 'print("[red]❌ no[/red]")',
    "with a value": 'print(f"Error: {name}")  # HERE',
    "with a value first": 'print(f"{sign} Error: no")',
    "with nothing": 'print(f"")',
    "put together": 'print("Error: " + name)  # HERE',
    "put together with a sign": 'print("❌ " + name)',
    "filled in": 'print("Error: {}".format(name))  # HERE',
    "filled in by another function": 'print("Error: {}".replace("{}", name))',
    "in a style": 'print(click.style("Error: no", fg="red"))  # HERE',
    "in a style of nothing": "print(click.style())",
    "in another function": 'print(told("Error: no"))',
    "in a style with the sign": 'print(Text("❌ no"))',
    "a summary": 'print("Errors: 3")',
    "a summary of what failed": 'print("Failed: 3")',
    "a warning": 'print("Warning: few books")  # HERE',
    "a warning with its sign": 'print("⚠️ few books")',
    "a warning with its sign in black": 'print("⚠ few books")',
    "another text": 'print("few books")',
    "what is written to a file": 'report.write("Error: no")',
    "a value": "print(name)",
    "a number": "print(3)",
}


@pytest.mark.parametrize("printed", SIGNED.values(), ids=SIGNED)
def test_errors_and_warnings_begin_with_their_signs(printed: str, tmp_path: Path) -> None:
    text = f"{IMPORTS}def main():\n    if wrong:\n        {printed}\n        return 1\n    return 0\n"
    assert lines(tmp_path, text, SIGNS, How.SIGN) == marked(text)


def test_an_error_has_any_sign_where_none_is_asked_for(tmp_path: Path) -> None:
    text = (
        f'{IMPORTS}def main():\n    if wrong:\n        print("Error: no")\n        return 1\n'
        f'    print("Warning: no")  # HERE\n'
    )
    assert lines(tmp_path, text, Commands(signs={"warning": "⚠️"}), How.SIGN) == marked(text)


def test_what_is_wrong_is_told_in_words_and_where(tmp_path: Path) -> None:
    text = 'import sys\n\ndef main():\n    if "–":\n        print("Error: –"); return 3\n'
    policy = Policy(commands=Commands(statuses={"failure": 1}, signs={"error": "❌"}, stderr=True))
    project = governed(tmp_path, {"cli.py": f"{text}# exit\n"}, policy)
    faults = [each for how in How for each in project.commands.of("cli.py", how)]
    assert [
        (each.function, (each.span.line, each.span.column, each.span.end_line, each.span.end_column), each.message)
        for each in faults
    ] == [
        ("main", (5, 28, 5, 36), "a command that fails ends with status 3; the configuration says 1"),
        ("main", (5, 9, 5, 26), "an error is printed to stdout, which other programs read; print it to stderr"),
        ("main", (5, 9, 5, 26), "an error is printed that does not begin with `❌`"),
    ]
