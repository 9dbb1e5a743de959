"""A plugin for pytest: which case has failed first, by its whole name, into the file that FAILED names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        Path(os.environ["FAILED"]).write_text(report.nodeid, "utf-8")
