import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

def ready(attributes: Ints, tables: npt.NDArray[np.uint32], values: list[dict[str, int]], /) -> object: ...
def look(ready: object, forms: list[str], table: Ints, width: int, /) -> list[int]: ...
