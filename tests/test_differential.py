"""Generated tools answer the same before and after a fix; ``benchmarks/differential.py`` draws many more of them."""

from __future__ import annotations

import ast
import inspect

import pytest
from differential import minimal, run
from hypothesis import HealthCheck, Phase, given, settings
from mutants import MUTANTS, Mutant
from programs import Program, programs

PROGRAMS = 60


def drawn() -> list[Program]:
    """Draw the same programs in every run."""
    found: list[Program] = []

    @settings(
        max_examples=PROGRAMS,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def collect(program: Program) -> None:
        found.append(program)

    collect()
    return found


def test_generated_tools_answer_the_same_before_and_after_a_fix() -> None:
    outcome = run(drawn(), (False,))
    shown = [minimal(item) for item in outcome.counterexamples[:1]]
    assert not shown, shown[0].text + "".join(map("\n# {0[0]}\n{0[1]}".format, shown[0].program.sources(0).items()))
    assert outcome.changed > 0


@pytest.mark.parametrize("mutant", [pytest.param(each, id=each.name) for each in MUTANTS])
def test_a_mutant_takes_the_place_of_something_that_its_module_asks(mutant: Mutant) -> None:
    tree = ast.parse(inspect.getsource(mutant.module))
    loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert mutant.attribute in loaded
