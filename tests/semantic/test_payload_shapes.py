"""What an answer is: an error payload, an object, a text or none of these, each beside its counterpart."""

from __future__ import annotations

from textwrap import indent

import pytest
from linked_texts import linked

HEAD = "from fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\n"

Cases = dict[str, tuple[str, str]]


def forms(text: str) -> list[str]:
    """Return what each return of the last function of a module is: its kind and what tells it, "" for no error."""
    project = linked({"server.py": HEAD + text})
    function = project.modules["server.py"].functions[-1]
    found = (project.classifier.classify("server.py", function, each) for each in function.returns)
    return [" ".join((each.kind.name.lower(), *each.shape)) if each is not None else "" for each in found]


def tool(body: str, head: str = "") -> str:
    """Return a module with a tool of this body, below what stands before it."""
    return f"{head}\n\n@mcp.tool()\ndef find(book: str):\n{indent(body, '    ')}\n"


def form(body: str, head: str = "") -> str:
    """Return what the last return of such a tool is."""
    return forms(tool(body, head))[-1]


def caught(first: str, handler: str, answer: str) -> str:
    """Return the body of a tool that asks the shop, and goes on where that raises."""
    return f"{first}\ntry:\n    shop(book)\nexcept OSError as e:\n    {handler}\nreturn {answer}"


OUTCOMES: Cases = {
    "a flag that a handler turns, with the text of the exception": (
        caught("ok, text = True, ''", "ok, text = False, str(e)", "{'success': ok, 'message': text}"),
        "payload success",
    ),
    "how the exception is written": (
        caught("ok, text = True, ''", "ok, text = False, repr(e)", "{'success': ok, 'message': text}"),
        "payload success",
    ),
    "the exception itself": (
        caught("ok, text = True, ''", "ok, text = False, e", "{'success': ok, 'message': text}"),
        "payload success",
    ),
    "a text with the exception in it": (
        caught("ok, text = True, ''", "ok, text = False, f'no answer: {e}'", "{'success': ok, 'message': text}"),
        "payload success",
    ),
    "the exception under an error key": (
        caught("ok, text = True, ''", "ok, text = False, str(e)", "{'success': ok, 'error': text}"),
        "payload success error",
    ),
    "a text of its own": (
        caught("ok, text = True, ''", "ok, text = False, 'no answer'", "{'success': ok, 'message': text}"),
        "",
    ),
    "how long the exception is": (
        caught("ok, text = True, ''", "ok, text = False, len(e)", "{'success': ok, 'message': text}"),
        "",
    ),
    "bytes that are decoded": (
        caught("ok, text = True, ''", "ok, text = False, str(e, 'utf-8')", "{'success': ok, 'message': text}"),
        "",
    ),
    "the text of what is no exception": (
        caught("ok, text = True, ''", "ok, text = False, str(book)", "{'success': ok, 'message': text}"),
        "",
    ),
    "the exception under a key that is for no text": (
        caught("ok, text = True, ''", "ok, text = False, str(e)", "{'success': ok, 'title': text}"),
        "",
    ),
    "a flag that is worked out": (
        caught("ok, text = True, ''", "ok, text = bool(book), str(e)", "{'success': ok, 'message': text}"),
        "",
    ),
    "a flag that is true on all ways": (
        caught("ok, text = True, ''", "ok, text = True, str(e)", "{'success': ok, 'message': text}"),
        "",
    ),
    "a flag that has one value": (
        caught("ok, text = shop, ''", "text = str(e)", "{'success': ok, 'message': text}"),
        "",
    ),
    "a status that a handler turns": (
        caught("state, text = 'ok', ''", "state, text = 'failed', str(e)", "{'status': state, 'message': text}"),
        "payload status",
    ),
    "a status that is the state of a thing": (
        caught("state, text = 'open', ''", "state, text = 'failed', str(e)", "{'status': state, 'message': text}"),
        "",
    ),
    "a status that is a number": (
        caught("state, text = 0, ''", "state, text = 'failed', str(e)", "{'status': state, 'message': text}"),
        "",
    ),
}


@pytest.mark.parametrize(("body", "meaning"), OUTCOMES.values(), ids=OUTCOMES)
def test_one_return_for_both_outcomes_is_an_error_by(body: str, meaning: str) -> None:
    assert form(body) == meaning


def test_a_builder_of_both_outcomes_is_no_factory() -> None:
    builder = caught("ok, text = True, ''", "ok, text = False, str(e)", "{'success': ok, 'message': text}")
    head = f"def asked(book):\n{indent(builder, '    ')}\n"
    assert forms(head) == ["payload success"]
    assert form("return asked(book)", head) == ""


PRINTED: Cases = {
    "beside what it printed": ("{'output': out.stdout, 'error': out.stderr}", ""),
    "or something else, of a command that failed": (
        "{'success': False, 'output': out.stdout, 'error': out.stderr or out.reason}",
        "payload success",
    ),
    "decoded": ("{'stdout': out.stdout, 'error': out.stderr.decode().strip()}", ""),
    "or something else": ("{'stdout': out.stdout, 'error': out.stderr or out.reason}", ""),
    "alone": ("{'error': out.stderr}", "payload error"),
    "of a command that failed": ("{'success': False, 'stdout': out.stdout, 'error': out.stderr}", "payload success"),
    "of a command that failed, alone": ("{'success': False, 'error': out.stderr}", "payload success error"),
    "in words of our own": ("{'output': out.stdout, 'error': f'no {book}'}", "payload error"),
    "for another reason": ("{'success': False, 'output': out.stdout, 'error': out.reason}", "payload success error"),
    "called so in part": (
        "{'success': False, 'output': out.stdout, 'error': out.stderr_text}",
        "payload success error",
    ),
}


@pytest.mark.parametrize(("answer", "meaning"), PRINTED.values(), ids=PRINTED)
def test_what_a_command_printed_to_its_error_stream_is(answer: str, meaning: str) -> None:
    assert form(f"out = run(book)\nreturn {answer}") == meaning


TEXTS: Cases = {
    "it says so first": ("'Error: no such book'", "text"),
    "it says so below a heading": ("'# Find a book\\n\\nError: no such book'", "text"),
    "it says so in the heading": ("'# Error: no such book'", "text"),
    "it says so below a heading, and more": ("'# Find a book\\n\\nError: no such book\\nOr two'", ""),
    "it says so below what is no heading": ("'Find a book\\n\\nError: no such book'", ""),
    "it says something else below a heading": ("'# Find a book\\n\\nOne book'", ""),
    "it has eight letters": ("'Error: x'", "text"),
    "it has no more than the opening": ("'Error: '", ""),
    "its first line is no more than the opening": ("'Error:\\nno such book'", ""),
    "it begins with a cross": ("'❌ the shop has none'", "text"),
    "it ends with a cross": ("'the shop has none ❌'", ""),
    "it says that something is not there": ("f'{book} does not exist'", "unmarked_text"),
    "it says first that something is not known": ("'Unknown book'", "unmarked_text"),
    "it says later that something is not known": ("'Books of Unknown writers'", ""),
    "it says what was done besides": ("f'{book} was added, its cover does not exist'", ""),
    "it is a long one": (f"'{'book ' * 57} does not exist'", "unmarked_text"),
    "it is too long for one": (f"'{'book ' * 57}  does not exist'", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), TEXTS.values(), ids=TEXTS)
def test_a_text_is_an_error_where(answer: str, meaning: str) -> None:
    assert form(f"return {answer}") == meaning


def test_a_probe_says_no_by_a_cross() -> None:
    assert forms("def check_shop():\n    return '❌ the shop is closed'\n") == [""]
    assert forms("def check_shop():\n    return 'Error: the shop is closed'\n") == ["text"]


