"""The properties of compiled code, with other cases each time, until the time is over: `make fuzz`.

    python tests/fuzz.py 300 tests/text/test_native.py tests/taggers/linear

Each round has a seed of its own, which is told: with it, a round that failed can be run again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import SystemRandom

EXAMPLES = "400"


def main(seconds: float, tests: list[str]) -> int:
    until = time.monotonic() + seconds
    rounds = 0
    while (left := until - time.monotonic()) > 0:
        seed = SystemRandom().randrange(1 << 32)
        command = ["-m", "pytest", "-n", "0", "-q", "-x", "-m", "not slow", f"--hypothesis-seed={seed}", *tests]
        environment = {**os.environ, "ELISION_FUZZ": "1", "ELISION_EXAMPLES": EXAMPLES}
        try:
            done = subprocess.run(
                [sys.executable, *command], env=environment, timeout=left, stdout=subprocess.PIPE, text=True
            )
        except subprocess.TimeoutExpired:
            break
        rounds += 1
        if done.returncode:
            print(f"{done.stdout}\nfailed with the seed {seed}", flush=True)
            return 1
    print(f"{rounds} rounds in {seconds:,.0f} seconds, and the last not to its end: nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
