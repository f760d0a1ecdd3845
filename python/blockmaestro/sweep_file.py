# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sweep as a file of TOML, for `python -m blockmaestro sweep FILE.toml`."""

from __future__ import annotations

import glob
import os
import pathlib
import tomllib
from typing import Any

import pyarrow as pa

from . import _core
from .machines import machine, machine_grid
from .sweeping import sweep

_KEYS = {"recordings", "folder", "machines", "schedulers", "durations", "host", "in_flight", "launches", "part",
         "workers", "address"}


def run_file(path: str) -> tuple[pathlib.Path, pa.dataset.Dataset]:
    """Runs it; files are named from where the sweep's file is. The folder and the dataset."""
    given = _parsed(path)
    folder = pathlib.Path(path).parent
    into = folder / given.pop("folder", pathlib.Path(path).stem)
    recordings = [found for name in _texts(given.pop("recordings", [])) for found in _files(folder, name)]
    machines = [on for each in _listed(given.pop("machines", "titanx-pascal")) for on in _machines(folder, each)]
    return into, sweep(recordings, machines, folder=into, **given)


def _parsed(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            out = tomllib.load(file)
    except OSError as wrong:
        raise _core.Error(f"{path}: {wrong.strerror}") from None
    except ValueError as wrong:
        raise _core.Error(f"{path}: {wrong}") from None
    for key in out:
        if key not in _KEYS:
            raise _core.Error(f"{path}: unknown key '{key}'; there are: {', '.join(sorted(_KEYS))}")
    return out


def _listed(given: Any) -> list[Any]:
    return given if isinstance(given, list) else [given]


def _texts(given: Any) -> list[str]:
    out = _listed(given)
    if not all(isinstance(each, str) for each in out):
        raise _core.Error("'recordings' must be names of files")
    return out


def _files(folder: pathlib.Path, name: str) -> list[str]:
    """Those that a name with * stands for, in their order."""
    full = os.path.join(folder, name)
    if not glob.has_magic(name):
        return [full]
    found = sorted(glob.glob(full, recursive=True))
    if not found:
        raise _core.Error(f"no recordings are called {name}")
    return found


def _machines(folder: pathlib.Path, given: Any) -> list[dict[str, Any]]:
    """A name, or a table with `base` and numbers; lists of these are a machine for every combination."""
    if isinstance(given, str):
        given = {"base": given}
    if not isinstance(given, dict):
        raise _core.Error(f"a machine must be a name or a table, not {given!r}")
    numbers = dict(given)
    base = numbers.pop("base", {})
    if isinstance(base, str) and (folder / base).is_file():
        base = str(folder / base)
    return machine_grid(machine(base), **{key: _listed(value) for key, value in numbers.items()})
