"""Link: from the facts of many files to one project that rules can ask."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from errlint.catalog.documents import Documents
from errlint.facts import Module
from errlint.findings import Span
from errlint.lazy import cached_property
from errlint.patterns import Patterns
from errlint.project import raise_outcome, verified
from errlint.project.above import Above
from errlint.project.adapters import Adapters
from errlint.project.boundary import Boundaries
from errlint.project.callers import Callers
from errlint.project.codes import Codes
from errlint.project.commands import Commands
from errlint.project.dispatch import Dispatch
from errlint.project.domain import Domain
from errlint.project.drift.documented import DocumentedErrors
from errlint.project.duties import Duties
from errlint.project.evaluation import Evaluator
from errlint.project.fields import Fields
from errlint.project.hierarchy import Hierarchy
from errlint.project.names import Layout, Names
from errlint.project.numbered import Numbers
from errlint.project.objects import Objects
from errlint.project.operations import Operations
from errlint.project.payload_shapes import Classifier
from errlint.project.raised_errors import RaisedErrors
from errlint.project.reach import Reach
from errlint.project.records import Records
from errlint.project.respelt import respelt
from errlint.project.return_sites import ReturnSites
from errlint.project.routes import Routes
from errlint.project.stale import Checks
from errlint.project.statuses import Statuses
from errlint.project.tested import TestMentions
from errlint.project.values import Values
from errlint.settings import Policy, Settings
from errlint.settings.policy import changed

if TYPE_CHECKING:
    from errlint.project.drift.compared import Comparison
    from errlint.project.drift.phantoms import Phantoms


class Project:
    """The linked project. Everything is computed when first asked, from facts that do not change any more."""

    def __init__(
        self,
        layout: Layout,
        modules: dict[str, Module],
        settings: Settings,
        documents: Documents | None = None,
        reported: frozenset[str] | None = None,
    ) -> None:
        """Link the facts of some files.

        What all tests speak of is put into ``tested`` afterwards, how often names occur in a distribution into
        ``counts``. In ``beside`` those who ask the disk for what no listing has note the answer: findings rest on it.
        ``documents`` are those that list errors, ``reported`` the files to report on (``None``: all).
        """
        self.layout = layout
        self.modules = modules
        self.tests: dict[str, Module] = {}
        self.documents = documents or Documents(settings.root, {}, frozenset())
        self.reported = reported
        self.tested = TestMentions()
        self.counts: Mapping[tuple[str, str], int] = {}
        self.beside: dict[str, bool] = {}
        self.names = Names(layout, modules)
        self.settings = respelt(settings, layout, self.names)
        self.classifier = Classifier(self)
        self._overrides = [
            (Patterns(override.paths), override) for override in self.settings.overrides if override.policy
        ]
        self._policies: dict[tuple[int, ...], Policy] = {}
        self._rules = [(Patterns(each.paths), each.rules) for each in settings.overrides if each.rules is not None]

    def release(self) -> None:
        """Let go of all that was linked: most of it knows the project, a circle that nobody may be looking for."""
        vars(self).clear()

    @cached_property
    def adapters(self) -> Adapters:
        """The functions that clients get to."""
        return Adapters(self)

    @cached_property
    def dispatch(self) -> Dispatch:
        """The functions that are looked up by names which only the run knows."""
        return Dispatch(self)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """What is above and below the classes of the project."""
        return Hierarchy(self.names)

    @cached_property
    def objects(self) -> Objects:
        """Of which classes the objects of the project are."""
        return Objects(self.names, self.hierarchy)

    @cached_property
    def callers(self) -> Callers:
        """Who calls the functions of the project."""
        return Callers(self.names, self.objects, self.hierarchy)

    @cached_property
    def reach(self) -> Reach:
        """Who can get at the functions of the project."""
        return Reach(self)

    @cached_property
    def sites(self) -> ReturnSites:
        """The error returns of the project."""
        return ReturnSites(self)

    @cached_property
    def commands(self) -> Commands:
        """What the commands for a terminal tell of errors."""
        return Commands(self)

    @cached_property
    def gathered(self) -> dict[tuple[str, str], raise_outcome.Gathering]:
        """The functions whose exceptions nobody sees, since their results are gathered and dropped."""
        return raise_outcome.gathered(self)

    @cached_property
    def above(self) -> Above:
        """What is on the ways out of the functions of the project."""
        return Above(self, partial(raise_outcome.answers_within, self))

    @cached_property
    def arriving(self) -> dict[str, dict[tuple[str, Span], raise_outcome.Arrival]]:
        """What leaves the functions of each file that have to answer, and is raised in others."""
        return raise_outcome.arriving(self)

    @cached_property
    def told_to_callers(self) -> frozenset[tuple[str, Span]]:
        """The raises, by file and place, that are among what :attr:`arriving` has."""
        arrivals = (each for by_place in self.arriving.values() for each in by_place.values())
        return frozenset((each.thrown.path, each.thrown.found.span) for each in arrivals)

    @cached_property
    def documented(self) -> DocumentedErrors:
        """What is documented of its errors."""
        return DocumentedErrors(self)

    @cached_property
    def boundaries(self) -> Boundaries:
        """The boundaries of the project."""
        return Boundaries(self)

    @cached_property
    def routes(self) -> Routes:
        """The routes of web frameworks."""
        return Routes(self)

    @cached_property
    def numbers(self) -> Numbers:
        """The envelopes that are errors by their numbers."""
        return Numbers(self)

    @cached_property
    def statuses(self) -> Statuses:
        """The statuses of the domain exceptions and of their codes."""
        return Statuses(self)

    @cached_property
    def duties(self) -> Duties:
        """What the boundaries of the project owe."""
        return Duties(self)

    @cached_property
    def domain(self) -> Domain:
        """The domain exceptions of the project."""
        return Domain(self)

    @cached_property
    def values(self) -> Values:
        """What the expressions of the project stand for."""
        return Values(self)

    @cached_property
    def evaluator(self) -> Evaluator:
        """The values of the project with their names filled in."""
        return Evaluator(self)

    @cached_property
    def codes(self) -> Codes:
        """The error codes of the project."""
        return Codes(self)

    @cached_property
    def fields(self) -> Fields:
        """What the errors of the project are given."""
        return Fields(self)

    @cached_property
    def records(self) -> Records:
        """The error records that are built."""
        return Records(self)

    @cached_property
    def raised_errors(self) -> RaisedErrors:
        """The catalog of the code: the errors it raises, answers and reports."""
        return RaisedErrors(self)

    @cached_property
    def phantoms(self) -> Phantoms:
        """What is documented that no code raises."""
        from errlint.project.drift.phantoms import Phantoms

        return Phantoms(self)

    @cached_property
    def comparison(self) -> Comparison:
        """What is documented beside what the code says."""
        from errlint.project.drift.compared import Comparison  # with what reads documents: most runs have none

        return Comparison(self)

    @cached_property
    def operations(self) -> Operations:
        """The operations that errors belong to."""
        return Operations(self)

    @cached_property
    def misdirected(self) -> dict[str, tuple[verified.Misdirected, ...]]:
        """What is wrong in tables of the calls that verify writes, by file."""
        return verified.all_misdirected(self)

    @cached_property
    def checks(self) -> Checks:
        """The places that look for an error where none can be."""
        return Checks(self)

    def policy(self, path: str) -> Policy:
        """Return what the settings ask for in a file; of several overrides that say the same thing the last wins."""
        if not self._overrides:
            return self.settings.policy
        matching = tuple(index for index, (patterns, _) in enumerate(self._overrides) if patterns.matches(path))
        found = self._policies.get(matching)
        if found is None:
            found = self.settings.policy
            for index in matching:
                found = changed(found, self._overrides[index][1].policy)
            self._policies[matching] = found
        return found

    def is_reported(self, path: str) -> bool:
        """Whether rules are asked about a file."""
        return self.reported is None or path in self.reported

    def rules(self, path: str) -> frozenset[str]:
        """Return the codes of the rules that run on a file."""
        found = self.settings.rules
        for patterns, rules in self._rules:
            if patterns.matches(path):
                found = rules
        return found

    def is_governed(self, path: str) -> bool:
        """Whether the policy of a file says something about exceptions or codes, so that adapters do not matter."""
        policy = self.policy(path)
        return bool(policy.exceptions.root or policy.codes.registry or policy.codes.vocabulary)

    def wanted_tests(self, distribution: str) -> frozenset[str]:
        """Return the names of functions of a distribution whose calls in tests decide about a finding."""
        if "ERR108" not in self.settings.rules or distribution not in self.adapters.distributions:
            return frozenset()
        return self.checks.candidates(distribution)

    def add_tests(self, tests: Mapping[str, Module]) -> None:
        """Take in the facts of tests, which are callers and nothing else."""
        self.tests.update(tests)
        self.names.add_tests(tests)
