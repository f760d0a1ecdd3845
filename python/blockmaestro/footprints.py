# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels of a compiled program touch, as a table."""

import json
import os
import shutil
import subprocess
from typing import Any, Union

import pyarrow as pa

from . import _core

_SCHEMA = pa.schema([
    ("kernel", pa.string()), ("symbol", pa.string()), ("source", pa.string()), ("architecture", pa.string()),
    ("kind", pa.string()), ("root", pa.string()), ("bytes", pa.uint64()), ("exactness", pa.string()),
    ("offset", pa.string()), ("domain", pa.list_(pa.string())), ("assumptions", pa.list_(pa.string())),
    ("reason", pa.string()), ("file", pa.string()), ("line", pa.uint32()), ("column", pa.uint32()),
])


def accesses(program: Union[str, "os.PathLike[str]"], bm_dump: str = "bm-dump") -> pa.Table:
    """The accesses of each kernel of an object, a library or a program: `bm-dump footprints`, which must be
    installed (`bm_dump` says where, if not on the PATH), a row for each access."""
    tool = shutil.which(bm_dump)
    if tool is None:
        raise _core.Error(f"{bm_dump} is not there; the accesses of a program are read by BlockMaestro's own tools")
    run = subprocess.run([tool, "footprints", os.fspath(program), "--json"], capture_output=True, text=True)
    if run.returncode != 0:
        raise _core.Error(run.stderr.strip())
    return pa.Table.from_pylist([_row(kernel, access) for kernel in json.loads(run.stdout)["kernels"]
                                 for access in kernel["accesses"]], schema=_SCHEMA)


def _row(kernel: dict[str, Any], access: dict[str, Any]) -> dict[str, Any]:
    location = access.pop("location") or {"file": None, "line": None, "column": None}
    about = {key: kernel[key] for key in ("symbol", "source", "architecture")}
    return {"kernel": kernel["name"], **about, **access, **location}
