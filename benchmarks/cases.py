# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the programs of this folder are, and how one is told the sizes of a
case of its cases.json. Used by programs and storage here, and by precision and
seeds of test/soundness."""

import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent


def folders():
    """The folder of every program, by its name."""
    return {path.parent.name: path.parent for path in sorted(FOLDER.glob("*/cases.json"))}


def options(sizes):
    """A case's sizes as the program takes them."""
    return [word for name, value in sizes.items() for word in (f"--{name}", str(value))]


def data(name):
    """The cases.json of a program."""
    return json.loads((FOLDER / name / "cases.json").read_text())


def arguments(name, case):
    """The options of a program's case by its name."""
    return options(data(name)["cases"][case])


def has_fixed_graph(name):
    """Whether a program knows --fixed-graph."""
    return data(name).get("fixed_graph", False)


def has_ways_by_hand(name):
    """Whether a program knows --graph-pdl and --cooperative."""
    return data(name).get("by_hand", False)
