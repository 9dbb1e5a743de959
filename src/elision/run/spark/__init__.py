"""Runs over the rows of a Spark data frame: the engine inside `mapInArrow`, patients brought together by a shuffle.

    done = deidentify(notes, {"texts": ["note"], "id": "note_id", "patient": "person"}, policy="mask")
    done.clean.write.parquet("clean")
    done.held.show()

What comes out has the same bytes as on one machine, however the rows are partitioned.
"""

from elision.run.spark.frames import Deidentified, deidentify
from elision.run.spark.parts import Written, write

__all__ = ["Deidentified", "Written", "deidentify", "write"]
