"""How much the property tests generate: `make test` 50 cases a property, `make test-all` 300, `make properties`
100,000; `make fuzz` others each time. Where a test does not say which models look, the quick ones do."""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Iterator
from datetime import timedelta
from functools import cache

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

from elision.effort import VARIABLE, Effort
from tests import EXAMPLES
from tests.run.inline import one_worker

settings.register_profile(
    "elision",
    max_examples=EXAMPLES,
    deadline=timedelta(seconds=20),
    derandomize=not os.environ.get("ELISION_FUZZ"),
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
settings.load_profile("elision")
os.environ[VARIABLE] = Effort.FAST  # for the processes that tests start, too


def pytest_sessionstart() -> None:
    gc.disable()  # collecting imports and lists eighteen thousand tests; nothing of it is garbage


def pytest_collection_finish() -> None:
    """What was imported and listed stays to the end: to look through it again and again takes a tenth of the time."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def offline() -> Iterator[None]:
    """Nothing leaves the machine: a test that tries to reach another one fails."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _refuse)
        patch.setattr(socket, "getaddrinfo", _refuse)
        yield


@pytest.fixture(autouse=True, scope="session")
def built_once() -> Iterator[None]:
    """The commands are built once, not anew by each test that calls one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        patch.setattr(typer.testing, "_get_command", typer.main.get_command)
        yield


@pytest.fixture(autouse=True)
def one_worker_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run has one worker, this process is it, but in slow tests: those are about processes, too."""
    if request.node.get_closest_marker("slow") is None:
        one_worker(monkeypatch)


def _refuse(*_: object) -> None:
    raise AssertionError("elision must not use the network")
