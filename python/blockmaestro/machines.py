# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machines as dictionaries of the numbers that docs/simulator.md explains."""

import itertools
import json
import os
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, Union

from . import _core

Machine = Union[str, Mapping[str, Any]]
"""The name of a machine of the package, of a file, or a dictionary of numbers. A key that is left out has
the simulator's own default, as in a file."""

_FOLDER = resources.files(__package__) / "machines"


def machine_names() -> list[str]:
    """The machines that the package has."""
    return sorted(entry.name.removesuffix(".json") for entry in _FOLDER.iterdir() if entry.name.endswith(".json"))


def machine_numbers() -> dict[str, tuple[int, int, int]]:
    """Every key of a machine: its default, the least and the most that it can be."""
    return _core.machine_defaults()


def machine(base: Machine, **numbers: int) -> dict[str, Any]:
    """A machine of the package, of a file, or given as a dictionary, with some numbers changed."""
    out = dict(_resolved(base))
    out.pop("sources", None)
    out.setdefault("name", "machine")
    out["name"] += "".join(f", {key}={value}" for key, value in numbers.items())
    return {**out, **numbers}


def machine_grid(base: Machine, **values: Iterable[int]) -> list[dict[str, Any]]:
    """A machine for every combination of the values of each number."""
    return [machine(base, **dict(zip(values, each))) for each in itertools.product(*values.values())]


def _resolved(given: Machine) -> Mapping[str, Any]:
    if not isinstance(given, str):
        return given
    inside = _FOLDER / f"{given}.json"
    if not os.path.exists(given) and not inside.is_file():
        raise _core.Error(f"no machine '{given}': neither a file nor one of {', '.join(machine_names())}")
    try:
        with open(given, encoding="utf-8") if os.path.exists(given) else inside.open(encoding="utf-8") as file:
            out = json.load(file)
    except (OSError, ValueError) as wrong:
        raise _core.Error(f"{given}: {wrong}") from None
    if not isinstance(out, dict):
        raise _core.Error(f"{given}: not a JSON object")
    out.setdefault("name", os.path.basename(given).removesuffix(".json"))
    return out


def split(given: Machine) -> tuple[str, dict[str, Union[int, None]]]:
    """The name of a machine and its numbers; none where a value is no number of 64 bits."""
    out = machine(given)
    name = out.pop("name")
    if not isinstance(name, str):
        raise _core.Error("'name' must be a text")
    return name, {str(key): value if type(value) is int and 0 <= value < 2**64 else None
                  for key, value in out.items()}
