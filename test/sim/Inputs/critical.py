# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: critical.py CRITICAL ALL

Holds a timeline with arrows from last parents against one with all arrows: every block that has
parents has one arrow, from the parent that ended last."""

import collections
import sys

import perfetto


def parents(path):
    """Of each block, when its parents ended."""
    out = collections.defaultdict(list)
    with open(path, "rb") as file:
        for (_, ended, _), (_, _, child) in perfetto.Trace(file.read()).flows.values():
            out[child[1], tuple(child[2].items())].append(ended)
    return out


critical, every = parents(sys.argv[1]), parents(sys.argv[2])
assert critical == {child: [max(ends)] for child, ends in every.items()}
print(f"{len(critical)} blocks, {sum(map(len, every.values()))} parents")
