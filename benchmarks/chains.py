# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of launches, as a program of benchmarks/gpu: the cases `chain` of
launches.cu, each under every way that it has."""

NAME = "chains"
# K launches of G blocks; a block needs those up to R away in the launch before
# and works for BASE to BASE + SKEW nanoseconds.
CHAINS = (
    "200 132 0 0 0",
    "200 528 0 0 0",
    "200 132 1 0 0",
    "200 132 0 2000 0",
    "200 132 0 2000 4000",
    "100 600 0 5000 0",
    "100 600 1 5000 10000",
    "100 1100 0 5000 10000",
    "100 2048 1 5000 10000",
    "50 2112 0 20000 0",
)
# Binary: how its launches are issued, and whether by hand (launches.cu).
BINARIES = {"launches-stream": ("Stream", False), "launches-graph": ("Graph", False),
            "launches-graph-pdl": ("Graph", True), "launches-cooperative": ("Stream", True)}


def binary(way):
    """The binary of a way, which the executors share."""
    name = f"launches-{way}"
    return name if name in BINARIES else "launches"


def sources(folder, issue="Stream"):
    return [folder / "launches.cu", folder / f"Issue{issue}.cu"]


def commands(folder, clang, link, by_hand, ours):
    """What makes each binary, by its name."""
    plain = {name: clang + (by_hand if hand else []) + sources(folder, issue) + link
             for name, (issue, hand) in BINARIES.items()}
    return {**plain, "launches": ours + sources(folder)}


def arguments(chain, samples):
    return [samples, "chain", *chain.split()]


def blocks(chain):
    """Of all launches of a chain."""
    launches, grid = map(int, chain.split()[:2])
    return launches * grid


def works_by_the_clock(chain):
    """Whether its blocks work until a clock says so, and not so much."""
    return any(int(word) for word in chain.split()[3:])


def measured(found):
    """What a run has printed, as the lines of programs have it."""
    return {"launches": found["launches"], "digest": found["checksum"],
            "us": [round(us * found["launches"], 3) for us in found["us_per_launch"]][1:]}
