"""A plugin for dbt-duckdb: models in SQL can call elision(note) and elision_note(note, id, patient)."""

from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin

from elision.integrations.duckdb import register


class Plugin(BasePlugin):
    def initialize(self, config: dict[str, Any]) -> None:
        self._said = config

    def configure_connection(self, conn: Any) -> None:
        register(conn, **self._said)
