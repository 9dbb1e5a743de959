"""Files where Spark keeps its own: on disks, in HDFS or an object store, through Hadoop's file systems."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.errors import RunError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Places:
    """Small files and folders by their URLs or paths."""

    def __init__(self, session: SparkSession) -> None:
        context: Any = session.sparkContext
        self._jvm, self._settings = context._jvm, context._jsc.hadoopConfiguration()

    def _of(self, place: str) -> tuple[Any, Any]:
        path = self._jvm.org.apache.hadoop.fs.Path(place)
        return path.getFileSystem(self._settings), path

    def exists(self, place: str) -> bool:
        system, path = self._of(place)
        return bool(system.exists(path))

    def read(self, place: str) -> str | None:
        """The text of a small file, None if there is none. Where writing was stopped at its last step, the new one."""
        place = next((one for one in (place, f"{place}.part") if self.exists(one)), "")
        if not place:
            return None
        system, path = self._of(place)
        stream = system.open(path)
        try:
            return bytes(stream.readAllBytes()).decode("utf-8", "replace")
        finally:
            stream.close()

    def write(self, place: str, text: str) -> None:
        """A small file, whole or not at all."""
        part = f"{place}.part"
        system, path = self._of(part)
        stream = system.create(path, True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()
        self.remove(place)
        self.move(part, place)

    def claim(self, place: str, text: str) -> bool:
        """Make a small file that was not there; False if it is there."""
        from py4j.protocol import Py4JJavaError

        system, path = self._of(place)
        try:
            stream = system.create(path, False)
        except Py4JJavaError:
            if self.exists(place):
                return False
            raise
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()
        return True

    def local(self, place: str) -> Path | None:
        """The same place, if it lies on a file system of this machine."""
        system, path = self._of(place)
        if system.getUri().getScheme() != "file":
            return None
        return Path(str(system.makeQualified(path).toUri().getPath()))

    def make(self, place: str) -> None:
        system, path = self._of(place)
        system.mkdirs(path)

    def remove(self, place: str) -> None:
        system, path = self._of(place)
        system.delete(path, True)

    def move(self, place: str, target: str) -> None:
        system, path = self._of(place)
        if not system.rename(path, self._of(target)[1]):
            raise RunError(f"{target}: cannot be put there; see that its folder can be written")

    def files(self, folder: str, ending: str) -> list[str]:
        """The files of a folder, if it is there."""
        return [f"{folder}/{name}" for name in self.names(folder) if name.endswith(ending)]

    def names(self, folder: str) -> list[str]:
        """The names of what is in a folder, if it is there."""
        system, path = self._of(folder)
        if not system.exists(path):
            return []
        return sorted(str(status.getPath().getName()) for status in system.listStatus(path))
