"""Generated tools answer the same before and after a fix; ``benchmarks/differential.py`` draws many more of them."""

from __future__ import annotations

import ast
import inspect
import re

import pytest
from differential import minimal, run
from hypothesis import HealthCheck, Phase, given, settings
from mutants import MUTANTS, Mutant, switched_off
from programs import Program, programs, random_program

from errlint.fix import plan

PROGRAMS = 60
FAULTY = 100


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
def test_a_mutant_takes_the_place_of_something_that_its_module_or_the_plan_asks(mutant: Mutant) -> None:
    own, planning = (ast.parse(inspect.getsource(module)) for module in (mutant.module, plan))
    asked = {node.id for node in ast.walk(own) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    short = mutant.module.__name__.rpartition(".")[2]
    asked.update(
        node.attr
        for node in ast.walk(planning)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == short
    )
    assert mutant.attribute in asked


@pytest.mark.parametrize(
    "mutant", [pytest.param(each, id=each.name) for each in MUTANTS if each.fault is not None and not each.equivalent]
)
def test_a_proof_catches_a_fault_that_is_noticed_without_it(mutant: Mutant) -> None:
    found = (random_program(f"7 {number}") for number in range(FAULTY))
    programs = [
        item for item in found if re.search(r"^ +(?:record\(.*\)$|# )", item.sources(0)["server.py"], re.MULTILINE)
    ]
    with switched_off(mutant.name, only_fault=True):
        assert run(programs, (False,)).counterexamples == ()
    with switched_off(mutant.name):
        assert run(programs, (False,)).counterexamples != ()