FILLED: Cases = {
    "a field of it is set on some way": ("reply = Reply(True)\nif not book:\n    reply.success = False", ""),
    "a field of it is set on every way": (
        "reply = Reply(book)\nreply.number = 1\nif not book:\n    reply = Reply(success=False)",
        "",
    ),
    "another is made on some way": (
        "reply = Reply(book)\nif not book:\n    reply = Reply(success=False)",
        "object Reply",
    ),
    "one of another class is made": (
        "reply = Report(book)\nif not book:\n    reply = Reply(success=False)\n    reply.number = 1",
        "object Reply",
    ),
    "one of another class has a field set": (
        "reply = Report(book)\nreply.number = 1\nif not book:\n    reply = Reply(success=False)",
        "object Reply",
    ),
    "it is nothing at first": (
        "reply = None\nif not book:\n    reply = Reply(success=False)\n    reply.number = 1",
        "object Reply",
    ),
    "it is what a method answers at first": (
        "reply = shop().find(book)\nif not book:\n    reply = Reply(success=False)\n    reply.number = 1",
        "object Reply",
    ),
}


@pytest.mark.parametrize(("body", "meaning"), FILLED.values(), ids=FILLED)
def test_an_object_is_an_error_where(body: str, meaning: str) -> None:
    head = "class Reply:\n    success: bool\n    number: int = 0\n\n\nclass Report:\n    number: int\n"
    assert form(f"{body}\nreturn reply", head) == meaning


RECORDS: Cases = {
    "a part of a record under its error key": ("{'path': row['path'], 'error': row['error']}", ""),
    "an attribute beside others of its object": ("{'path': job.path, 'error': job.error}", ""),
    "an attribute beside others that are asked for by name": (
        "{'path': getattr(job, 'path'), 'error': getattr(job, 'error')}",
        "",
    ),
    "an attribute beside the status of its object": ("{'status': job.status, 'error': job.error}", ""),
    "an attribute beside the value of the status": ("{'status': job.status.value, 'error': job.error}", ""),
    "an attribute beside the status of another object": (
        "{'status': run.status, 'error': job.error}",
        "payload error",
    ),
    "an attribute beside what a method answers": ("{'status': job.status(), 'error': job.error}", "payload error"),
    "an attribute beside its object": ("{'status': job, 'error': job.error}", "payload error"),
    "an attribute beside the message of its object": (
        "{'message': job.message, 'error': job.error, 'number': 1}",
        "payload error",
    ),
    "a part beside one of another record": ("{'path': book, 'error': row['error']}", "payload error"),
    "a name of its own": ("{'path': book, 'error': error}", "payload error"),
    "a record of what failed": ("{'success': False, 'path': job.path, 'error': job.error}", "payload success error"),
}


@pytest.mark.parametrize(("answer", "meaning"), RECORDS.values(), ids=RECORDS)
def test_beside_an_answer_without_an_error_one_is(answer: str, meaning: str) -> None:
    assert form(f"if book:\n    return {{'path': book}}\nreturn {answer}") == meaning


KEYS: dict[str, tuple[str, list[str]]] = {
    "no other answer lacks it": (
        "if shop:\n    return {'number': 1, 'error': 'no shop'}\nreturn {'path': book, 'error': b.why}",
        ["payload error", ""],
    ),
    "another answer lacks it": (
        "if shop:\n    return {'number': 1}\nreturn {'path': book, 'error': b.why}",
        ["", "payload error"],
    ),
    "another answer lacks it, and one has it for certain": (
        "if shop:\n    return {'n': 1}\nif here:\n    return {'n': 1, 'error': 'none'}\n"
        "return {'n': 1, 'error': b.why}",
        ["", "payload error", "payload error"],
    ),
    "another answer lacks it, and two may have one": (
        "if shop:\n    return {'n': 1}\nif here:\n    return {'n': 1, 'error': a.why}\nreturn {'n': 1, 'error': b.why}",
        ["", "", ""],
    ),
    "another answer lacks it, and two hand on the errors of answers": (
        "if shop:\n    return {'n': 1}\nif here:\n    return {'n': 1, 'error': a['error']}\n"
        "return {'n': 1, 'error': b['error']}",
        ["", "payload error", "payload error"],
    ),
    "another answer lacks it, and two have other parts of answers": (
        "if shop:\n    return {'n': 1}\nif here:\n    return {'n': 1, 'error': a.get('why')}\n"
        "return {'n': 1, 'error': b.get('why')}",
        ["", "", ""],
    ),
    "another answer lacks it, and two hand on the errors of objects": (
        "if shop:\n    return {'n': 1}\nif here:\n    return {'n': 1, 'error': a.error}\n"
        "return {'n': 1, 'error': b.error}",
        ["", "payload error", "payload error"],
    ),
    "another answer lacks it, and two hand on errors": (
        "if shop:\n    return {'n': 1}\nif here:\n    return {'n': 1, 'error': a['error']}\n"
        "return {'n': 1, 'error': b.error}",
        ["", "payload error", "payload error"],
    ),
    "another answer lacks it, and one has it for what was caught": (
        "try:\n    return {'path': book}\nexcept OSError as e:\n    return {'n': 1, 'error': e.args[0]}\n"
        "return {'n': 2, 'error': b.why}",
        ["", "payload error", "payload error"],
    ),
    "an object lacks it": (
        "if shop:\n    return Reply(n=1)\nreturn Reply(n=2, error=b.why)",
        ["", "object Reply"],
    ),
    "no object lacks it": (
        "if shop:\n    return Reply(n=1, error=None)\nreturn Reply(n=2, error=b.why)",
        ["", ""],
    ),
}


@pytest.mark.parametrize(("body", "meanings"), KEYS.values(), ids=KEYS)
def test_an_error_key_with_what_may_be_nothing_tells_an_error_where(body: str, meanings: list[str]) -> None:
    assert forms(tool(body)) == meanings


ADDED = {
    "an error is added to it on some way": ("{'books': 1}", "{'books': 1, 'success': False}", ""),
    "an error is put into it on some way": ("{'books': 1, 'error': ''}", "{'books': 1, 'error': 'none'}", ""),
    "it is an envelope of a success": (
        "{'code': 0, 'msg': 'ok'}",
        "{'code': 1, 'msg': 'no such book'}",
        "payload code",
    ),
    "it is an envelope of a success with less": (
        "{'code': 0, 'msg': 'ok'}",
        "{'code': 1, 'msg': 'no such book', 'data': None}",
        "payload code",
    ),
    "another has not all that it has": ("{'books': 1, 'more': 2}", "{'books': 1, 'success': False}", "payload success"),
    "it is empty until then": ("{}", "{'books': 1, 'success': False}", "payload success"),
    "it has what another answer has": ("{**shop}", "{'books': 1, 'success': False}", ""),
    "its flag says the opposite": ("{'success': True}", "{'success': False, 'error': 'none'}", "payload success error"),
    "its flag of a failure says the opposite": (
        "{'failed': False}",
        "{'failed': True, 'error': 'none'}",
        "payload failed error",
    ),
    "its flag is not known": ("{'failed': shop.down}", "{'failed': True, 'error': 'none'}", ""),
    "the flag of the error is not known": ("{'failed': False}", "{'failed': shop.down, 'error': 'none'}", ""),
    "its flag says the same": ("{'failed': False}", "{'failed': False, 'error': 'none'}", ""),
    "its flag says nothing of an error": ("{'hidden': True}", "{'hidden': False, 'error': 'none'}", ""),
    "its status says that all is well": (
        "{'status': 'ok'}",
        "{'status': 'failed', 'error': 'none'}",
        "payload status error",
    ),
    "its status is another than that of an error": (
        "{'status': 'open'}",
        "{'status': 'error', 'error': 'none'}",
        "payload status error",
    ),
    "its status is the state of a thing that may have failed": (
        "{'status': 'open'}",
        "{'status': 'failed', 'error': 'none'}",
        "",
    ),
    "its status is the same": ("{'status': 'open'}", "{'status': 'open', 'error': 'none'}", ""),
    "its status is not known": ("{'status': shop.state}", "{'status': 'error', 'error': 'none'}", ""),
    "the status of the error is not known": ("{'status': 'ok'}", "{'status': shop.state, 'error': 'none'}", ""),
}


