from collections.abc import Callable, Sequence

def ready(
    rows: Sequence[tuple[str, str, str, bool, Callable[[str], bool] | None]],
    names: Sequence[tuple[str, bytes]],
    folds: bytes,
    kinds: bytes,
    most_of_all: int,
    most_of_one: int,
    /,
) -> tuple[object, list[int]]: ...
def find(rows: object, piece: str, first: int, counting: bool, /) -> list[tuple[int, int, int, int]]: ...
