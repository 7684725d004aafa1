"""What is done in the modes of the policy, and with its settings: what is at odds with what the policy says."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray, project_of

from errlint.project.modes import statuses_of

SETTINGS = """\
[response]
by-status = { error = "Refused", degraded = "Degraded", queued = "Queued", success = "Done" }

[work]
modes = ["FAIL", "STORE_RAW", "QUEUE_RETRY"]
answers = { FAIL = "error", STORE_RAW = "degraded" }
stores = ["store.save"]
enqueue = ["*.put"]
defaults = { on_missing = "FAIL", wait = "True" }
parameters = { add = ["wait"] }
"""
HEAD = """\
from fastmcp import FastMCP

from kit import Degraded, Done, Mode, Other, Queued, Refused, settings, store

mcp = FastMCP("notes")


def later(text):
    return Queued(text)


def one_of(text):
    if text:
        return Degraded(text)
    return Queued(text)


def perhaps(text):
    if text:
        return Degraded(text)
    return store.found(text)


def no_more(text):
    if text:
        return Queued(text)


def deep(text):
    return deeper(text)


def deeper(text):
    return later(text)


"""


KIT = {
    "kit.py": (
        "class Degraded(str):\n    pass\n\n\nclass Done(str):\n    pass\n\n\nclass Other(str):\n    pass\n\n\n"
        "class Queued(str):\n    pass\n\n\nclass Refused(str):\n    pass\n"
    )
}


def at_odds(body: str, parameters: str = "text, mode, queue", policy: str = SETTINGS) -> list[str]:
    """Return how the findings of a function with this body differ from its marks."""
    text = f"{HEAD}def keep({parameters}):\n{indent(body, '    ')}\n"
    return astray({**KIT, "notes.py": text}, policy, "ERR314")


# --- what a mode answers ----------------------------------------------------------------------------------------------

BRANCH = """\
if mode is Mode.STORE_RAW:
    {answer}
if mode is Mode.FAIL:
    {failed}
if mode is Mode.QUEUE_RETRY:
    return later(text)
