# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of runtime/cuda/Api.def, as the two checks of this folder need them."""

import pathlib
import re
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "runtime/cuda"


@dataclass
class Row:
    name: str
    effect: str
    emulated: str
    twin: str
    remark: str


@dataclass
class Area:
    title: str
    rows: list


def columns(text):
    """The arguments of a macro, split at the commas of the outermost level."""
    out, depth, start, quoted = [], 0, 0, False
    for at, char in enumerate(text):
        if char == '"' and text[at - 1] != "\\":
            quoted = not quoted
        elif not quoted and char in "()":
            depth += 1 if char == "(" else -1
        elif not quoted and char == "," and depth == 0:
            out.append(text[start:at].strip())
            start = at + 1
    return out + [text[start:].strip()]


def rows_of(text):
    out = []
    for call in re.split(r"^BM_CALL\(", text, flags=re.M)[1:]:
        _, name, _, _, effect, emulated, twin, remark = columns(call.rstrip()[:-1])
        out.append(Row(name, effect, emulated, twin, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', remark))))
    return out


def areas():
    """In the order in which Api.def includes them."""
    out = []
    for included in re.findall(r'#include "(api/\w+\.def)"', (FOLDER / "Api.def").read_text()):
        text = (FOLDER / included).read_text()
        head = re.search(r"explains the columns: (.*?)\.\n\n", text, re.S).group(1)
        out.append(Area(re.sub(r"\n// ", " ", head), rows_of(text)))
    return out
