"""Runs in Presidio's own environment: the route /analyze of Presidio's own service, which its wheel does not have.

    python presidio_service.py PORT SPACY_MODEL

It has the contract and the way of working of the original: one process, its engine loaded once, one request at work at
a time. Connections stay open and nothing is logged, so it is rather quicker than the original.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

import presidio_analyzer
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.peers.presidio_worker import engine


def main() -> None:
    port, model = int(sys.argv[1]), sys.argv[2]
    usual = yaml.safe_load((Path(presidio_analyzer.__file__).parent / "conf" / "default.yaml").read_text("utf-8"))
    analyzer, one_at_a_time = engine(usual, model), Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one piece
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with one_at_a_time:
                found = analyzer.analyze(asked["text"], language=asked["language"])
            answer = json.dumps([each.to_dict() for each in found]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    ThreadingHTTPServer.request_queue_size = 64
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
