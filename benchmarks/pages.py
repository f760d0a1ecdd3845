# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/benchmarks.md, from the folders' cases.json and the lines that runs of
the programs have left."""

import json
import statistics

HEAD = """# The papers' programs

Plain CUDA, one folder of `benchmarks/` each; [its README](../benchmarks/README.md) says how to list, build and run them. What their simulated runs have of the papers' numbers is in
[the papers, side by side](paper.md). This page is made by
`benchmarks/programs table FILE > docs/benchmarks.md` from the programs' `cases.json` and from what they printed on {where}.

## Programs

Launches, their blocks, and the median time between the first and the last of one repetition, all at the paper's size (where no paper has the
program, at a size of its kind). Waves are of the widest launch of each large case: its blocks over those that the device holds at once, by
threads alone.

"""

ROWS = ("| program | origin | kernels | launches | blocks per launch | us | waves (one, few, many) |\n"
        "|---|---|---|---|---|---|---|\n")

BY_HAND = """
On a GPU these are also placed by hand, with `--graph-pdl` as a graph of kernels that wait for each other and with `--cooperative` as one grid
([performance.md](performance.md)): {}.
"""

RELATIONS = """
## Dependencies expected between thread blocks

Written by hand, from the algorithms: what a dependency graph is judged against. The patterns are those of the paper's Table I. *Apart* is how many
launches lie between the two, 1 for consecutive ones.

| program | from | to | apart | hazard | pattern | because |
|---|---|---|---|---|---|---|
"""

BOUNDED = """
## Cases that cannot be as wide as their name says

| program | case | because |
|---|---|---|
"""


def lines_of(files):
    """The last line of every program and case."""
    found = {}
    for name in files:
        with open(name) as file:
            for text in file:
                line = json.loads(text)
                if line.get("check") == "pass":
                    found[line["program"], line["case"]] = line
    return found


def span(least, most):
    return str(least) if least == most else f"{least} to {most}"


def cell(text):
    return str(text).replace("|", "\\|")


def row(program, lines):
    line = lines.get((program.name, "paper"))
    cells = [program.name, program.origin]
    if line:
        kernels = line["kernels"]
        cells += [", ".join(kernel["name"] for kernel in kernels), line["launches"],
                  span(min(kernel["blocks"][0] for kernel in kernels),
                       max(kernel["blocks"][1] for kernel in kernels)),
                  f"{statistics.median(line['kernel_us']):.0f}"]
    else:
        cells += ["not run", "", "", ""]
    large = [lines.get((program.name, case))
             for case in ("one-wave", "few-waves", "many-waves")]
    cells.append(", ".join(f"{each['waves']:.3g}" if each else "-" for each in large))
    return "| " + " | ".join(cell(each) for each in cells) + " |\n"


def page(programs, files):
    lines = lines_of(files)
    places = sorted({f"{line['device']} at commit {line['commit']}"
                     for line in lines.values()})
    text = HEAD.format(where=" and ".join(places) or "no machine yet") + ROWS
    text += "".join(row(program, lines) for program in programs)
    text += BY_HAND.format(", ".join(program.name for program in programs
                                     if program.by_hand))
    text += RELATIONS
    for program in programs:
        for each in program.relations:
            cells = [program.name, each["producer"], each["consumer"],
                     each["distance"], each["hazards"], each["pattern"], each["why"]]
            text += "| " + " | ".join(cell(word) for word in cells) + " |\n"
    bounded = [(program.name, case, why) for program in programs
               for case, why in program.bounded.items()]
    if bounded:
        text += BOUNDED + "".join(
            "| " + " | ".join(cell(word) for word in each) + " |\n" for each in bounded)
    return text
