# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of tools/nvcc/Options.def, for the tests and for the page."""

import ast
import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tools/nvcc/Options.def"
TEXT = r'"(?:[^"\\]|\\.)*"'
AREA = re.compile(rf"^AREA\(({TEXT})\)$")
OPTION = re.compile(rf"^OPTION\(({TEXT}), ({TEXT}), (\w+), (\w+), ({TEXT}), (.*), ({TEXT})\)$")


class Row(NamedTuple):
    area: str
    long: str
    short: str
    takes: str
    fate: str
    example: str
    remark: str


def rows():
    area, out = "", []
    for line in TABLE.read_text().splitlines():
        if found := AREA.match(line):
            area = ast.literal_eval(found[1])
        elif found := OPTION.match(line):
            long, short, example, remark = (ast.literal_eval(found[i]) for i in (1, 2, 5, 7))
            out.append(Row(area, long, short, found[3], found[4], example, remark))
        elif line.startswith(("AREA(", "OPTION(")):
            raise ValueError(f"not a row: {line}")
    return out