@pytest.mark.parametrize(("good", "bad", "meaning"), ADDED.values(), ids=ADDED)
def test_a_dict_that_may_be_an_error_is_one_where(good: str, bad: str, meaning: str) -> None:
    assert form(f"reply = {good}\nif not book:\n    reply = {bad}\nreturn reply") == meaning


PUT_TOGETHER: Cases = {
    "it stands in for an answer of others": ("answer = shop(book)", "text"),
    "it stands in for nothing": ("answer = None", "text"),
    "it stands in for what is worked out": ("answer = book + 1", "text"),
    "it stands in for another error": ("answer = 'Error: no shop'", "text"),
    "it stands in for a text": ("answer = 'one book'", ""),
    "it stands in for a dict": ("answer = {'books': 1}", ""),
    "it stands in for what was asked": ("answer = book", ""),
}


@pytest.mark.parametrize(("first", "meaning"), PUT_TOGETHER.values(), ids=PUT_TOGETHER)
def test_a_text_that_a_name_may_hold_is_an_error_where(first: str, meaning: str) -> None:
    assert form(f"{first}\nif not book:\n    answer = 'Error: no book'\nreturn answer") == meaning


def test_a_text_that_does_not_say_so_is_an_error_where_nothing_else_is_answered() -> None:
    assert form("answer = 'Unknown shop'\nif shop:\n    answer = 'Unknown book'\nreturn answer") == "unmarked_text"
    assert form("answer = shop(book)\nif not book:\n    answer = 'Unknown book'\nreturn answer") == ""
    assert form("return shop(book) if book else 'Unknown book'") == "unmarked_text"


def test_of_several_errors_the_one_that_is_written_out_most_is_told() -> None:
    body = "answer = {}\nif not book:\n    answer = {}\nreturn answer"
    assert form(body.format("{'success': False}", "'Error: no book'")) == "payload success"
    assert form(body.format("'Error: no book'", "{'success': False}")) == "payload success"


BATCHES: Cases = {
    "items of a loop fail": ("for each in shop:\n    if not each:\n        reply['success'] = False", ""),
    "all of it fails": ("if not book:\n    reply['success'] = False", "payload success"),
    "all of it fails, or items of a loop": (
        "if not book:\n    reply['success'] = False\n"
        "for each in shop:\n    if not each:\n        reply['error'] = 'none'",
        "payload success",
    ),
    "it fails where a loop ends": (
        "for each in shop:\n    if not each:\n        reply = {'success': False}\n        break",
        "payload success",
    ),
}


@pytest.mark.parametrize(("body", "meaning"), BATCHES.values(), ids=BATCHES)
def test_a_result_of_several_things_is_an_error_where(body: str, meaning: str) -> None:
    assert form(f"reply = {{'success': True}}\n{body}\nreturn reply") == meaning


DUMPED = "json.dumps({'success': False})"

BLOCKS: Cases = {
    "a text": ("{'type': 'text', 'text': 'Error: no book'}", "text"),
    "a payload that is written out": (f"{{'type': 'text', 'text': {DUMPED}}}", "payload success"),
    "a payload with a text around": (f"{{'type': 'text', 'text': f\"Answer: {{{DUMPED}}}\"}}", "payload success"),
    "a payload with a text of an error around": (f"{{'type': 'text', 'text': f\"Error: {{{DUMPED}}}\"}}", "text"),
    "a payload with a text around that does not say so": (
        f"{{'type': 'text', 'text': f\"Unknown book: {{{DUMPED}}}\"}}",
        "payload success",
    ),
    "a text that does not say so": ("{'type': 'text', 'text': 'Unknown book'}", "unmarked_text"),
    "what was asked": ("{'type': 'text', 'text': book}", ""),
    "a text in another one": ("{'type': 'text', 'text': f\"Answer: {str('Error: no book')}\"}", ""),
    "a text of an image": ("{'type': 'image', 'text': 'Error: no book'}", "payload text"),
    "a text of an object": ("TextContent(type='text', text='Error: no book')", "text"),
    "a text by its place": ("types.TextContent('Error: no book')", "text"),
    "a payload in an object": (f"TextContent(type='text', text=f\"Answer: {{{DUMPED}}}\")", "payload success"),
    "nothing in an object": ("TextContent(type='text')", ""),
    "one of several objects": ("[TextContent(text='Error: no book'), TextContent(text='one book')]", ""),
    "the one object": ("[TextContent(text='Error: no book')]", "text"),
}


@pytest.mark.parametrize(("answer", "meaning"), BLOCKS.values(), ids=BLOCKS)
def test_of_a_block_of_content_the_error_is(answer: str, meaning: str) -> None:
    assert form(f"return {answer}") == meaning


TUPLES: Cases = {
    "nothing and a text": ("None, 'no book'", "tuple None"),
    "nothing and a payload": ("None, {'success': False}", "tuple None"),
    "nothing, nothing and a text": ("None, None, 'no book'", "tuple None"),
    "no and a text": ("False, f'no {book}'", "tuple False"),
    "yes and a text": ("True, 'no book'", ""),
    "a number and a text": ("0, 'no book'", ""),
    "nothing and nothing": ("None, None", ""),
    "nothing and an empty text": ("None, ''", ""),
    "nothing and a number": ("None, 5", ""),
    "nothing and what was asked": ("None, book.title", ""),
    "a payload and a number": ("{'success': False}, 404", "tuple success"),
    "a text and a number": ("'Error: no book', 404", ""),
    "an empty list and a payload": ("[], {'success': False}", "tuple nothing"),
    "an empty text and a payload": ("'', {'success': False}", "tuple nothing"),
    "an empty list and a text": ("[], 'no book'", ""),
    "a list and a payload": ("[book], {'success': False}", ""),
    "yes and a payload": ("True, {'success': False}", ""),
    "what was asked and a payload": ("book, {'success': False}", ""),
    "one text": ("('Error: no book',)", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), TUPLES.values(), ids=TUPLES)
def test_a_tuple_is_an_error_of(answer: str, meaning: str) -> None:
    assert form(f"return {answer}") == meaning


LISTS: Cases = {
    "one error": ("return [{'success': False}]", "payload success"),
    "one of two errors": (
        "answer = {'success': False}\nif book:\n    answer = {'success': False, 'books': 1}\nreturn [answer]",
        "payload success",
    ),
    "one list of one error": ("return [[{'success': False}]]", "payload success"),
    "two errors": ("return [{'success': False}, {'success': False}]", ""),
    "nothing": ("return []", ""),
    "an error by a name": ("answer = {'success': False}\nreturn [answer]", "payload success"),
    "what is an error on some way": (
        "answer = {'success': True}\nif not book:\n    answer = {'success': False}\nreturn [answer]",
        "",
    ),
    "the text of what is an error on some way": (
        "answer = {'success': True}\nif not book:\n    answer = {'success': False}\nreturn [json.dumps(answer)]",
        "payload success",
    ),
}


