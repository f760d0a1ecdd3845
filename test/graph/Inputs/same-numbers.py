# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: same-numbers.py TABLE JSON LIST

Holds every cell of a table against the value of its name in a list of objects of what --json has
printed; a number may be in an object inside of that."""

import csv
import json
import sys


def flat(entry):
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from flat(value)
        else:
            yield key, str(value)


with open(sys.argv[1], encoding="utf-8", newline="") as file:
    table = list(csv.DictReader(file))
with open(sys.argv[2], encoding="utf-8") as file:
    entries = json.load(file)[sys.argv[3]]
assert table == [dict(flat(entry)) for entry in entries], "they differ"
print(len(table), "rows, the same")
