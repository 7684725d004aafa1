"""Where words stand in the bytes of a file, and whether a file looks at results for errors."""

from __future__ import annotations

import pytest

from errlint.index.occurrences import calls_one, counted, mentioned, mentions, mentions_by_name

MANY = [f"absent_{number}" for number in range(200)]

WHOLE = {
    "a word": ("find book", "book", [5]),
    "a word at the beginning": ("book", "book", [0]),
    "a word twice": ("book + book", "book", [0, 7]),
    "a word twice side by side": ("bookbook book", "book", [9]),
    "a part of a longer word": ("bookshelf", "book", []),
    "the end of a longer word": ("notebook", "book", []),
    "a part behind letters of any language": ("größebook", "book", []),
    "a part before letters of any language": ("bookgröße", "book", []),
    "a word with a dash": ("'not-found'", "not-found", [1]),
    "a part of a word with a dash": ("'not-founder'", "not-found", []),
    "a word that begins with a sign": ("-v, --verbose", "--verbose", [4]),
    "no word": ("find book", "", []),
}


@pytest.mark.parametrize("others", [[], MANY], ids=["few names", "many names"])
@pytest.mark.parametrize(("text", "name", "places"), WHOLE.values(), ids=WHOLE)
def test_where_a_name_stands_as_a_whole_word(text: str, name: str, places: list[int], others: list[str]) -> None:
    data, asked = text.encode(), [name, *others]
    assert mentions(data, asked) == places
    assert mentioned(data, asked) == ({name} if places else set())
    assert [*mentions_by_name(data, asked)] == [(place, name) for place in places]
    assert counted(data, asked) == (((name, len(places)),) if places else ())


def test_names_that_begin_alike_are_told_apart() -> None:
    assert counted(b"not-found not-here not\n", ["not", "not-found", "not-here", *MANY]) == (
        ("not", 3),
        ("not-found", 1),
        ("not-here", 1),
    )


LOOKED = {
    "a call whose result is kept": "found = load(path)\nif 'error' in found:\n    pass\n",
    "a call behind others": "found = 1 + load(path)\nassert found['success']\n",
    "a call that is waited for in an expression": "found = await load(path)\nif found.error:\n    pass\n",
    "what a decorator leaves of a tool": "found = load.fn(path)\nif found.is_error:\n    pass\n",
    "a class of answers": "found = load(path)\nif isinstance(found, Response):\n    pass\n",
    "a short name": "ok, found = load(path)\n",
    "a word at the very beginning": "failed, found = load(path)\n",
    "one of several calls": "load(path)\nfound = load(path)\nassert found['success']\n",
}

UNLOOKED = {
    "nobody looks for an error": "found = load(path)\n",
    "a statement of its own": "load(path)\nassert found['success']\n",
    "a statement of its own that is waited for": "    await load(path)\nassert found['success']\n",
    "a definition": "def load(path):\n    return {'success': True}\n",
    "a class": "class load(path):\n    success = True\n",
    "a name that is not called": "found = load\nassert found['success']\n",
    "another attribute": "found = load.name(path)\nassert found['success']\n",
    "a longer name": "found = reload(path)\nassert found['success']\n",
}


@pytest.mark.parametrize("text", LOOKED.values(), ids=LOOKED)
def test_a_file_may_look_at_the_result_of_a_call(text: str) -> None:
    assert calls_one(text.encode(), ["load"])


@pytest.mark.parametrize("text", UNLOOKED.values(), ids=UNLOOKED)
def test_a_file_looks_at_no_result_of_a_call(text: str) -> None:
    assert not calls_one(text.encode(), ["load"])
