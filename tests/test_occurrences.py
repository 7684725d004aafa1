"""Names are found in the bytes of a file as whole words."""

from __future__ import annotations

import pytest

from errlint.index.occurrences import counted, mentioned, mentions


@pytest.mark.parametrize("count", [1, 200], ids=["few names", "many names"])
def test_names_are_found_as_whole_words_however_many_are_asked_for(count: int) -> None:
    data = "größe = get_item(get, 'not-found')\n".encode()
    asked = ["get", "größe", "item", "not-found", "", *(f"absent_{number}" for number in range(count))]
    assert mentioned(data, asked) == {"get", "größe", "not-found"}
    assert mentions(data, asked) == [data.index(b"gr"), data.index(b"get,"), data.index(b"not-")]


def test_a_name_at_the_end_of_a_file_is_counted_once_where_a_longer_one_begins_with_it() -> None:
    asked = ["not", "not-found", *(f"absent_{number}" for number in range(200))]
    assert counted(b"not", asked) == (("not", 1),)
