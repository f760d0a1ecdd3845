# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of docs/openmp-conformance.md and the programs that they name."""

import re
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/openmp-conformance.md"
FOLDER = ROOT / "test/openmp"
STATES = ("graph", "serial", "yes", "refused", "no")

Row = namedtuple("Row", "construct state tests")


def rows():
    """Those of all tables with a column of tests."""
    out = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 3 and cells[1] in STATES:
            tests = re.findall(r"\]\(\.\./([^)]+)\)", cells[2])
            out.append(Row(cells[0], cells[1], [ROOT / test for test in tests]))
    return out


def programs():
    """All that print `ok`."""
    return sorted(file for pattern in ("Inputs/conformance/*.c", "Inputs/conformance/*.cpp", "map-*.cpp")
                  for file in FOLDER.glob(pattern))
