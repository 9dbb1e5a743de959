"""Tests, and how many cases of a property they try."""

import os

EXAMPLES = int(os.environ.get("ELISION_EXAMPLES", "50"))

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before numpy and torch: each core has a worker; their threads would only wait
