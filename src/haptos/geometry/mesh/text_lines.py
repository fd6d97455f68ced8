"""Numbers in text files, read in blocks of whole lines: fast where all is regular, exact where not.

A regular block is parsed at once; in any other block the lines are tried one by one, so that the
faulty one is named. Memory is that of one block and of the numbers found, whatever a file declares.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]

BLOCK = 1 << 22  # [byte], read at a time; a longer line is no line of numbers
COPY_AGAIN = "copy the file again, or export the mesh again"
SPACE = np.zeros(256, dtype=bool)
SPACE[[9, 10, 11, 12, 13, 32]] = True  # what Python's bytes.split() splits at


def line_blocks(file: Path) -> Iterator[tuple[int, bytes]]:
    """(number of the first line, text) of blocks of whole lines; not text is refused."""
    where, number, rest = str(file), 1, b""
    try:
        with file.open("rb") as stream:
            while block := stream.read(BLOCK):
                block = rest + block
                end = max(block.rfind(b"\n"), block.rfind(b"\r", 0, len(block) - 1)) + 1
                if end == 0 and len(block) > BLOCK:
                    found = f"line {number} of more than {BLOCK // 1_000_000} MB"
                    raise GeometryError(where, found, "lines of a few numbers", COPY_AGAIN)
                block, rest = block[:end], block[end:]
                text = _as_text(where, block)
                yield number, text
                number += text.count(b"\n")
    except OSError as error:
        found = f"an unreadable file ({error.strerror or error})"
        raise GeometryError(where, found, "a mesh file", "check its permissions") from error
    if rest:
        yield number, _as_text(where, rest)


def _as_text(where: str, block: bytes) -> bytes:
    """The block with line ends as "\\n"; bytes that are no text are refused."""
    try:
        if b"\0" in block:
            raise ValueError("a zero byte")
        if not block.isascii():
            block.decode("utf-8")
    except ValueError as error:
        found, hint = "bytes that are not text", "check that the file is what its ending says"
        raise GeometryError(where, found, "a text file", hint) from error
    return block.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in block else block


def line_starts(text: Bytes) -> Integers:
    """Where the lines of a text begin; the text ends with a line end."""
    return np.concatenate([[0], np.flatnonzero(text == 10)[:-1] + 1])


def word_starts(text: Bytes) -> NDArray[np.bool_]:
    """Is a byte the first of a word?"""
    space = SPACE[text]
    before = np.concatenate([[True], space[:-1]])
    return before & ~space


def parsed(text: bytes, count: int, kind: type) -> NDArray | None:
    """Exactly `count` numbers between white space, or None if that is not what the text holds."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the only sign of a word that is no number
        try:
            numbers: NDArray = np.fromstring(text.decode("ascii"), dtype=kind, sep=" ")
        except (ValueError, DeprecationWarning):
            return None
    return numbers if len(numbers) == count else None


