# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was measured for docs/paper.md, by part, program and experiment, and what
was published (published.json)."""

import collections
import json
import pathlib

import plan
from performance import mean

HERE = pathlib.Path(__file__).resolve().parent
PUBLISHED = json.loads((HERE / "published.json").read_text())
GRAPH = "graph-itself"
OVERHEAD_US = 5  # Of a launch, on the machines of the papers.
EXPECTED = {part.name: part.programs for part in plan.PARTS}


class Missing(Exception):
    """Something that was not measured this time."""


def published(name):
    return PUBLISHED["numbers"][name]["value"]


class Results:
    """The lines of a file of results."""

    def __init__(self, lines):
        self.commits = sorted({line["commit"] for line in lines})
        self.lines = {(line["part"], line["program"], line["case"], line["experiment"]): line
                      for line in lines}
        self.case = {(line["part"], line["program"]): line["case"] for line in reversed(lines)}

    def programs(self, part):
        return [name for of, name in reversed(self.case) if of == part]

    def every_program(self, part):
        """What is said of all programs is said only where all were measured."""
        if set(self.programs(part)) != set(EXPECTED[part]):
            raise Missing()
        return self.programs(part)

    def cases(self, part, experiment):
        """Every line of an experiment."""
        return [line for (of, _, _, name), line in self.lines.items()
                if (of, name) == (part, experiment)]

    def line(self, part, program, experiment="paper", case=None):
        """Of one case, or of the first of the program."""
        try:
            case = case or self.case[part, program]
            return self.lines[part, program, case, experiment]
        except KeyError as error:
            raise Missing() from error

    def scheduler(self, part, program, name, experiment="paper"):
        try:
            return self.line(part, program, experiment)["schedulers"][name]
        except KeyError as error:
            raise Missing() from error

    def speedup(self, part, program, name, experiment="paper", over="baseline"):
        """How many times as fast as another scheduler."""
        return (self.scheduler(part, program, over, experiment)["time_us"] /
                self.scheduler(part, program, name, experiment)["time_us"])

    def speedups(self, part, name, experiment="paper", over="baseline"):
        return {program: self.speedup(part, program, name, experiment, over)
                for program in self.programs(part)}

    def mean(self, part, name, experiment="paper", over="baseline"):
        """The geometric mean over all programs of a part."""
        self.every_program(part)
        return mean(list(self.speedups(part, name, experiment, over).values()))

    def by_degree(self, experiment, over):
        """How many times as fast as another scheduler `producer` is, by blocks and degree."""
        found = collections.defaultdict(dict)
        for line in self.cases("degrees", experiment):
            size, by = line["size"], line["schedulers"]
            found[size["blocks"]][size["degree"]] = (by[over]["time_us"] /
                                                     by["producer"]["time_us"])
        return found

    def graph(self, part, program, case=None):
        return self.line(part, program, GRAPH, case)

    def overhead_share(self, program, part="queues"):
        """Of the baseline's time."""
        line = self.line(part, program)
        return line["launches"] * OVERHEAD_US / line["schedulers"]["baseline"]["time_us"]