@pytest.mark.parametrize(("body", "meaning"), LISTS.values(), ids=LISTS)
def test_a_list_is_an_error_of(body: str, meaning: str) -> None:
    assert form(body) == meaning


CARRIED: Cases = {
    "under a key of its own": ("{'result': {'success': False}}", "payload success"),
    "under a key in any case": ("{'Result': {'success': False}}", "payload success"),
    "in a list under a key of its own": ("{'result': [{'success': False}]}", "payload success"),
    "under the name of a thing": ("{'title': {'success': False}}", ""),
    "beside something else": ("{'result': {'success': False}, 'number': 1}", ""),
    "beside what something else has": ("{'result': {'success': False}, **shop}", ""),
    "by nothing but a text": ("{'data': {'message': 'Error: no book'}}", ""),
    "by a text alone": ("{'data': 'Error: no book'}", ""),
    "by a call that builds it": ("{'data': failed(book)}", ""),
    "with all that a call builds": ("{**failed(book), 'number': 1}", "factory success error"),
    "with all that a call builds, and a success": ("{**failed(book), 'success': True}", ""),
    "with all that another call builds": ("{**found(book), 'number': 1}", ""),
    "with all that a name of the module holds": ("{**FAILED, 'number': 1}", "payload success"),
    "with all that two names hold, last an error": ("{**SAVED, **FAILED}", "payload success"),
    "with all that two names hold, last a success": ("{**FAILED, **SAVED}", ""),
    "with all that a name holds, but for a success": ("{**FAILED, 'success': True}", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), CARRIED.values(), ids=CARRIED)
def test_an_error_inside_of_a_dict_is_told(answer: str, meaning: str) -> None:
    head = "FAILED = {'success': False}\nSAVED = {'success': True}\n\n\n"
    failed = "def failed(x):\n    return {'success': False, 'error': x}\n\n\ndef found(x):\n    return {'number': x}\n"
    assert form(f"return {answer}", head + failed) == meaning


MERGED: Cases = {
    "an error on some way": ("part = {'success': False}\nif book:\n    part = {'success': True}", ""),
    "an error on every way": ("part = {'success': False}", "payload success"),
    "an error or what a call answers": ("part = {'success': False}\nif book:\n    part = shop(book)", ""),
}


@pytest.mark.parametrize(("body", "meaning"), MERGED.values(), ids=MERGED)
def test_what_is_merged_into_a_dict_is(body: str, meaning: str) -> None:
    assert form(f"{body}\nreturn {{**part, 'number': 1}}") == meaning


MARKS: Cases = {
    "a frame of a protocol": ("{'jsonrpc': '2.0', 'error': 'none'}", ""),
    "a body that a protocol prescribes": ("{'error': 'none', 'error_description': 'no book'}", ""),
    "what was found to be wrong": ("{'Valid': False, 'error': 'none'}", ""),
    "a message of a conversation": ("{'role': 'tool', 'content': 'Error: none', 'error': 'none'}", ""),
    "no more than a message of a conversation": ("{'role': 'tool', 'content': 'Error: none'}", ""),
    "what has a role alone": ("{'role': 'tool', 'error': 'none'}", "payload error"),
    "how something is": ("{'health': 'bad', 'error': 'none'}", ""),
    "what may say how something is": ("{'health': shop.health, 'error': 'none'}", "payload error"),
    "two flags that contradict": ("{'success': False, 'ok': True}", ""),
    "a flag that is a number": ("{'success': 0, 'error': 'none'}", ""),
    "a flag that is not known": ("{'success': shop.up, 'error': 'none'}", ""),
    "a flag of a failure": ("{'failed': True}", "payload failed"),
    "how many failed": ("{'failed': 3}", ""),
    "no failure, but an error": ("{'failed': False, 'error': 'none'}", "payload error"),
    "the mark that it is no error": ("{'isError': False, 'error': 'none'}", ""),
    "the mark that it is an error": ("{'isError': True}", "payload isError"),
    "a mark that is not known": ("{'isError': shop.down, 'error': 'none'}", "payload error"),
    "a status of a failure": ("{'status': 'failed'}", "payload status"),
    "a status of a success": ("{'status': 'ok', 'error': 'none'}", ""),
    "a status of its own": ("{'status': 'open'}", ""),
    "an error beside a status of its own": ("{'status': 'open', 'error': 'none'}", "payload error"),
    "an error beside a status that is not known": ("{'status': book, 'error': 'none'}", "payload error"),
    "a failure that is done": ("{'success': False, 'status': 'done'}", ""),
    "a status with a hole": ("{'status': f'{book}_failed'}", ""),
    "an alert": ("{'type': 'danger', 'message': 'no book'}", "payload type"),
    "an alert with a title": ("{'Level': 'error', 'title': 'Books', 'text': 'no book'}", "payload Level"),
    "an alert with more than a title": ("{'type': 'danger', 'message': 'no book', 'number': 1}", ""),
    "an alert that all is well": ("{'type': 'info', 'message': 'no book'}", ""),
    "an alert without a text": ("{'type': 'danger', 'title': 'Books'}", ""),
    "an object like an alert": ("Alert(type='danger', message='no book')", ""),
    "an error that is there": ("{'error': True}", "payload error"),
    "no error": ("{'error': None, 'number': 1}", ""),
    "an error that is not there": ("{'error': False}", ""),
    "an empty error": ("{'error': ''}", ""),
    "an error with parts": ("{'error': {'code': 1}, 'number': 1}", "payload error"),
    "an error without parts": ("{'error': {}}", ""),
    "an error that may be nothing, alone": ("{'error': shop.why, 'hint': 'ask'}", "payload error"),
    "an error that may be nothing, beside something else": ("{'error': shop.why, 'number': 1}", ""),
    "errors in a list": ("{'error': ['none'], 'number': 1}", ""),
    "no errors in a list": ("{'error': []}", ""),
    "a list of one text": ("{'errors': ['no book']}", "payload errors"),
    "a list of one message": ("{'errors': [{'Message': 'no book'}], 'data': None}", "payload errors"),
    "a list of one thing": ("{'errors': [{'title': 'no book'}], 'data': None}", ""),
    "a list of what may be a text": ("{'errors': [book]}", ""),
    "a list of two texts": ("{'errors': ['no book', 'no shop']}", ""),
    "a list of one text beside nothing": ("{'errors': ['no book'], 'books': []}", "payload errors"),
    "a list of one text beside a result": ("{'errors': ['no book'], 'books': [1]}", ""),
    "a list of errors of a failure": ("{'success': False, 'errors': ['no book']}", "payload success"),
    "a text in the place of a list": ("{'errors': 'no book'}", ""),
    "a problem": ("{'problem': {'type': 'a', 'title': 'b', 'detail': 'c'}}", "payload problem"),
    "a problem with few members": ("{'problem': {'type': 'a', 'detail': 'b'}}", ""),
    "a problem of which nothing is told": ("{'problem': {'type': 'a', 'title': 'b', 'status': 404}}", ""),
    "what is called a problem": ("{'problem': make_problem(book)}", "payload problem"),
    "what is called otherwise": ("{'problem': shop(book)}", ""),
    "one of two problems": ("{'problem': make_problem(1) if book else make_problem(2)}", "payload problem"),
    "a problem or nothing": ("{'problem': make_problem(1) if book else None}", ""),
    "a code": ("{'error_code': 'NO_BOOK'}", "payload error_code"),
    "a code of a success": ("{'error_code': 'OK'}", ""),
    "an empty code": ("{'error_code': ''}", ""),
    "a code that is not known": ("{'error_code': book}", ""),
    "a code beside a status of its own": ("{'error_code': 'NO_BOOK', 'status': 'open'}", ""),
    "a message that says so": ("{'message': 'Error: no book'}", "payload message"),
    "a message that does not say so": ("{'message': 'Unknown book'}", ""),
    "a message beside a status of its own": ("{'message': 'Error: no book', 'status': 'open'}", ""),
    "a message beside what was found out": ("{'message': 'Error: no book', 'is_open': False}", ""),
    "a message beside what is allowed": ("{'message': 'Error: no book', 'allowed': False}", ""),
    "a message beside a mark that is not known": ("{'message': 'Error: no book', 'is_error': x}", "payload message"),
    "an error beside what was found out": ("{'error': 'no book', 'is_open': False}", "payload error"),
    "a message in another language": ("{'message': _('Error: no book')}", "payload message"),
    "a message that begins in another language": (
        "{'message': f\"{_('Error: no book ')}{book}\"}",
        "payload message",
    ),
    "a message that begins with something else": ("{'message': f\"{shown('Error: no book ')}{book}\"}", ""),
    "a message that a function makes": ("{'message': shown('Error: no book')}", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), MARKS.values(), ids=MARKS)
