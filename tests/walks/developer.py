"""The developer: a text made safe, sent to a model, its answer opened again; and a service that does so over HTTP.

python -m tests.walks.developer FOLDER
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.walks.walking import Walk, expect

NOTE = "Seen by Dr. Jane Quillfeather on 3 May 2001. Phone 555-0134-221."
LIBRARY = f"""
import elision
safe = elision.redact({NOTE!r})
assert "Quillfeather" not in safe.text, "the name is left"
assert "Quillfeather" not in repr(safe), "the name is shown"
answer = "Summary: " + safe.text
print(elision.restore(answer, safe.mapping))
"""
PORT = 8765


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    walk = Walk(parser.parse_args().folder)
    opened = walk.command([sys.executable, "-c", LIBRARY])
    expect(opened.strip() == "Summary: " + NOTE, "the answer is not the note again")
    served = [sys.executable, "-m", "elision", "serve", "--port", str(PORT), "--effort", "fast", "--language", "en"]
    with subprocess.Popen(served, stderr=subprocess.PIPE, text=True) as service:
        try:
            answer = asked()
        finally:
            service.terminate()
        logged = service.communicate(timeout=60)[1]
    expect("Quillfeather" not in json.dumps(answer), "the service gives the name back")
    expect("Quillfeather" not in logged, "the name is in the log")


def asked() -> dict[str, object]:
    """What the service makes of the note, as soon as it is ready."""
    body = json.dumps({"text": NOTE}).encode()
    request = Request(f"http://127.0.0.1:{PORT}/v1/deidentify", body, {"Content-Type": "application/json"})
    for _ in range(120):
        try:
            with urlopen(request, timeout=10) as answer:
                found: dict[str, object] = json.load(answer)
                return found
        except URLError:
            time.sleep(0.5)
    sys.exit("walk: the service does not come up within a minute")


if __name__ == "__main__":
    main()
