"""Compiled kernels on disk, each file with a checksum that is looked at before anything in it is used.

Numba's own cache unpickles what it finds: a flipped bit crashes, computes other numbers or fails for
ever. Here a file that is damaged, cut off, empty, of another name or another place counts as missing,
and the kernel is compiled and written again. Layout of a file: magic line, SHA-256 over place, name
and the rest, pickled content. Index (.nbi): Numba's version, stamp of the source, key -> name of a data
file. Data (.nbc): its key, compiled code. The key stands in both, since two processes that
compile for different arguments at the same time may choose the same name.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import caching

from haptos.core.checksums import DIGEST_SIZE, digest_of

MAGIC = b"haptos kernel 1\n"


class KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, with checked files in a directory that is given.

    A place that cannot be read or written costs compiling, nothing else.
    """

    def __init__(self, function: Callable[..., Any], directory: Path) -> None:
        class Here(_Place):
            folder = directory

        class Compiled(caching.CompileResultCacheImpl):  # type: ignore[misc]
            _locator_classes = (Here,)

        self._impl_class = Compiled
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = CheckedFiles(str(directory), self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, target: Any) -> Any:
        with suppress(OSError):
            return super().load_overload(signature, target)
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with suppress(OSError):
            super().save_overload(signature, compiled)


class _Place(caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """The directory itself: it is named after the sources already."""

    folder: Path

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file, self._lineno = file, function.__code__.co_firstlineno
        self._cache_path = str(self.folder)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Place:
        return cls(function, file)


class CheckedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """Index and data files of one function."""

    def load(self, key: Any) -> Any:
        """Compiled code of a key; None if there is none that is whole and its own."""
        name = self._load_index().get(key)
        found = None if name is None else self._checked(name)
        if found is None:
            return None
        stored_key, data = pickle.loads(found)
        return data if stored_key == key else None

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def _load_index(self) -> dict[Any, str]:
        found = self._checked(self._index_name)
        if found is None:
            return {}
        version, rest = pickle.loads(found)
        if version != self._version:
            return {}  # what is inside may need classes that are no longer there
        stamp, overloads = pickle.loads(rest)
        return dict(overloads) if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        inner = self._dump((self._source_stamp, overloads))
        self._write(self._index_name, pickle.dumps((self._version, inner)))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(name, self._dump(data))

    def _checked(self, name: str) -> bytes | None:
        """What was written under this name, None if the file is anything else."""
        try:
            content = Path(self._data_path(name)).read_bytes()
        except OSError:
            return None
        start = len(MAGIC) + DIGEST_SIZE
        stored, rest = content[len(MAGIC) : start], memoryview(content)[start:]
        if not content.startswith(MAGIC) or stored != digest_of(self._full_name(name), rest):
            return None
        return bytes(rest)

    def _write(self, name: str, content: bytes) -> None:
        with self._open_for_write(self._data_path(name)) as file:
            file.write(MAGIC + digest_of(self._full_name(name), content))
            file.write(content)

    def _full_name(self, name: str) -> str:
        """With the directory, which names the sources: other sources are other code."""
        folder = Path(self._cache_path)
        return f"{folder.parent.name}/{folder.name}/{name}"
