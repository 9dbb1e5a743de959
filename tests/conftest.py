"""How much the property tests generate: `make test` 2,000 cases a property, `make properties` 100,000."""

from __future__ import annotations

import os
from datetime import timedelta

from hypothesis import HealthCheck, settings

settings.register_profile(
    "elision",
    max_examples=int(os.environ.get("ELISION_EXAMPLES", "2000")),
    deadline=timedelta(seconds=20),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
settings.load_profile("elision")
