from __future__ import annotations

import pytest

from tests.pi.pi_build import EmulatedPi, PiBuildError, cache_folder, make_pi
from tests.pi.pi_machine import Machine, PiReport
from tests.tiers import lacking

# What is in there runs inside the guest.
collect_ignore = ["guest"]


@pytest.fixture(scope="session")
def parts() -> EmulatedPi:
    """What is booted; without it the tests are skipped, or fail where nothing may be."""
    try:
        return make_pi(cache_folder())
    except PiBuildError as error:
        lacking(str(error))


@pytest.fixture(scope="session")
def machine(parts: EmulatedPi, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(parts, tmp_path_factory.mktemp("pi"))


@pytest.fixture(scope="session")
def report(machine: Machine) -> PiReport:
    """The boot that most tests look at; its power is cut while a game is going on."""
    return machine.boot("first", cut_at="CUT THE POWER")


@pytest.fixture(scope="session")
def after_the_cut(report: PiReport, machine: Machine) -> PiReport:
    """The same card, booted again."""
    assert report.statuses.get("goes_on") == 0, report.console
    return machine.boot("again")
