"""Tests, and how many cases of a property they try."""

import os

EXAMPLES = int(os.environ.get("ELISION_EXAMPLES", "50"))