class NumberLines:
    """The lines of a file of numbers, in order; blank lines are passed over.

    words() gives the next line in words, table() a run of lines of equal length as an array.
    """

    def __init__(self, file: Path) -> None:
        self.where, self.size = str(file), file.stat().st_size
        self._blocks = line_blocks(file)
        self._text, self._number = b"", 1  # not yet used, and the number of its first line

    def words(self) -> tuple[int, list[str]]:
        """(number, words) of the next line that has any; no words at the end of the file."""
        while self._fill():
            number = self._number
            line = self._take(self._text.find(b"\n") + 1 or len(self._text))
            if words := line.decode("utf-8").split():
                return number, words
        return self._number, []

    def peek(self) -> list[str]:
        """Words of the next line that has any, which stays to be read."""
        before = self._number
        number, words = self.words()
        if words:
            self._text = b"\n" * (number - before) + " ".join(words).encode() + b"\n" + self._text
            self._number = before
        return words

    def integer(self, what: str, most_rows: int) -> int:
        """The next line as one count of rows that the file is large enough to hold."""
        number, words = self.words()
        if len(words) != 1:
            raise self.fault(number, words, f"the {what}, one whole number")
        return self.count(number, words[0], what, most_rows)

    def count(self, number: int, word: str, what: str, most_rows: int) -> int:
        """A word as the number of rows, 1 to most_rows."""
        if not (word.isascii() and word.isdigit()):
            raise self.fault(number, [word], f"the {what}, a whole number above zero")
        rows = int(word) if len(word) < 19 else 10**18
        if not 0 < rows <= most_rows:
            found = f"the {what} {word[:24]} in a file of {self.size} bytes"
            raise GeometryError(self.where, found, f"1 to {most_rows} in so many bytes", COPY_AGAIN)
        return rows

    def table(self, rows: int, widths: tuple[int, ...], kind: type, what: str) -> NDArray:
        """The next `rows` lines, all of one width among `widths`, as an array of that shape."""
        width = len(self.peek())
        if width not in widths:
            number, words = self.words()
            allowed = f"{rows} lines of " + " or ".join(map(str, widths)) + f" numbers for {what}"
            raise self.fault(number, words, allowed)
        parts, missing = [], rows
        while missing and self._fill():
            part = self._part(missing, width, kind, what)
            parts.append(part)
            missing -= len(part)
        if missing:
            found = f"{rows - missing} lines for {what} before the file ends"
            raise GeometryError(self.where, found, f"{rows}, as it declares", COPY_AGAIN)
        return np.concatenate(parts)

    def require_end(self) -> None:
        """Refuse anything but white space from here on."""
        number, words = self.words()
        if words:
            raise self.fault(number, words, "the end of the file after as many rows as it declares")

    def fault(self, number: int, words: list[str], allowed: str) -> GeometryError:
        found = f"'{' '.join(words)[:60]}'" if words else "the end of the file"
        return GeometryError(f"{self.where} line {number}", found, allowed, COPY_AGAIN)

    def _fill(self) -> bool:
        while not self._text:
            block = next(self._blocks, None)
            if block is None:
                return False
            self._number, text = block
            self._text = text if text.endswith(b"\n") else text + b"\n"
        return True

    def _take(self, end: int) -> bytes:
        text, self._text = self._text[:end], self._text[end:]
        self._number += text.count(b"\n")
        return text

    def _part(self, most: int, width: int, kind: type, what: str) -> NDArray:
        """Rows of the text at hand, at most `most`."""
        data = np.frombuffer(self._text, dtype=np.uint8)
        starts = line_starts(data)
        held = np.add.reduceat(word_starts(data).astype(np.int64), starts)
        filled = np.flatnonzero(held)
        rows = min(most, len(filled))
        last = filled[rows - 1] + 1 if rows else len(starts)
        number = self._number
        text = self._take(int(starts[last]) if last < len(starts) else len(data))
        numbers = None
        if text.isascii() and np.all(held[:last][held[:last] > 0] == width):
            numbers = parsed(_fortran(text), rows * width, kind)
        if numbers is None:
            numbers = self._line_by_line(text, number, width, kind, what)
        return numbers.reshape(rows, width)

    def _line_by_line(self, text: bytes, number: int, width: int, kind: type, what: str) -> NDArray:
        numbers: list[float] = []
        for line in text.decode("utf-8").split("\n"):
            words = line.split()
            try:
                if words and len(words) != width:
                    raise ValueError("another number of words")
                row = [kind(_fortran(word.encode())) for word in words]
                if kind is int and any(abs(value) >= 2**62 for value in row):
                    raise ValueError("beyond any count")
                numbers += row
            except ValueError as error:
                allowed = f"{width} {'whole ' if kind is int else ''}numbers for {what}"
                raise self.fault(number, words, allowed) from error
            number += 1
        return np.array(numbers, dtype=kind)


def _fortran(text: bytes) -> bytes:
    """Exponents written 1.0D+02, as Fortran does for double precision, with an E."""
    return text.replace(b"D", b"E").replace(b"d", b"e") if b"D" in text or b"d" in text else text