def test_what_a_payload_is_by_its_keys(answer: str, meaning: str) -> None:
    assert form(f"return {answer}") == meaning


STATUSES: Cases = {
    "ends with a failure": ("f'{book}_failed'", "payload status"),
    "ends with a success": ("f'{book}_saved'", ""),
    "begins with a failure": ("f'failed_{book}'", ""),
    "is not known": ("f'{book}'", ""),
}


@pytest.mark.parametrize(("status", "meaning"), STATUSES.values(), ids=STATUSES)
def test_a_status_of_a_handler_is_one_of_an_error_where_it(status: str, meaning: str) -> None:
    assert form(f"try:\n    shop(book)\nexcept OSError:\n    return {{'status': {status}}}") == meaning


HELPERS: dict[str, tuple[str, str, str]] = {
    "what a probe asks for": ("check_shop", "{'connected': False, 'error': 'none'}", ""),
    "what a probe asks for, by a flag": ("check_shop", "{'is_connected': False, 'error': 'none'}", ""),
    "what a probe asks for and only the run knows": (
        "check_shop",
        "{'connected': up, 'error': 'none'}",
        "payload error",
    ),
    "what a probe counts": ("check_shop", "{'count': 3, 'error': 'none'}", "payload error"),
    "what another function asks for": ("open_shop", "{'connected': False, 'error': 'none'}", "payload error"),
    "the record of a command": ("run", "{'success': False, 'returncode': 1, 'stdout': out}", ""),
    "the record of a command, with an error": (
        "run",
        "{'success': False, 'returncode': 1, 'stdout': out, 'error': 'none'}",
        "payload success error",
    ),
    "the number of a command": ("run", "{'success': False, 'returncode': 1}", "payload success"),
    "what a command printed": ("run", "{'success': False, 'stdout': out}", "payload success"),
    "an error of a protocol": ("run", "{'error': {'code': -32603, 'message': 'none'}}", ""),
    "an error of a protocol with the last of its numbers": ("run", "{'error': {'code': -32000}}", ""),
    "an error with a number of its own": ("run", "{'error': {'code': -31999}}", "payload error"),
    "an error of a protocol beside something else": (
        "run",
        "{'error': {'code': -32603, 'message': 'none'}, 'number': 1}",
        "payload error",
    ),
    "an error with a code": ("run", "{'error': {'code': 'NO_BOOK'}}", "payload error"),
    "an error without a code": ("run", "{'error': {'message': 'none'}}", "payload error"),
}


@pytest.mark.parametrize(("name", "answer", "meaning"), HELPERS.values(), ids=HELPERS)
def test_of_a_function_that_no_client_calls(name: str, answer: str, meaning: str) -> None:
    assert forms(f"def {name}(book):\n    return {answer}\n") == [meaning]


def test_a_tool_answers_the_record_of_a_command_and_an_error_of_a_protocol_itself() -> None:
    assert form("return {'success': False, 'returncode': 1, 'stdout': out}") == "payload success"
    assert form("return {'error': {'code': -32603, 'message': 'none'}}") == "payload error"


PRESENCES: dict[str, tuple[str, str, str]] = {
    "a text with a hole": ("f'{book}'", "error", "error"),
    "an empty text": ("''", "", ""),
    "a name": ("why", "error", "error"),
    "what was asked": ("book", "error", "error"),
    "a constant that is a text": ("NO_BOOK", "error", "error"),
    "a constant that is nothing": ("NOTHING", "", ""),
    "an attribute": ("shop.why", "", ""),
    "an attribute of what was asked": ("book.why", "", ""),
    "an attribute of what was caught": ("e.why", "", "error"),
    "an attribute, or else a text": ("shop.why or 'none'", "error", "error"),
    "an attribute, or else another": ("shop.why or book.why", "", ""),
    "one of two texts": ("'none' if shop else 'no'", "error", "error"),
    "nothing or a text": ("None if shop else 'none'", "", ""),
    "nothing, or else a text": ("None or 'none'", "error", "error"),
    "a text or nothing": ("'none' if shop else None", "", ""),
    "the error of another answer": ("shop['error']", "", "error"),
    "another part of an answer": ("shop['why']", "", "error"),
    "a part of a part of an answer": ("shop['book']['why']", "error", "error"),
    "the error of a part of an answer": ("shop['book']['error']", "", "error"),
    "the first of several": ("shop[0]", "", "error"),
    "what a function makes": ("why(shop)", "error", "error"),
    "what is looked up": ("shop.get(book)", "", ""),
    "an attribute by its name": ("getattr(shop, 'why')", "", ""),
    "what is taken out": ("shop.pop('why')", "", ""),
    "how many there are": ("len(shop)", "", ""),
    "whether there is any": ("bool(shop)", "", ""),
    "what a function makes of what is looked up": ("short(shop.get(book))", "", "error"),
    "what a function makes of a part of an answer": ("short(shop.get('why'))", "", "error"),
    "what a function makes of the error of an answer": ("short(shop.get('error'))", "", "error"),
    "the text of a part of an answer": ("str(shop.get('why'))", "error", "error"),
    "the text of what is looked up": ("str(shop.get(book))", "error", "error"),
    "how what is looked up is written": ("repr(shop.get(book))", "error", "error"),
    "what a function makes of several": ("short(shop.get(book), 9)", "error", "error"),
    "what a function makes of what another answers": ("short(shop.find(book))", "error", "error"),
    "what is worked out": ("shop + 1", "", "error"),
    "a list": ("[shop]", "", ""),
    "a number": ("3", "", ""),
    "a member of what is not here": ("Reasons.NO_BOOK", "", ""),
}


@pytest.mark.parametrize(("value", "outside", "inside"), PRESENCES.values(), ids=PRESENCES)
def test_under_an_error_key_outside_of_a_handler_and_inside_there_is(value: str, outside: str, inside: str) -> None:
    head = "NO_BOOK = 'no book'\nNOTHING = None\n"
    answer = f"return {{'number': 1, 'error': {value}}}"
    handled = f"try:\n    shop(book)\nexcept OSError as e:\n    {answer}"
    told = [form(answer, head), form(handled, head)]
    assert told == [f"payload {each}" if each else "" for each in (outside, inside)]


PARAMETERS: dict[str, tuple[str, str, str]] = {
    "an error that has to be given": ("error", "payload error", "payload error"),
    "an exception that has to be given": ("exc", "payload error", "payload error"),
    "something else that has to be given": ("book", "payload error", ""),
    "an error that need not be given": ("error=None", "", ""),
    "an error that may be empty": ("error=''", "", ""),
    "an error with a text of its own": ("error='no book'", "payload error", "payload error"),
}


