"""`elision run --on spark` says what it cannot do before Spark begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from elision.cli import app

pytest.importorskip("pyspark")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["--on", "ray"], "there is spark"),
        (["--on", "spark", "--workers", "2"], "--workers is not for --on spark"),
        (["--on", "spark", "--force"], "--force is not for --on spark"),
        (["--on", "spark", "--retry-held"], "--retry-held is not for --on spark"),
        (["--on", "spark", "--to", "csv"], "IN and OUT are Parquet"),
    ],
)
def test_what_spark_has_not_is_refused(tmp_path: Path, said: list[str], message: str) -> None:
    told = CliRunner().invoke(app, ["run", str(tmp_path / "in"), "-o", str(tmp_path / "out"), *said])
    assert message in str(told.exception) + told.output
    assert told.exit_code != 0
    assert list(tmp_path.iterdir()) == []


def test_without_java_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    told = CliRunner().invoke(app, ["run", "in", "-o", str(tmp_path / "out"), "--on", "spark"])
    assert "needs Java 17" in str(told.exception) + told.output


@pytest.mark.parametrize("version", ["3.5.1", "5.0.0"])
def test_another_pyspark_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr("pyspark.__version__", version)
    told = CliRunner().invoke(app, ["run", "in", "-o", str(tmp_path / "out"), "--on", "spark"])
    assert f"needs PySpark 4, and this is {version}" in str(told.exception) + told.output
    assert list(tmp_path.iterdir()) == []
