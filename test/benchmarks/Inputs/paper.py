# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paper.py LINES PAGE: whether the numbers of hotspot's rows on a page are those
of its lines, computed here once more."""

import json
import sys

lines = {line["experiment"]: line for line in map(json.loads, open(sys.argv[1]))}
page = open(sys.argv[2]).read()
by, graph = lines["paper"]["schedulers"], lines["graph-itself"]


def row(section):
    """The cells of hotspot's first row below a heading."""
    text = page[page.index(section):]
    line = next(each for each in text.splitlines() if each.startswith("| hotspot |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def same(section, expected):
    found = row(section)[-len(expected):]
    if found != expected:
        sys.exit(f"{section}: {found}, measured {expected}")
    return len(expected)


base = by["baseline"]["time_us"]
speedups = same("## Figure 9", [
    f"{base / by[name]['time_us']:.2f}" for name in (
        "ideal", "prelaunch", "producer", "consumer2", "consumer3", "consumer4")])
stalls = same("## Figure 11", [
    "{q1:.2f} {median:.2f} {q3:.2f}".format(**by[name]["stall"]) for name in (
        "baseline", "prelaunch", "producer", "consumer2", "consumer4")])
asked = by["producer"]["memory_requests"]
total = sum(asked[key] for key in ("list_fetches", "list_refetches", "counter_fetches",
                                   "counter_evictions"))
requests = same("## Figure 13", [f"{100 * total / graph['accesses']['sectors']:.1f}%"])
forms = lines["closed-forms"]["schedulers"]["producer"]["memory_requests"]["total"]
requests += same("Where the hardware computes the children", [
    f"{100 * forms / graph['accesses']['instructions']:.1f}%"])
slow = lines["stall-lists-56"]["schedulers"]["producer"]["time_us"]
buffers = same("## Full buffers", [f"{by['producer']['time_us'] / slow:.3f}"])
stored = graph["by_pattern"]["overlapped"]
storage = same("## Table III", [f"{stored['stored_bytes'] / stored['list_bytes']:.3g}"])
print(f"{speedups} speed-ups, {stalls} stalls, {requests} of requests, {storage} of storage, "
      f"{buffers} of buffers: the same")