@pytest.mark.parametrize(("parameter", "whole", "part"), PARAMETERS.values(), ids=PARAMETERS)
def test_what_a_builder_is_handed_and_a_part_of_it_is(parameter: str, whole: str, part: str) -> None:
    name = parameter.partition("=")[0]
    text = f"def built({parameter}):\n    return {{'number': 1, 'error': {name}}}\n"
    assert forms(text) == [whole]
    assert forms(text.replace(f": {name}}}", f": {name}.text}}")) == [part]


def test_in_a_handler_that_does_not_look_at_what_was_caught_an_error_may_be_nothing() -> None:
    handled = "try:\n    shop(book)\nexcept OSError{}:\n    return {{'number': 1, 'error': shop['error']}}"
    assert form(handled.format(" as e")) == "payload error"
    assert form(handled.format("")) == ""


NAMED: Cases = {
    "a constant that is a status": ("{'status': FAILED}", "payload status"),
    "a constant that is a flag": ("{'success': NO}", "payload success"),
    "a constant that says that all is well": ("{'success': YES, 'error': 'none'}", ""),
    "a member": ("{'status': State.BAD}", "payload status"),
    "the value of a member": ("{'status': State.BAD.value}", "payload status"),
    "a member that says that all is well": ("{'status': State.GOOD, 'error': 'none'}", ""),
    "a member of what is not here": ("{'status': Status.ERROR}", "payload status"),
    "the value of a member of what is not here": ("{'status': Status.ERROR.value}", "payload status"),
    "what is no member": ("{'status': Status.Error}", ""),
    "what is of nothing": ("{'status': ERROR}", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), NAMED.values(), ids=NAMED)
def test_an_error_is_told_by_a_name_for(answer: str, meaning: str) -> None:
    head = "from enum import Enum\n\nFAILED = 'failed'\nYES = True\nNO = False\n\n\n"
    members = "class State(Enum):\n    BAD = 'failed'\n    GOOD = 'ok'\n"
    assert form(f"return {answer}", head + members) == meaning


@pytest.mark.parametrize(("count", "meaning"), [(4, "payload error"), (5, "")])
def test_texts_are_looked_for_in_four_conditions(count: int, meaning: str) -> None:
    texts = "".join(f"'none' if book == {index} else (" for index in range(count))
    assert form(f"return {{'number': 1, 'error': {texts}'no'{')' * count}}}") == meaning


def test_an_error_alone_is_one_unless_it_is_nothing_on_every_way() -> None:
    held = "why = None\nif shop:\n    why = {}\nreturn {{'error': why}}"
    assert form(held.format("'none'")) == "payload error"
    assert form(held.format("''")) == ""


NUMBERED: dict[str, tuple[str, str, str]] = {
    "alone": ("{'code': 0, 'msg': 'ok'}", "{'code': 1, 'msg': 'no such book'}", "payload code"),
    "beside a flag": (
        "{'success': True, 'code': 0, 'msg': 'ok'}",
        "{'success': False, 'code': 1, 'msg': 'no such book'}",
        "payload success",
    ),
    "of an object": ("types.Reply(code=0, msg='ok')", "types.Reply(code=1, msg='no such book')", ""),
    "that a function is given": ("shown(code=0, msg='ok')", "shown(code=1, msg='no such book')", ""),
}


@pytest.mark.parametrize(("good", "bad", "meaning"), NUMBERED.values(), ids=NUMBERED)
def test_a_number_tells_an_error(good: str, bad: str, meaning: str) -> None:
    assert forms(tool(f"if book:\n    return {good}\nreturn {bad}")) == ["", meaning]


WAYS: Cases = {
    "a text on every way": ("why = 'none'\nif shop:\n    why = 'no'", "payload error"),
    "a text on some way": ("why = None\nif shop:\n    why = 'no'", ""),
    "a text on no way": ("why = None\nif shop:\n    why = ''", ""),
}


@pytest.mark.parametrize(("body", "meaning"), WAYS.values(), ids=WAYS)
def test_under_an_error_key_a_name_holds(body: str, meaning: str) -> None:
    assert form(f"{body}\nreturn {{'number': 1, 'error': why}}") == meaning


MADE: Cases = {
    "a reply by the places of its fields": ("Reply(False, 'none')", "object Reply"),
    "a reply that all is well": ("Reply(True, '')", ""),
    "a reply by its names": ("Reply(success=False)", "object Reply"),
    "a reply of a library, by places": ("types.Reply(False, 'none')", ""),
    "an exception": ("BookError(error='none')", ""),
    "an exception of a library": ("types.BookError(success=False)", ""),
    "a thing": ("Book('none')", ""),
    "a thing that is called failed": ("FailedBook('none')", ""),
    "what is called an error": ("ErrorInfo('none')", "object ErrorInfo"),
    "what a library calls an error": ("types.ErrorInfo('none')", ""),
    "what a library calls the answer of an error": ("types.ErrorResponse('none')", "object ErrorResponse"),
    "a frame of a protocol": ("Frame(error='none')", ""),
    "a frame of a library's": ("types.Frame(jsonrpc='2.0', error='none')", ""),
    "what hides its first field": ("Hidden('none')", "object Hidden"),
    "all that a call builds": ("Book(**failed(book))", "object Book"),
    "all that one of two builds": ("Book(**either(book))", "object Book"),
    "all that a library builds for an error": ("Book(**shelf.built(success=False))", "object Book"),
    "all that a library builds for a success": ("Book(**shelf.built(success=True))", ""),
    "a field that a library builds for an error": ("Book(title=shelf.built(success=False))", ""),
    "a field that a call builds": ("Book(title=failed(book))", ""),
    "an envelope with the number of an error": ("Envelope(code=1, msg='no such book')", "object Envelope"),
    "an envelope with the number of a success": ("Envelope(code=0, msg='no such book')", ""),
    "an envelope without a number": ("Envelope(msg='no such book')", ""),
    "all that there is": ("Book(**book)", ""),
    "what has the level of an error": ("types.Note(Level='ERROR', text='none')", "object Note"),
    "what has a name of an error": ("types.Note(name='FAILURE')", "object Note"),
    "what has a level in small letters": ("types.Note(level='error', text='none')", ""),
    "what was found to be wrong": ("types.Note(id='ERROR', valid=False)", ""),
    "what has another field like it": ("types.Note(title='ERROR')", ""),
    "a text that has no name": ("types.Note('Error: no book')", ""),
    "a content that says so": ("types.Note(content='Error: no book')", "object Note"),
    "a content that does not say so": ("types.Note(content='Unknown book')", ""),
    "a content with a payload": ("types.Note(content={'success': False})", "payload success"),
    "a content with a tuple": ("types.Note(content=(None, {'success': False}))", ""),
    "a content with a block": ("types.Note(content=[TextContent(text='Error: none')])", "text"),
    "data with an object": ("types.Note(data=Reply(success=False))", "object Reply"),
    "messages of a prompt": ("types.GetPromptResult(messages=[{'success': False}])", "payload success"),
    "messages of something else": ("types.Note(messages=[{'success': False}])", ""),
    "contents of a resource": ("types.ReadResourceResult(contents=['Error: no book'])", "text"),
    "a resource by places": ("ReadResourceContents('Error: no book', 'text')", "object ReadResourceContents"),
    "a payload without a name": ("types.Note({'success': False})", "payload success"),
    "a payload without a name behind something else": ("types.Note(book, {'success': False})", "payload success"),
    "the mark of the protocol": ("CallToolResult(isError=True, content=[])", "object CallToolResult"),
    "a status of an error": ("Alert(status='error')", "object Alert"),
    "a status of its own": ("Alert(status='open')", ""),
}

