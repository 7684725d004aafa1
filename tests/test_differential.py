"""Generated tools answer the same before and after a fix; ``benchmarks/differential.py`` draws many more of them."""

from __future__ import annotations

from differential import minimal, run
from hypothesis import HealthCheck, Phase, given, settings
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
