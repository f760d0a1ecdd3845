# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether every number of every machine says where it is from."""

import json
import pathlib
import sys

machines = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
lost = 0
for path in machines:
    machine = json.loads(path.read_text())
    for key in machine:
        if key not in ("name", "sources") and key not in machine["sources"]:
            print(f"{path.name}: {key}")
            lost += 1
print(f"{len(machines)} machines, {lost} numbers without a source")
