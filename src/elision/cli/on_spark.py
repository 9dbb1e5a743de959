"""`elision run --on spark`: the same run in Spark's executors, from Parquet or a table to Parquet."""

from __future__ import annotations

import json as json_
import os
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from elision.cli.common import say
from elision.cli.tables import print_table
from elision.errors import FormatError, MissingExtraError, RunError
from elision.run.plan import RunOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PYSPARK = "4"  # the version that elision[spark] asks for
TABLE = "table:"  # before the name of a table in Spark's catalogue
# What only a run on one machine has, and what to do in Spark.
_LOCAL = {
    "patients": ("--patients", "join the tables in Spark before"),
    "patient_pattern": ("--patient-pattern", "make a column of patients in Spark before"),
    "encoding": ("--encoding", "IN is Parquet, or a table"),
    "header": ("--no-header", "IN is Parquet, or a table"),
    "raw_cells": ("--raw-cells", "OUT is Parquet"),
    "status": ("--no-status", "drop elision_status in Spark afterwards"),
    "workers": ("--workers", "Spark's own settings say how many work"),
    "rows": ("--shard-rows", "say --parts"),
    "folder": ("--state", "the run's records lie in OUT.run"),
    "force": ("--force", "give another OUT: nothing is written over in Spark"),
}


def run_on_spark(
    engine: str, source: str, out: str, said: RunOptions, others: Mapping[str, bool], parts: int, *, json: bool
) -> None:
    """Do the run, and sum up. `others`: options that were given and are not among those of `said`."""
    if engine != "spark":
        raise FormatError(f"--on {engine[:20]}: there is spark")
    usual = RunOptions()
    for name, (option, instead) in _LOCAL.items():
        if getattr(said, name) != getattr(usual, name):
            raise FormatError(f"{option} is not for --on spark: {instead}")
    for option, given in others.items():
        if given:
            raise FormatError(f"{option} is not for --on spark")
    for option, format in (("--format", said.format), ("--to", said.to)):
        if format not in ("", "parquet"):
            raise FormatError(f"{option} {format}: with --on spark, IN and OUT are Parquet")
    if "://" not in source and not source.startswith(TABLE) and source.rstrip("/") == out.rstrip("/"):
        raise FormatError(f"{out}: is IN as well; give another OUT")
    from elision.run.spark.asking import done
    from elision.run.spark.parts import written

    session = _session()
    try:
        frame: DataFrame = done(lambda: _frame(session, source))
        ended = written(frame, out, said, parts=parts, warn=say, tell=_tell)
    finally:
        session.stop()
    counts = ended.counts
    if ended.before:
        say(f"{out}: this run had ended before; nothing was done")
    if json:
        told = {name: value for name, value in counts.items() if name != "summary"}
        typer.echo(json_.dumps({"before": ended.before, **told}))
    else:
        print_table(("", ""), _facts(counts))
    say(f"receipts: {ended.receipts}; held notes: {ended.held}")
    if counts["held"] or counts["nulls"]:
        raise typer.Exit(1)


def _tell(done: int, parts: int) -> None:
    say(f"{done} of {parts} parts")


def _facts(counts: Mapping[str, Any]) -> list[tuple[str, str]]:
    nulls = sum(number for whys in counts["nulls"].values() for number in whys.values())
    facts = [
        ("rows", counts["rows"]),
        ("notes", counts["notes"]),
        ("cleaned", counts["notes"] - counts["held"]),
        ("held", counts["held"]),
    ]
    return [(name, f"{number:,}") for name, number in [*facts, *([("cells that are NULL", nulls)] if nulls else [])]]


def _session() -> SparkSession:
    """The session that `spark-submit` or the settings of Spark say; else one of this machine."""
    try:
        from pyspark import __version__ as version
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("--on spark", "spark") from None
    if version.partition(".")[0] != PYSPARK:
        raise RunError(f"--on spark needs PySpark {PYSPARK}, and this is {version}: pip install 'elision[spark]'")
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise RunError("--on spark needs Java 17 or newer: install it, or say where it is (JAVA_HOME)")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        quiet = SparkSession.builder.appName("elision").config("spark.ui.showConsoleProgress", "false")
        session = quiet.getOrCreate()
    except PySparkException as error:
        raise RunError(f"Spark does not begin: {error.getCondition()}; see what Java said above") from None
    session.sparkContext.setLogLevel("OFF")  # what executors say comes in words of ours; their own logs have it all
    return session


def _frame(session: SparkSession, source: str) -> DataFrame:
    if source.startswith(TABLE):
        return session.table(source.removeprefix(TABLE))
    from elision.formats.tables.lakes import refuse_lakes
    from elision.run.spark.places import Places

    refuse_lakes(source, [source], Places(session).names)
    return session.read.parquet(source)
