"""One service for all tests that need no other."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.serve.client import Client, running


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    with running() as client:
        yield client


@pytest.fixture
def client(shared: Client) -> Client:
    return shared


@pytest.fixture(autouse=True, scope="session")
def logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)
    logging.captureWarnings(False)
