# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder of a sweep: its description, and a Parquet file for each part that is finished.

A file stands under its name only when it is whole. The folder is one process's at a time.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
import pathlib
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from . import _core
from .description import FORMAT, Description


class SweepFolder:
    """Held while it is open; the description is written, or compared with the one that is there."""

    def __init__(self, path: str | os.PathLike[str], what: Description) -> None:
        self.path = pathlib.Path(path)
        self.what = what
        self._count = len(what.parts())
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = open(self.path / "_lock", "a", encoding="utf-8")
        except OSError as wrong:
            raise _core.Error(f"{self.path}: {wrong.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise _core.Error(f"{self.path}: another process is sweeping into it") from None
        try:
            self._describe()
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> SweepFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def _describe(self) -> None:
        page = self.path / "_sweep.json"
        mine = json.loads(json.dumps({"format": FORMAT, **dataclasses.asdict(self.what)}))
        theirs = stored(self.path)
        if theirs is None:
            self._write(page, lambda aside: aside.write_text(json.dumps(mine, indent=1) + "\n", encoding="utf-8"))
            return
        other = [key for key in mine if mine[key] != theirs.get(key)]
        if other:
            raise _core.Error(f"{self.path}: it has another sweep, with other {', '.join(other)}")

    def file_of(self, part: int) -> pathlib.Path:
        """Where a part is, once it is finished."""
        return self.path / f"part-{part:06}.parquet"

    def missing(self) -> list[int]:
        """The parts that are still to be computed."""
        return [part for part in range(self._count) if not self.file_of(part).exists()]

    def keep(self, part: int, rows: pa.Table) -> None:
        """Writes a part."""
        self._write(self.file_of(part), lambda aside: pyarrow.parquet.write_table(rows, aside))

    def dataset(self) -> pa.dataset.Dataset:
        """All parts, in their order."""
        return pyarrow.dataset.dataset([str(self.file_of(part)) for part in range(self._count)],
                                       schema=self.what.schema(), format="parquet")

    @staticmethod
    def _write(file: pathlib.Path, write: Any) -> None:
        aside = file.with_name(f".{file.name}.partial")
        try:
            write(aside)
            with open(aside, "rb") as whole:
                os.fsync(whole.fileno())
            os.replace(aside, file)
        except OSError as wrong:
            raise _core.Error(f"{file}: {wrong.strerror or wrong}") from None


def stored(folder: pathlib.Path) -> dict[str, Any] | None:
    """The description that a folder has; an error where there is one that cannot be read."""
    page = folder / "_sweep.json"
    if not page.exists():
        if any(folder.glob("part-*.parquet")):
            raise _core.Error(f"{folder}: it has parts of a sweep that it does not describe")
        return None
    try:
        out = json.loads(page.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise _core.Error(f"{page}: {wrong}") from None
    if not isinstance(out, dict):
        raise _core.Error(f"{page}: it describes no sweep")
    return out
