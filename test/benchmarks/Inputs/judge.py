# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every verdict of benchmarks/graphs.py, on recordings made up for it."""

import json
import sys
import types

sys.path.insert(0, sys.argv[1])
import graphs


def recorded(names, relations, waits=()):
    launches = {"launches": [{"kernel": name} for name in names], "copies": [],
                "barriers": [{"before_launch": launch} for launch in waits]}
    return graphs.load(json.dumps(launches),
                       json.dumps({"relations": [relation(*each) for each in relations]}))


def relation(producer, consumer, hazards, pattern, reason="", implied=False):
    return {"producer": producer, "consumer": consumer, "hazards": hazards,
            "pattern": pattern, "exact": not reason, "reason": reason,
            "implied": implied}


def verdict(found, hazards, pattern, distance=1):
    return graphs.judge({"producer": "write", "consumer": "read", "hazards": hazards,
                         "distance": distance, "pattern": pattern}, found)


def same(found, expected):
    assert found == expected, f"{found}, not {expected}"


same(graphs.short_name("nw(int, char const*)"), "nw")
same(graphs.short_name("void forward<float>(float2*)"), "forward<float>")
same(graphs.short_name("a::b::nw(c::d)"), "nw")
same(graphs.short_name("void a::b<c::d>(e::f)"), "b<c::d>")
same(graphs.short_name("void a<b<int, c>, (d)1>(e<f>)"), "a<b<int, c>, (d)1>")

NAMES = ["write(int*)", "read(int*)"]
ONE = recorded(NAMES, [(0, 1, "RAW+WAW", "1-to-1")])
same(verdict(ONE, "RAW", "1-to-1"), ("agrees", ""))
same(verdict(ONE, "RAW WAW", "1-to-1"), ("agrees", ""))
same(verdict(ONE, "RAW", "full"), ("differs", "1 1-to-1"))
same(verdict(ONE, "WAR", "1-to-1"), ("missing", ""))
same(verdict(ONE, "none", "independent"), ("differs", "1 1-to-1"))
same(verdict(ONE, "RAW", "1-to-1", 2), ("absent", ""))
same(verdict(recorded(NAMES, []), "RAW", "1-to-1"), ("missing", ""))
same(verdict(recorded(NAMES, []), "none", "independent"), ("agrees", ""))
same(verdict(recorded(NAMES, [], waits=[1]), "RAW", "1-to-1"), ("absent", ""))
same(verdict(recorded(NAMES, [], waits=[0, 2]), "RAW", "1-to-1"), ("missing", ""))
LOOSE = recorded(NAMES * 2, [(0, 1, "RAW", "1-to-1"), (2, 3, "RAW", "full", "why")])
same(verdict(LOOSE, "RAW", "1-to-1"), ("inexact", "1 of 2: why"))
same(graphs.load("", "{}"), None)

BESIDES = recorded(NAMES * 2, [(0, 1, "RAW", "1-to-1"), (0, 2, "WAW", "full", "why"),
                               (1, 3, "WAR", "n-to-1", "", True)])
BY_HAND = [{"producer": "write", "consumer": "read", "distance": 1, "hazards": "RAW",
            "pattern": "1-to-1", "why": ""}]
RESULT = graphs.compared(types.SimpleNamespace(name="p", relations=BY_HAND), BESIDES)
same(RESULT["besides"], ["write -> write (2): 1, 0 implied, WAW, full, not exact: why"])
same((RESULT["besides_implied"], RESULT["computed"], RESULT["exact"]), (1, 3, 2))
same(RESULT["verdicts"]["agrees"], 1)
print(graphs.text_of(RESULT))
print(graphs.summary_of([RESULT, RESULT]))
