"""Edits of a project whose catalog and code agree; ``benchmarks/catalog_mutations.py`` draws many more of them."""

from __future__ import annotations

import pytest
from catalog_edits import KINDS
from catalog_mutations import Bench, drawn_edits
from mutated_project import PROJECT, read_project

EDITS = list(drawn_edits(read_project(PROJECT), len(KINDS), seed=20261122))
TRIED = [number for number in range(len(EDITS)) if number % 3]  # one of most kinds: each takes a third of a second


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("edits"))


def test_the_project_documents_forty_errors(bench: Bench) -> None:
    assert len({entry.name for entry in bench.model.entries}) == len(bench.model.raises) == 40


def test_nothing_is_found_where_catalog_and_code_agree(bench: Bench) -> None:
    assert not bench.findings({})


@pytest.mark.parametrize("number", [pytest.param(number, id=EDITS[number][0]) for number in TRIED])
def test_an_edit_is_reported_once_at_its_places(bench: Bench, number: int) -> None:
    result = bench.tried(*EDITS[number])
    assert (sorted(result.found.elements()), result.edit.what) == (sorted(result.expected), result.edit.what)
