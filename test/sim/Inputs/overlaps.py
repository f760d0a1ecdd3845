# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a trace back: its events, the rows that they are on, and how many
events begin on a row before the last one there has ended."""

import collections
import json
import sys

events = json.load(open(sys.argv[1]))
rows = collections.defaultdict(list)
for each in events:
    if each["ph"] == "X":
        rows[each["pid"], each["tid"]].append((round(each["ts"] * 1000), round(each["dur"] * 1000)))
named = {(each["pid"], each["tid"]): each["args"]["name"]
         for each in events if each["name"] == "thread_name"}
overlaps = 0
for row in rows.values():
    row.sort()
    overlaps += sum(first[0] + first[1] > second[0] for first, second in zip(row, row[1:]))
print(f"{sum(map(len, rows.values()))} events, {len(rows)} rows, "
      f"{len(named)} named, {overlaps} overlap")
print(", ".join(sorted(set(named.values()))[:3]))
