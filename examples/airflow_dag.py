"""Airflow, every night: new and changed notes go into the same clean table; then what was withheld is listed.

Put `elision` on the PATH of the workers, and the key where only their user may read it.
"""

from datetime import datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

RUN = (
    "elision run /data/notes.parquet -o /data/clean.parquet --columns /etc/elision/columns.toml "
    "--policy surrogate --key /etc/elision/project.key --incremental --progress none --json"
)
HELD = "elision held /data/clean.parquet.run"
OR_WITHHELD = " || [ $? -eq 1 ]"  # 1: some notes are withheld, and the output is whole without them

with DAG("deidentify_notes", schedule="0 3 * * *", start_date=datetime(2026, 1, 1), catchup=False, max_active_runs=1):
    clean = BashOperator(
        task_id="deidentify",
        bash_command=RUN + OR_WITHHELD,
        retries=3,  # a retry goes on where the run was stopped
    )
    held = BashOperator(task_id="held", bash_command=HELD + OR_WITHHELD)
    clean >> held
