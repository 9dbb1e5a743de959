"""Errors of executors in words of our own: Spark prints messages into logs and pages, and one may quote a note."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa

from elision.errors import ElisionError, RunError
from elision.run.failures import told

Batches = Iterable[pa.RecordBatch]
_SAID = re.compile(r"^(?:elision\.errors\.)(\w+): (.*)$", re.MULTILINE)
_ENDED = re.compile(r"Python worker exited unexpectedly|Lost executor|ExecutorLost|OutOfMemoryError")
_NO_MEMORY = "give Python more (spark.executor.memoryOverhead), or fewer cores"
_LACKS = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'", re.MULTILINE)


def guarded(work: Callable[[Batches], Iterator[pa.RecordBatch]], batches: Batches) -> Iterator[pa.RecordBatch]:
    """What work gives; of an error that is not ours, the kind and the place."""
    try:
        yield from work(batches)
    except ElisionError as error:
        said = str(error)
    except MemoryError:
        said = f"an executor has no memory left: {_NO_MEMORY}"
    except Exception as error:
        said = told(error)
    else:
        return
    raise RunError(said)  # here, where no traceback and no context of the first one hangs on to it


def in_words(error: Exception) -> RunError:
    """What an executor said, taken out of what Spark makes of it; of anything else, the kind alone."""
    if found := _SAID.findall(str(error)):
        return RunError(found[-1][1])
    if lacks := _LACKS.search(str(error)):
        return RunError(
            f"the executors' Python lacks {lacks[1]}: install elision[spark] there, and name that Python "
            "(PYSPARK_PYTHON, or spark.pyspark.python)"
        )
    if _ENDED.search(str(error)):
        return RunError(
            f"an executor, or its Python, was ended from outside, as is done with too much memory: {_NO_MEMORY}"
        )
    java: Any = getattr(error, "java_exception", None)
    name = java.getClass().getName() if java else type(error).__name__
    kind = getattr(error, "getCondition", lambda: None)() or name
    return RunError(f"Spark could not do it: {kind}; the logs of Spark's driver and executors say more")