CLASSES = """\
class Reply:
    success: bool
    error: str

    def shown(self):
        return 1


class BookError(Exception):
    pass


class Book:
    title: str


class FailedBook:
    title: str


class Envelope:
    code: int = 0
    msg: str = 'ok'


class ErrorInfo:
    title: str


class Frame:
    jsonrpc: str
    error: str


class Hidden:
    _own: int
    error: str

    def shown(self):
        return self.error


def failed(x):
    return {'success': False, 'error': x}


def either(x):
    if x:
        return {'success': False, 'error': x}
    return {'success': False, 'hint': 'ask'}
"""


@pytest.mark.parametrize(("answer", "meaning"), MADE.values(), ids=MADE)
def test_what_an_object_is_by_its_fields(answer: str, meaning: str) -> None:
    assert form(f"return {answer}", CLASSES) == meaning


NOTES: Cases = {
    "a text that says so": ("types.Note('Error: no book')", "object Note"),
    "a text that says so beside a status": ("types.Note('Error: no book', status=book)", ""),
    "a text that does not say so": ("types.Note('Unknown book')", ""),
    "a text by its name": ("types.Note(label='Error: no book')", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), NOTES.values(), ids=NOTES)
def test_an_object_of_a_handler_that_has_the_exception_is_an_error_by(answer: str, meaning: str) -> None:
    handled = "try:\n    shop(book)\nexcept OSError{}:\n    return {}"
    assert form(handled.format(" as e", answer)) == meaning
    assert form(handled.format("", answer)) == ""


CALLS: Cases = {
    "what is written as JSON": ("json.dumps({'success': False})", "payload success"),
    "what is written as bytes": ("json.dumps({'success': False}).encode()", "payload success"),
    "nothing that is written": ("json.dumps()", ""),
    "a text that is written": ("json.dumps('Error: no book')", "text"),
    "a text that is written and does not say so": ("json.dumps('Unknown book')", ""),
    "an object as a dict": ("Reply(success=False).model_dump()", "object Reply"),
    "an object as a dict by a function": ("asdict(Reply(success=False))", "object Reply"),
    "a dict of a dict": ("dict({'success': False})", "payload success"),
    "a dict by names": ("dict(success=False)", "payload success"),
    "what is said to be a dict": ("cast(dict, {'success': False})", "payload success"),
    "a cast of too much": ("cast(dict, {'success': False}, 1)", ""),
    "the text of a dict": ("str({'success': False})", "payload success"),
    "the text of a text": ("str('Error: no book')", "text"),
    "the text of nothing": ("str()", ""),
    "a text without its margin": ("textwrap.dedent('Error: no book')", "text"),
    "a text without its ends": ("f'Error: {book}'.strip()", "text"),
    "a text in great letters": ("f'Error: {book}'.upper()", ""),
    "what has a status of its own": ("types.Note({'success': False}, status_code=400)", ""),
    "what takes a status": ("noted({'success': False}, status_code=400)", "payload success"),
    "a response that is a success": ("Response({'success': False})", ""),
    "a response of another library's class": ("ORJSONResponse({'success': False})", ""),
    "a response": ("JSONResponse({'success': False}, status_code=400)", ""),
    "a response of another library with a status": ("web.json_response({'success': False}, status=404)", ""),
    "a response of another library without one": ("web.json_response({'success': False})", "payload success"),
    "what is looked up": ("shop[{'success': False}]", ""),
    "what a method is handed": ("shop.shown({'success': False})", "payload success"),
    "what a method of an answer is handed": ("shop().shown({'success': False})", "payload success"),
    "what an answer is handed": ("shop()({'success': False})", ""),
    "what a method of an object is handed": ("Reply().shown({'success': False})", ""),
    "what is stored": ("save({'success': False})", ""),
    "what is stored by names": ("save_book(success=False)", ""),
    "what is put somewhere": ("shop.put({'success': False})", ""),
    "what a function is handed": ("shown({'success': False})", "payload success"),
    "what a function is handed by a name": ("shown(data={'success': False})", ""),
    "what a function is handed at last": ("shown(1, {'success': False})", ""),
    "a flag that a function is handed": ("shown(success=False)", "factory success"),
    "a status that a function is handed": ("shown(status='error')", "factory status"),
    "an error that a function is handed": ("shown(error='none')", ""),
    "a status and more that a function is handed": ("shown('error', book)", "factory 'error'"),
    "a status alone that a function is handed": ("shown('error')", ""),
    "a success that a function is handed": ("shown('ok', book)", ""),
    "a text that a function is handed": ("shown('Error: no book')", ""),
    "whatever a function is handed": ("shown(*book)", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), CALLS.values(), ids=CALLS)
def test_what_a_call_is_by_what_it_is_given(answer: str, meaning: str) -> None:
    assert form(f"return {answer}", f"from typing import cast\n\n\n{CLASSES}") == meaning


def test_the_text_of_what_was_caught_is_answered() -> None:
    handled = "try:\n    shop(book)\nexcept OSError as e:\n    return {}"
    assert form(handled.format("str(e)")) == "unmarked_text"
    assert form(handled.format("f'{e}'")) == "unmarked_text"
    assert form(handled.format("str(book)")) == ""
    assert form(handled.format("f'{book}'")) == ""


def test_a_name_for_a_dict_is_an_error_where_the_dict_is_one() -> None:
    assert form("answer = {'success': False}\nreturn answer") == "payload success"
    assert form("answer = {'books': 1}\nreturn answer") == ""


@pytest.mark.parametrize("made", ["BookError", "ValueError", "types.LostError"])
def test_what_goes_into_an_exception_is_no_answer(made: str) -> None:
    built = f"class BookError(Exception):\n    pass\n\n\ndef built(data):\n    return {made}(data)\n"
    assert form("return built({'success': False})", f"import types\n\n\n{built}") == ""


WEB = """\
from fastapi import FastAPI
from fastapi.responses import JSONResponse

app = FastAPI()


class HttpResponse:
    error: str


"""

RESPONSES: Cases = {
    "a dict": ("{'error': 'none'}", "payload error"),
    "a dict and the status of an error": ("{'error': 'none'}, 404", ""),
    "a dict and the status of a success": ("{'error': 'none'}, 200", "payload error"),
    "a dict and headers": ("{'error': 'none'}, {'X-Shelf': 'top'}", "payload error"),
    "a dict and headers in a list": ("{'error': 'none'}, [('X-Shelf', 'top')]", "payload error"),
    "a dict and a status that is not known": ("{'error': 'none'}, status", ""),
    "a response": ("JSONResponse({'error': 'none'})", "payload error"),
    "a response of a content by its name": ("JSONResponse(content={'error': 'none'})", "payload error"),
    "a response with the status of an error": ("JSONResponse({'error': 'none'}, status_code=400)", ""),
    "a response with the status of a success": ("JSONResponse({'error': 'none'}, status_code=200)", "payload error"),
    "a response of no content": ("JSONResponse(error='none')", ""),
    "a response of a text that does not say so": ("JSONResponse('Unknown book')", ""),
    "a response of names": ("jsonify(error='none')", "payload error"),
    "a response of names without an error": ("jsonify(books=1)", ""),
    "an object of the project with the name of a response": ("HttpResponse(error='none')", "object HttpResponse"),
    "what a function makes with a status": ("shown({'error': 'none'}, status=404)", ""),
}