return None
"""
OTHER = "  # error: the mode `STORE_RAW` answers `queued`; its answer is `degraded`"
ANSWERS = {
    "its own type": "return Degraded(text)",
    "another type": f"return Queued(text){OTHER}",
    "an error": "return Refused(text)",
    "a type of no status": "return Other(text)",
    "what a function answers": f"return later(text){OTHER}",
    "one of two that a function answers": "return one_of(text)",
    "what cannot be told, of a function": "return perhaps(text)",
    "what a function answers that may end": "return no_more(text)",
    "what a function of a function answers": f"return deep(text){OTHER}",
    "what only the run knows": "return store.found(text)",
    "a dict with another status": f"return {{'status': 'queued'}}{OTHER}",
    "a dict with its status": "return {'status': 'degraded'}",
    "a dict with an unknown status": "return {'status': 'odd'}",
    "a dict with another state": f"return {{'state': 'queued'}}{OTHER}",
    "a dict without a status": "return {'text': text}",
    "one of two types": (
        "return Queued(text) if text else Done(text)"
        "  # error: the mode `STORE_RAW` answers `queued` or `success`; its answer is `degraded`"
    ),
    "one of two types, one its own": "return Queued(text) if text else Degraded(text)",
    "one of two, one of them unknown": "return Queued(text) if text else store.found(text)",
    "a name for a type": f"answer = Queued(text)\n    return answer{OTHER}",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_in_a_branch_of_a_mode_is_answered(answer: str) -> None:
    assert at_odds(BRANCH.format(answer=answer, failed="return Refused(text)")) == []


STATUSES = {
    "a type": ("Queued(text)", {"queued"}),
    "one of two": ("Queued(text) if text else Done(text)", {"queued", "success"}),
    "one of two, one of them unknown": ("Queued(text) if text else store.found(text)", set()),
    "a type of no status": ("Other(text)", set()),
    "a dict": ("{'status': 'queued'}", {"queued"}),
    "a dict with a word of its own": ("{'status': 'odd'}", set()),
    "a dict without a status": ("{'text': text}", set()),
    "what a function answers": ("deep(text)", {"queued"}),
    "what a function answers that may end": ("no_more(text)", set()),
    "what only the run knows": ("store.found(text)", set()),
    "a text": ("'queued'", set()),
}


@pytest.mark.parametrize(("value", "statuses"), STATUSES.values(), ids=STATUSES)
def test_the_statuses_of_an_answer_are(value: str, statuses: set[str]) -> None:
    texts = {**KIT, "notes.py": f"{HEAD}def keep(text):\n    return {value}\n"}
    project = project_of(texts, SETTINGS, rules=("ERR314",))
    (answer,) = project.modules["notes.py"].functions[-1].returns
    assert statuses_of(project, "notes.py", "keep", answer.value) == frozenset(statuses)


IN_SPITE = "  # error: the mode `FAIL` answers an error and keeps something in spite of it"
KEEPS = {
    "a store": f"store.save(text){IN_SPITE}\n    return Refused(text)",
    "a queue": f"queue.put(text){IN_SPITE}\n    return Refused(text)",
    "nothing": "store.find(text)\n    return Refused(text)",
}


@pytest.mark.parametrize("failed", KEEPS.values(), ids=KEEPS)
def test_a_mode_that_answers_an_error_keeps(failed: str) -> None:
    assert at_odds(BRANCH.format(answer="return Degraded(text)", failed=failed)) == []


def test_a_mode_that_answers_something_else_may_keep_it() -> None:
    answer = "store.save(text)\n    return Degraded(text)"
    assert at_odds(BRANCH.format(answer=answer, failed="return Refused(text)")) == []


def test_a_branch_of_two_modes_answers_for_neither() -> None:
    body = "if mode in (Mode.STORE_RAW, Mode.FAIL):\n    return Queued(text)\nelse:\n    return later(text)"
    assert at_odds(body) == []


def test_a_mode_of_which_the_policy_says_no_answer_may_answer_anything() -> None:
    body = BRANCH.format(answer="return Degraded(text)", failed="return Refused(text)")
    assert at_odds(body.replace("return later(text)", "return Done(text)")) == []


# --- what is no mode --------------------------------------------------------------------------------------------------

STRANGE = "  # error: `mode` is compared with `store`, which is none of the modes `FAIL`, `STORE_RAW`, `QUEUE_RETRY`"
ASKED = "if mode == 'store':{}\n    return text\n{}return None"
FAIL, QUEUE = "if mode == 'fail':\n    text = ''\n", "if mode == 'queue_retry':\n    text = 'later'\n"
UNKNOWN = {
    "two modes besides": ASKED.format(STRANGE, FAIL + QUEUE),
    "one mode besides": ASKED.format("", FAIL),
    "none besides": ASKED.format("", ""),
    "one mode besides, of a setting": "mode = settings.on_missing\n" + ASKED.format(STRANGE, FAIL),
    "one mode besides, of another setting": "mode = settings.wait\n" + ASKED.format("", FAIL),
    "one mode and two others besides": ASKED.format("", FAIL + QUEUE.replace("queue_retry", "odd")),
    "two modes and two others": ASKED.format(
        STRANGE, FAIL + QUEUE + "if mode == 'odd':  # error: with `odd`, which is none\n    text = 'odd'\n"
    ),
    "two modes of something else": ASKED.format("", (FAIL + QUEUE).replace("if mode", "if queue")),
}


@pytest.mark.parametrize("body", UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_no_mode_is_told_beside(body: str) -> None:
    assert at_odds(body) == []


ALWAYS = "  # error: `mode` is always `STORE_RAW`, whatever the setting says; read it from there"
FIXED = {
    "a mode": f"mode = Mode.STORE_RAW{ALWAYS}\nif mode is Mode.FAIL:\n    return ''\nreturn text",
    "a mode that is asked for with all others": (
        f"mode = Mode.STORE_RAW{ALWAYS}\n"
        f"if mode in (Mode.FAIL, Mode.STORE_RAW, Mode.QUEUE_RETRY):\n    return ''\nreturn text"
    ),
    "a mode in one of two cases": (
        "mode = Mode.STORE_RAW\nif queue:\n    mode = Mode.FAIL\nif mode is Mode.FAIL:\n    return ''\nreturn text"
    ),
    "a mode that nothing is told apart by": "mode = Mode.STORE_RAW\nreturn text",
    "something else that is told apart": "mode = Other.LARGE\nif mode is Other.LARGE:\n    return ''\nreturn text",
    "a mode beside what is told apart from others": (
        "mode = Mode.STORE_RAW\nif mode is Other.LARGE:\n    return ''\nreturn text"
    ),
    "a mode of another name": "other = Mode.STORE_RAW\nif mode is Mode.FAIL:\n    return other\nreturn text",
}


@pytest.mark.parametrize("body", FIXED.values(), ids=FIXED)
def test_a_name_is_always(body: str) -> None:
    assert at_odds(body) == []


def test_a_policy_with_one_mode_tells_none_apart() -> None:
    policy = SETTINGS.replace(('["FAIL", "STORE_RAW", "QUEUE_RETRY"]'), '["STORE_RAW"]').replace(
        "FAIL = ", "STORE_RAW = "
    )
    policy = policy.replace('answers = { STORE_RAW = "error", STORE_RAW = "degraded" }\n', "")
    body = "mode = Mode.STORE_RAW\nif mode is Mode.STORE_RAW:\n    return ''\nreturn text"
    assert at_odds(body, policy=policy) == []


# --- settings ---------------------------------------------------------------------------------------------------------

DEFAULTS = {
    "the mode of the policy": "def take(text, on_missing='fail'):\n    return text, on_missing\n",
    "another mode": (
        "def take(text, on_missing='queue_retry'):"
        "  # error: `on_missing` is `queue_retry` where nobody gives it; the policy has `FAIL` for its default\n"
        "    return text, on_missing\n"
    ),
    "another value": (
        "def take(text, wait=False):  # error: `wait` is `False` where nobody gives it; the policy has `True`\n"
        "    return text, wait\n"
    ),
    "the value of the policy": "def take(text, wait=True):\n    return text, wait\n",
    "nothing": "def take(text, wait):\n    return text, wait\n",
    "another setting": "def take(text, loud=False):\n    return text, loud\n",
    "a value that is looked up": (
        "import os\n\nMODE = os.environ.get('ON_MISSING', 'queue_retry')  # error: `on_missing` is `queue_retry`\n"
    ),
    "a mode where the default is none": "def take(text, wait=Mode.FAIL):\n    return text, wait\n",
}


@pytest.mark.parametrize("text", DEFAULTS.values(), ids=DEFAULTS)
def test_a_setting_has_for_its_default(text: str) -> None:
    assert astray({"notes.py": text}, SETTINGS, "ERR314") == []


TOOLS = {
    "the parameter": "def add(text, wait):\n    return text if wait else ''\n",
    "the parameter in the settings": "def add(text, level):\n    return text if settings.wait else level\n",
    "no parameter": (
        "def add(text, level):  # error: `add` has no parameter `wait`, so that nobody can choose\n"
        "    return text, level\n"
    ),
    "a parameter that it does not look at": (
        "def add(text, wait):  # error: `add` takes `wait` and does not look at it\n    return text\n"
    ),
    "one parameter, of all": "def add(params):\n    return params.text\n",
    "one parameter and a context": "def add(params, ctx):\n    return params.text\n",
    "any parameters": "def add(text, level, **more):\n    return text, level, more\n",
    "another name": "def find(text, level):\n    return text, level\n",
}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_has(tool: str) -> None:
    assert astray({"notes.py": f"{HEAD}@mcp.tool()\n{tool}"}, SETTINGS, "ERR314") == []


def test_what_is_no_tool_needs_no_parameters() -> None:
    assert astray({"notes.py": f"{HEAD}def add(text, level):\n    return text, level\n"}, SETTINGS, "ERR314") == []
