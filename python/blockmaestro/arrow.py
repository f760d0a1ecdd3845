# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns of the compiled module as Arrow's arrays, over the same memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

import pyarrow as pa

if TYPE_CHECKING:
    from ._core import Columns

_TYPES = {"Q": pa.uint64(), "I": pa.uint32(), "i": pa.int32(), "B": pa.uint8(), "L": pa.uint64()}


def array(numbers: memoryview, is_bool: bool, texts: Optional[list[str]],
          offsets: Optional[memoryview]) -> pa.Array:
    """The array of one column."""
    plain = _numbers(numbers)
    if is_bool:
        return plain.cast(pa.bool_())
    if texts is None:
        return plain
    words = pa.DictionaryArray.from_arrays(plain, pa.array(texts, pa.string()))
    if offsets is None:
        return words
    # Lists of texts that are numbers elsewhere: neither pandas nor Parquet reads these alike.
    return pa.ListArray.from_arrays(_numbers(offsets), words.cast(pa.string()))


def _numbers(of: memoryview) -> pa.Array:
    of_type = _TYPES[of.format]
    # Memory of no bytes has no address, which Arrow wants.
    if len(of) == 0:
        return pa.array([], of_type)
    return pa.Array.from_buffers(of_type, len(of), [None, pa.py_buffer(of)])


def record_batch(columns: Columns) -> pa.RecordBatch:
    """All columns of a table, as one batch."""
    return pa.RecordBatch.from_arrays([array(*rest) for _, *rest in columns],
                                      names=[column[0] for column in columns])
