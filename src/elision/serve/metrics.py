"""Counts and times for Prometheus. No label has a value that came in with a request."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator

RECENT = 1024  # requests of a route of which quantiles are told
QUANTILES = (0.5, 0.95)


class Metrics:
    """What a service counts. Everything is called from the event loop, and so needs no lock."""

    def __init__(self) -> None:
        self.at_work = 0
        self.waiting: Callable[[], int] = lambda: 0
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._recent: dict[str, deque[float]] = {}
        self._notes: Counter[str] = Counter()
        self._characters = 0

    def request(self, route: str, status: int, seconds: float) -> None:
        self._requests[route, status] += 1
        self._seconds[route] += seconds  # type: ignore[assignment] # a Counter adds floats as well
        self._recent.setdefault(route, deque(maxlen=RECENT)).append(seconds)

    def note(self, outcome: str, characters: int) -> None:
        self._notes[outcome] += 1
        self._characters += characters

    def text(self) -> str:
        """The text format of Prometheus."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from _head("elision_requests_total", "counter", "Requests, by route and status.")
        for (route, status), count in sorted(self._requests.items()):
            yield f'elision_requests_total{{route="{route}",status="{status}"}} {count}'
        yield from _head(
            "elision_request_seconds", "summary", f"Time to the whole answer; quantiles of the last {RECENT}."
        )
        for route, recent in sorted(self._recent.items()):
            ordered = sorted(recent)
            for quantile in QUANTILES:
                value = ordered[min(len(ordered) - 1, int(quantile * len(ordered)))]
                yield f'elision_request_seconds{{route="{route}",quantile="{quantile}"}} {value:.6f}'
            yield f'elision_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            count = sum(n for (name, _), n in self._requests.items() if name == route)
            yield f'elision_request_seconds_count{{route="{route}"}} {count}'
        yield from _head("elision_notes_total", "counter", "Notes, by what became of them.")
        for outcome, count in sorted(self._notes.items()):
            yield f'elision_notes_total{{outcome="{outcome}"}} {count}'
        yield from _head("elision_characters_total", "counter", "Characters of these notes.")
        yield f"elision_characters_total {self._characters}"
        yield from _head("elision_requests_at_work", "gauge", "Requests that are not answered yet.")
        yield f"elision_requests_at_work {self.at_work}"
        yield from _head("elision_requests_waiting", "gauge", "Pieces of work that no thread has begun.")
        yield f"elision_requests_waiting {self.waiting()}"


def _head(name: str, kind: str, help: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"
