# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was measured for docs/management.md, by set, policy and experiment."""

import json

import kernels
import measure
from performance import mean
from results import Missing

PAPER = kernels.TABLE_II.name
MACHINE = json.loads((measure.MACHINES / f"{kernels.MACHINE}.json").read_text())
ROOM = {"threads": MACHINE["threads_per_sm"], "shared": MACHINE["shared_bytes_per_sm"],
        "registers": MACHINE["registers_per_sm"], "blocks": MACHINE["blocks_per_sm"]}


def named(pair):
    return " ".join(pair)


class Found:
    """The lines of a file of results."""

    def __init__(self, lines):
        self.head = lines[0]
        self.recorded = {(each["program"], each["size"]): each for each in lines
                         if "recorded" in each}
        self.lines = {(named(each["set"]), each["policy"], each["experiment"]): each
                      for each in lines if "set" in each}

    def line(self, names, policy, experiment=PAPER):
        found = self.lines.get((named(names), policy, experiment))
        if not found or "failed" in found:
            raise Missing()
        return found

    def has(self, names, policy, experiment=PAPER):
        return "cycles" in self.lines.get((named(names), policy, experiment), {})

    def failures(self):
        return [each for each in self.lines.values() if "failed" in each]

    def size(self):
        """The name of the size that all but the experiments have."""
        return "tiny" if any(size == "tiny" for _, size in self.recorded) else "usual"

    def names(self):
        return [each.short for each in kernels.KERNELS if (each.short, "", PAPER) in self.lines]

    def profile(self, name):
        return self.line((name,), "")

    def kernel(self, name):
        """What its recorded launch is."""
        try:
            return self.recorded[kernels.kernel(name).program, self.size()]
        except KeyError as error:
            raise Missing() from error

    def pairs(self):
        return [pair for pair in kernels.PAIRS if set(pair) <= set(self.names())]

    def sets(self, count=None):
        return [each for each in kernels.SETS if self.has(each, "leftover")
                and count in (None, len(each))]

    def gain(self, names, policy, experiment=PAPER, over="leftover"):
        """How many times as fast as another policy."""
        return (self.line(names, over, experiment)["cycles"] /
                self.line(names, policy, experiment)["cycles"])

    def gains(self, policy, experiment=PAPER, over="leftover", pairs=None):
        """By pair, of every pair of the paper, or of those that an experiment has."""
        pairs = pairs or [each for each in kernels.PAIRS
                          if experiment == PAPER or self.has(each, policy, experiment)]
        if not pairs:
            raise Missing()
        return {named(each): self.gain(each, policy, experiment, over) for each in pairs}

    def mean_gain(self, policy, experiment=PAPER, over="leftover", pairs=None):
        return mean(list(self.gains(policy, experiment, over, pairs).values()))

    def pairs_of(self, experiment):
        return [each for each in kernels.PAIRS if self.has(each, "leftover", experiment)]

    def experiments(self):
        return [each for each in kernels.EXPERIMENTS if self.pairs_of(each.name)]

    def efficiency(self, names, policy):
        """Energy of the baseline over that of a policy."""
        try:
            return (self.line(names, "leftover")["energy_uj"] /
                    self.line(names, policy)["energy_uj"])
        except KeyError as error:
            raise Missing() from error

    def stalled(self, name, cause):
        """What is lost to a cause with one block on an SM, with two, and so on, over all that
        there is with one."""
        points = self.profile(name)["points"]
        return [each[f"stall_{cause}"] * each["cycles"] / points[0]["cycles"] for each in points]

    def alone(self, name):
        """Cycles of a kernel by itself, with the blocks that are best for it."""
        return min(each["cycles"] for each in self.profile(name)["points"])

    def bound(self, names):
        """The gain that no policy can exceed: the longest kernel takes what it takes alone."""
        return self.line(names, "leftover")["cycles"] / max(map(self.alone, names))

    def stalls(self, names, policy, cause):
        """Cycles of schedulers lost to a cause, over all that the baseline loses to both."""
        def lost(of, *causes):
            return of["cycles"] * sum(of["all"][f"stall_{each}"] for each in causes)

        return (lost(self.line(names, policy), cause) /
                lost(self.line(names, "leftover"), "structural", "memory"))

    def stall_change(self, names, policy, cause):
        """The same over what the baseline loses to the cause, less 1."""
        baseline = self.stalls(names, "leftover", cause)
        if not baseline:
            raise Missing()
        return self.stalls(names, policy, cause) / baseline - 1

    def miss_rate(self, names, policy):
        return self.line(names, policy)["all"]["l1_miss_rate"]


def needs(found, name):
    """What a block of a kernel takes of an SM."""
    of = found.kernel(name)
    return {"threads": of["threads"], "shared": of["shared_bytes"],
            "registers": of["threads"] * of["registers"], "blocks": 1}


def use(found, names, blocks, resource):
    """The part of an SM that so many blocks of each kernel take."""
    return sum(count * needs(found, name)[resource]
               for name, count in zip(names, blocks)) / ROOM[resource]
