"""The page over the `store` of each module, with its reviewer in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from elision.review.store import Store
from tests.review.page import Page, serving


@pytest.fixture
def page(store: Store) -> Iterator[Page]:
    with serving(store) as page:
        page.enter()
        yield page