@pytest.mark.parametrize(("answer", "meaning"), RESPONSES.values(), ids=RESPONSES)
def test_what_a_route_answers_is(answer: str, meaning: str) -> None:
    assert forms(f"{WEB}@app.get('/books')\ndef page(book):\n    return {answer}\n") == [meaning]


@pytest.mark.parametrize("call", ["JSONResponse({'error': 'none'})", "jsonify(error='none')", "Response({'error': 1})"])
def test_a_response_that_no_route_answers_is_no_error(call: str) -> None:
    assert form(f"return {call}", WEB) == ""
    assert form("return HttpResponse(error='none')", WEB) == "object HttpResponse"


def states(*told: str, last: str) -> str:
    """Return a function that answers one of several statuses, and something else at last."""
    each = "".join(f"    if book == {index}:\n        return {{'status': '{one}'}}\n" for index, one in enumerate(told))
    return f"def load(book):\n{each}{last}\n"


STATES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "one of four": (("open", "shut", "sold"), "    return {'status': 'failed'}", ""),
    "one of four, in great letters": (("open", "shut", "sold"), "    return {'status': 'FAILED'}", ""),
    "one of four, with a message": (("open", "shut", "sold"), "    return {'status': 'failed', 'message': 'none'}", ""),
    "one of three": (("open", "shut"), "    return {'status': 'failed'}", "payload status"),
    "one of three that is told twice": (("open", "shut", "Open"), "    return {'status': 'failed'}", "payload status"),
    "one of four, which says error": (("open", "shut", "sold"), "    return {'status': 'Error'}", "payload status"),
    "one of four, of which one is a success": (
        ("open", "Success", "sold"),
        "    return {'status': 'failed'}",
        "payload status",
    ),
    "under another key than four": (("open", "shut", "sold"), "    return {'state': 'failed'}", "payload state"),
    "one of four, with a flag": (
        ("open", "shut", "sold"),
        "    return {'success': False, 'status': 'failed'}",
        "payload success status",
    ),
    "one of four, with an error": (
        ("open", "shut", "sold"),
        "    return {'status': 'failed', 'error': 'none'}",
        "payload status error",
    ),
    "one of four, for what was caught": (
        ("open", "shut", "sold"),
        "    try:\n        shop()\n    except OSError:\n        return {'status': 'failed'}",
        "payload status",
    ),
}


@pytest.mark.parametrize(("told", "last", "meaning"), STATES.values(), ids=STATES)
def test_a_status_of_a_failure_is(told: tuple[str, ...], last: str, meaning: str) -> None:
    assert forms(states(*told, last=last))[-1] == meaning


def test_a_status_is_one_of_several_too_where_a_call_is_handed_them() -> None:
    text = states("open", "shut", "sold", last="    return {'status': 'failed'}")
    assert forms(text.replace("return {", "return shown({").replace("'}", "'})")) == ["", "", "", ""]


GOOD, NONE = "{'success': True, 'books': 1}", "{'success': False, 'books': 0}"

FOUND_OUT: dict[str, tuple[str, str, str, str]] = {
    "as it answers that all is well": ("def check_shop(book):", GOOD, NONE, ""),
    "as it hands on that all is well": ("def check_shop(book):", f"shown({GOOD})", NONE, ""),
    "under other keys": ("def check_shop(book):", "{'success': True, 'number': 1}", NONE, "payload success"),
    "where it does not say that all is well": (
        "def check_shop(book):",
        "{'success': book, 'books': 1}",
        NONE,
        "payload success",
    ),
    "by an error": (
        "def check_shop(book):",
        "{'success': True, 'error': None}",
        "{'success': False, 'error': 'none'}",
        "payload success error",
    ),
    "by two flags": (
        "def check_shop(book):",
        "{'success': True, 'ok': True}",
        "{'success': False, 'ok': False}",
        "payload success ok",
    ),
    "by a status": ("def check_shop(book):", "{'status': 'ok'}", "{'status': 'failed'}", "payload status"),
    "for a client": ("@mcp.tool()\ndef check_shop(book):", GOOD, NONE, "payload success"),
    "for a client of a route": (f"{WEB}@app.get('/')\ndef check_shop(book):", GOOD, NONE, "payload success"),
    "though it is no check": ("def load(book):", GOOD, NONE, "payload success"),
}


@pytest.mark.parametrize(("head", "good", "bad", "meaning"), FOUND_OUT.values(), ids=FOUND_OUT)
def test_a_check_answers_a_failure(head: str, good: str, bad: str, meaning: str) -> None:
    text = f"{head}\n    if book:\n        return {good}\n    return {bad}\n"
    assert forms(text) == ["", meaning]


@pytest.mark.parametrize(("count", "meaning"), [(6, "payload success"), (7, "")])
def test_values_in_values_are_followed_six_times(count: int, meaning: str) -> None:
    assert form(f"return {'[' * count}{{'success': False}}{']' * count}") == meaning


WRAPPED: dict[str, tuple[str, str]] = {
    "nothing": ("{'success': False}", ""),
    "what writes it": ("json.dumps({'success': False})", "dumps"),
    "what writes it, and makes bytes": ("json.dumps({'success': False}).encode()", "dumps"),
    "a block": ("{'type': 'text', 'text': 'Error: no book'}", "a text block"),
    "what writes it, in a block": ("{'type': 'text', 'text': json.dumps({'success': False})}", "dumps"),
    "an object": ("TextContent(text='Error: no book')", "TextContent"),
    "what writes it, in an object": ("TextContent(text=json.dumps({'success': False}))", "dumps"),
    "what is handed it": ("shop.shown({'success': False})", "shown"),
    "what is handed a flag": ("shop.shown(success=False)", "shop.shown"),
    "what is handed a flag by a method of an answer": ("shop().shown(success=False)", "shown"),
}


@pytest.mark.parametrize(("answer", "wrapper"), WRAPPED.values(), ids=WRAPPED)
def test_around_an_error_is(answer: str, wrapper: str) -> None:
    project = linked({"server.py": HEAD + tool(f"return {answer}")})
    function = project.modules["server.py"].functions[-1]
    found = project.classifier.classify("server.py", function, function.returns[0])
    assert found is not None
    assert found.wrapper == wrapper


SAYINGS: dict[str, tuple[str, str]] = {
    "an error": ("{'success': False, 'error': f'no {book}'}", "no {}"),
    "an error below a title": ("{'success': False, 'title': 'Books', 'error': 'no book'}", "no book"),
    "a message below a title": ("{'success': False, 'title': 'Books', 'message': 'no book'}", "no book"),
    "a message that is no error by itself": ("{'success': False, 'message': 'none left'}", "none left"),
    "the first of two texts": ("{'success': False, 'error': 'no book', 'message': 'ask'}", "no book"),
    "an error in another language": ("{'success': False, 'error': _('no book')}", "no book"),
    "an error that begins in another language": (
        "{'success': False, 'error': f\"{_('no book ')}{book}\"}",
        "no book {}",
    ),
    "an error that is not known": ("{'success': False, 'error': shown('no book')}", ""),
    "a translation of nothing": ("{'success': False, 'error': _()}", ""),
    "a text for a function that builds it": ("failed('no book')", "no book"),
    "a text for an object": ("types.ErrorResponse(book, 'no book')", "no book"),
}


@pytest.mark.parametrize(("answer", "text"), SAYINGS.values(), ids=SAYINGS)
def test_an_error_says(answer: str, text: str) -> None:
    head = "def failed(text):\n    return {'success': False, 'error': text}\n"
    project = linked({"server.py": HEAD + tool(f"return {answer}", head)})
    function = project.modules["server.py"].functions[-1]
    found = project.classifier.classify("server.py", function, function.returns[0])
    assert found is not None
    assert found.text == text
