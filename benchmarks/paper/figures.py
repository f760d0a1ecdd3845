# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plots of docs/paper.md, by their paths beside it."""

import plots
from queue_claims import concurrency_gain, stall
from results import Missing

QUEUES = ("ideal", "prelaunch", "producer", "consumer2", "consumer3", "consumer4")
STALLS = ("baseline", "prelaunch", "producer", "consumer2", "consumer4")
WAVES = ("baseline", "prelaunch", "producer", "consumer2", "consumer4", "wireframe")
WINDOWS = ("acs-sw16", "acs-sw", "acs-hw16", "acs-hw")
# What costs nothing to launch would make all other bars of Figure 9 short.
DRAWN = QUEUES[1:]


def rows(results, part, schedulers, value):
    """A value for each program and scheduler, or None where it was not measured."""
    def one(program, scheduler):
        try:
            return value(program, scheduler)
        except Missing:
            return None

    return [(program, [one(program, each) for each in schedulers])
            for program in results.programs(part)]


def speedups(title, results, part, schedulers, over="baseline"):
    return plots.bars(title, schedulers, rows(
        results, part, schedulers,
        lambda program, each: results.speedup(part, program, each, over=over)))


def concurrency(results):
    return plots.bars("Figure 10: blocks at once, over the baseline", DRAWN, rows(
        results, "queues", DRAWN,
        lambda program, each: concurrency_gain(results, program, each)))


def stalls(results):
    def quartiles(program, scheduler):
        of = stall(results, program, scheduler)
        return of["q1"], of["median"], of["q3"]

    return plots.boxes("Figure 11: stalls over a block's time; what is above 8 is drawn at 8",
                       STALLS, rows(results, "queues", STALLS, quartiles), 8)


def degrees(results, experiment, condition=""):
    found = results.by_degree(experiment, over="baseline")
    labels = sorted({degree for each in found.values() for degree in each})
    return plots.lines(f"Figure 12: speed-up by degree of dependency{condition}",
                       [(f"{blocks} blocks", [each.get(degree) for degree in labels])
                        for blocks, each in found.items()], list(map(str, labels)), 1, 1.7)


def requests(results):
    shown = ("producer", "consumer4")
    return plots.bars(
        "Figure 13: requests over accesses of warps, percent", shown, rows(
            results, "queues", shown, lambda program, each: 100 * results.scheduler(
                "queues", program, each)["memory_requests"]["relative"]), "%")


def images(results):
    return {
        "images/paper-figure9.svg": speedups("Figure 9: speed-up over the baseline", results,
                                             "queues", DRAWN),
        "images/paper-figure10.svg": concurrency(results),
        "images/paper-figure11.svg": stalls(results),
        "images/paper-figure12.svg": degrees(results, "paper"),
        "images/paper-figure12-uneven.svg": degrees(
            results, "spread-caches", ", durations that spread and memory that keeps up"),
        "images/paper-figure13.svg": requests(results),
        "images/paper-figure14.svg": speedups("Figure 14: speed-up over CDP", results, "waves",
                                              WAVES, "cdp"),
        "images/paper-acs.svg": speedups("ACS: speed-up over the baseline", results, "windows",
                                         WINDOWS),
    }
