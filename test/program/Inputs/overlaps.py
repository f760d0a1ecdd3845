# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bm-dump events RECORDING | overlaps.py

Says how many launches began before the one before them had ended."""

import re
import sys

begins, ends = {}, {}
for line in sys.stdin:
    launch, begin, end = map(int, re.match(
        r"launch (\d+) block \d+: (\d+) to (\d+) ns", line).groups())
    begins[launch] = min(begin, begins.get(launch, begin))
    ends[launch] = max(end, ends.get(launch, end))
print(sum(begins[launch] < ends[launch - 1] for launch in begins if launch - 1 in ends),
      "of", len(begins), "launches overlap the one before")
