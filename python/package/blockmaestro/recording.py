# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A recording as tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable

import pyarrow as pa

from . import _core
from .arrow import record_batch
from .extras import extra

if TYPE_CHECKING:
    import pandas
    import polars

# Those that are small beside what a recording has of each block.
_WHOLE: dict[str, Callable[[_core.Recording], _core.Columns]] = {
    "launches": _core.Recording.launches,
    "relations": _core.Recording.relations,
    "pieces": _core.Recording.pieces,
    "runs": _core.Recording.runs,
    "copies": _core.Recording.copies,
    "ranges": _core.Recording.ranges,
    "barriers": _core.Recording.barriers,
    "waits": _core.Recording.waits,
    "observations": _core.Recording.observations,
}
_STREAMED: dict[str, Callable[[_core.Recording | str], Any]] = {
    "events": _core.EventCursor,
    "blocks": _core.CostCursor,
}

TABLES = (*_WHOLE, *_STREAMED)
"""The names of a recording's tables."""

BATCH_ROWS = 65536


class Recording:
    """One run of a program, read by `read`. Nothing of it changes."""

    def __init__(self, core: _core.Recording, path: str) -> None:
        self._core = core
        self.path = path
        self.program = core.program
        self.device = core.device
        self.executor = core.executor
        self.window = core.window
        self.truncated = core.truncated

    @property
    def counts(self) -> dict[str, int]:
        """How many launches, relations, copies, events and so on there are."""
        return self._core.counts()

    def table(self, name: str) -> pa.Table:
        """A table of `TABLES` as a whole."""
        if name in _WHOLE:
            return pa.Table.from_batches([record_batch(_WHOLE[name](self._core))])
        return self.stream(name).read_all()

    def stream(self, name: str, rows: int = BATCH_ROWS) -> pa.RecordBatchReader:
        """A table in batches of so many rows: only one of them is there at a time.

        What reads Arrow's streams takes it as it is: Parquet's and Feather's writers, DuckDB, Polars.
        """
        if name in _WHOLE:
            table = self.table(name)
            return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=_checked(rows)))
        if name not in _STREAMED:
            raise _core.Error(f"a recording has no table '{name}'; it has {', '.join(TABLES)}")
        return _streamed(name, self._core, rows)

    def pandas(self, name: str) -> pandas.DataFrame:
        """A table as a frame of pandas."""
        extra("pandas", "frames need")
        return self.table(name).to_pandas()

    def polars(self, name: str) -> polars.DataFrame:
        """A table as a frame of Polars."""
        return extra("polars", "frames need").from_arrow(self.table(name))

    def __repr__(self) -> str:
        counts = self.counts
        return (f"<blockmaestro.Recording {self.path}: {counts['launches']} launches, {counts['relations']} relations, "
                f"{counts['events']} blocks{', cut off' if self.truncated else ''}>")


def _checked(rows: int) -> int:
    if rows < 1:
        raise _core.Error(f"a batch has at least one row, not {rows}")
    return rows


def _streamed(name: str, of: _core.Recording | str, rows: int) -> pa.RecordBatchReader:
    cursor = _STREAMED[name](of)
    empty = record_batch(cursor.next(0))
    return pa.RecordBatchReader.from_batches(empty.schema, _batches(cursor, _checked(rows)))


def _batches(cursor: Any, rows: int) -> Iterator[pa.RecordBatch]:
    while (batch := record_batch(cursor.next(rows))).num_rows > 0:
        yield batch


def stream(path: str | os.PathLike[str], name: str, rows: int = BATCH_ROWS) -> pa.RecordBatchReader:
    """`events` or `blocks` of a recording that need not fit memory: its file is read chunk by chunk. What is wrong
    farther behind in the file is an `Error` when the stream comes there."""
    if name not in _STREAMED:
        raise _core.Error(f"files are streamed as {' or '.join(_STREAMED)}, not '{name}'")
    return _streamed(name, os.fspath(path), rows)


def read(path: str | os.PathLike[str]) -> Recording:
    """Reads a recording; one that is damaged, or none, is an `Error` of one line."""
    text = os.fspath(path)
    return Recording(_core.read(text), text)


def parse(data: bytes, name: str) -> Recording:
    """The same from memory; the name is used in messages."""
    return Recording(_core.parse(data, name), name)
