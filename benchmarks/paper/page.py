# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/paper.md and its plots, of what was measured and what was published."""

import claims
import figures
import hardware_claims as hardware
import hardware_tables
import plan
import queue_claims as queues
import wave_claims as waves
import window_claims as windows
from judging import percent, times
from performance import ratio
from results import OVERHEAD_US, PUBLISHED, Results, published
from tables import cell, judged, table

QUEUES, WINDOWS = figures.QUEUES, figures.WINDOWS

HEAD = """# The papers, side by side

Every number that two papers on hardware schedulers of thread blocks publish, beside ours. `./dev bench paper` records each program on the emulated device
([benchmarks](benchmarks.md)), has `bm-sim` simulate it, and writes this page and its plots from [the results](../benchmarks/results/{file}) and
[what was published](../benchmarks/paper/published.json); here at commit {commit}. What is run is in `benchmarks/paper/plan.py`. Nothing is fitted to the papers.

- BlockMaestro (ISCA 2021) has the machine [`titanx-pascal`](simulator.md#a-machine) with 5 us a launch, as its section IV says; ACS (arXiv 2401.12377) has `rtx3070`.
- Time is from the first launch to the end of the last; copies before and behind have an experiment of their own. Means of speed-ups are geometric.
- The bars of the papers' figures are not printed as numbers; what their text says of them is compared.
- A number is **confirmed** where ours is within a tenth of it; of a speed-up, within a tenth of what it is above 1. Where it is not, but one of our experiments reaches it, it
  hangs on something that the paper does not say, and is **not comparable**; where none does, it is **refuted**. So are statements. Numbers of ACS that are not confirmed are
  not comparable, since its programs are not ours.

"""

CONDITIONS = (
    ("paper", "the machine as it is"),
    ("no-overhead", "launching takes no time"),
    ("overhead-10us", "launching takes 10 us"),
    ("overhead-20us", "launching takes 20 us"),
    ("overhead-50us", "launching takes 50 us"),
    ("overhead-100us", "launching takes 100 us"),
    ("one-at-a-time", "launch overheads follow each other"),
    ("alone", "blocks take the same whatever runs beside them (`--durations model`)"),
    ("spread", "what a block needs differs by up to half (`block_spread_percent`)"),
    ("caches", "memory moves eight times the bytes, as if caches had seven of eight"),
    ("spread-caches", "both"),
    ("fine-grain-alone", "both, and launching takes no time"),
    ("half-machine", "14 SMs, half the memory bandwidth"),
    ("eight-machines", "224 SMs, eight times the memory bandwidth"),
    ("wide-counters", "parent counters of 16 bits"),
    ("copies", "with the copies before, between and behind the launches"),
    ("raw-only", "reads after writes of the launch before alone (`BLOCKMAESTRO_WINDOW=paper`)"),
)
WAVE_CONDITIONS = (
    *((name, f"every block takes {us:g} us") for us, name in waves.UNIFORM.items()),
    ("spread", "what a block needs differs by up to half"),
    ("one-block-an-sm", "an SM holds one block"),
    ("100us-one-block-an-sm", "the same, and every block takes 100 us"),
    ("cdp-20us", "a launch by a kernel takes 20 us, as on Kepler"),
    *((f"updates-{entries}", f"needs differ, and {entries} pending updates have room")
      for entries in plan.UPDATES),
)


def glance(results):
    rows = []
    for claim in claims.CLAIMS:
        found = claim.judged(results)
        where = PUBLISHED["numbers"][claim.number]["where"] if claim.number else ""
        rows.append([claim.section, claim.says, where, found.ours, found.verdict])
    return "## At a glance\n\n" + table(
        ["", "the paper says", "where", "ours", "judged"], rows)


def table_one(results):
    sums, rows = hardware.pattern_sums(results), []
    for each in PUBLISHED["table1"]:
        found = sums.get(each["pattern"], {})
        rows.append([f"({each['number']})", each["pattern"], each["overhead"]] + [
            found.get(key, "-") for key in ("relations", "edges", "paper_bytes", "list_bytes",
                                            "stored_bytes", "bytes")])
    return """
## Table I: storage by pattern

Sums over the programs of Table II, of relations that no others imply, in bytes: by the paper's Table I, as a list of pairs, as [recorded](recording.md), and as executors
read them ([encoding](encoding.md)).

""" + table(["", "pattern", "the paper's overhead", "relations", "edges", "by Table I", "as lists",
             "recorded", "read"], rows) + judged("Table I", results)


def numbered(values):
    return ", ".join(f"({value})" for value in values)


def size_of(line):
    return ", ".join(f"{key} {value}" for key, value in line["size"].items())


def program_row(results, name):
    line, paper = results.line("queues", name), PUBLISHED["programs"][name]
    graph = results.graph("queues", name)
    often = ", ".join(f"{count} {pattern}" for pattern, count in graph["patterns"].items())
    return [paper["name"], name, size_of(line), paper["kernels"], line["launches"],
            line["blocks"], f"{graph['waves']:.3g}", numbered(paper["patterns"]),
            numbered(queues.our_patterns(results, name)), often]


def table_two(results):
    return """
## Table II: the programs

*Waves*: the widest launch over the blocks that the machine holds at once. Patterns have Table I's numbers; ours are those of a launch that reads what the one before it wrote,
or, independent, does not. The paper does not give the sizes of its programs.

""" + table(["paper", "ours", "our size", "kernels", "ours", "blocks", "waves", "patterns", "ours",
             "how often"],
            [program_row(results, name) for name in results.programs("queues")]
            ) + judged("Table II", results)


def speedup_row(results, part, name, schedulers, over="baseline"):
    return [cell(results.speedup, part, name, each, "paper", over) for each in schedulers]


def mean_row(results, part, schedulers, over="baseline"):
    return [cell(results.mean, part, each, "paper", over) for each in schedulers]


def figure_nine(results):
    rows = [[name, cell(results.overhead_share, name, show=percent),
             cell(lambda name: results.scheduler("queues", name, "baseline")["of_bound"], name,
                  show=percent), *speedup_row(results, "queues", name, QUEUES)]
            for name in results.programs("queues")]
    rows.append(["**mean**", cell(queues.mean_overhead_share, results, show=percent), "",
                 *mean_row(results, "queues", QUEUES)])
    rows.append(["the paper", "", "", "", "", ratio(published("producer_mean")), "", "",
                 ratio(published("more_kernels_mean"))])
    return """
## Figure 9: speed-up

Over `baseline`. *Launching*: the launches times 5 us, over the baseline's time. *Bound*: the time that no scheduler beats ([simulator](simulator.md#what-is-reported)), over the
baseline's.

![Figure 9: speed-up over the baseline](images/paper-figure9.svg)

""" + table(["program", "launching", "bound", *QUEUES], rows) + judged(
        "Figure 9", results) + conditions(results) + smaller(results)


def conditions(results):
    def row(name, what):
        most = cell(lambda: max(results.speedups("queues", "producer", name,
                                                 "prelaunch").values()))
        return [what, *(cell(results.mean, "queues", each, name)
                        for each in ("prelaunch", "producer", "consumer4")), most]

    reordering = [cell(compute, show=times) for compute in (
        lambda: results.mean("queues", "prelaunch+reorder", "copies", "prelaunch"),
        lambda: max(results.speedups("queues", "prelaunch+reorder", "copies",
                                     "prelaunch").values()))]
    return f"""
The experiments, as means over the programs; last, the most that waiting for blocks brings to one of them (`producer` over `prelaunch`):

{table(["condition", "prelaunch", "producer", "consumer4", "fine grain"],
       [row(*each) for each in CONDITIONS])}
Reordering of the command queue (section III.C, for which the paper has no number), copies included: `prelaunch+reorder` is {reordering[0]} of `prelaunch` on average and
{reordering[1]} at the most.
"""


def smaller(results):
    """The part of Figure 9 on smaller sizes."""
    rows = []
    for line in results.cases("sizes", "paper"):
        by = {name: each["time_us"] for name, each in line["schedulers"].items()}
        graph = results.graph("sizes", line["program"], line["case"])
        rows.append([line["program"], size_of(line), f"{graph['waves']:.3g}",
                     percent(line["launches"] * OVERHEAD_US / by["baseline"]),
                     *(ratio(by["baseline"] / by[each]) for each in QUEUES),
                     ratio(by["prelaunch"] / min(by["producer"], by["consumer2"]))])
    return """
The programs that are to gain from fine grain, in smaller sizes; last, the better of the two that wait for blocks with two launches in flight, over `prelaunch`:

""" + table(["program", "size", "waves", "launching", *QUEUES, "fine grain"], rows)


def figure_ten(results):
    return """
## Figure 10: blocks at once

Blocks running, averaged over the time, over those of `baseline`.

![Figure 10: blocks at once](images/paper-figure10.svg)

""" + table(["program", "launches", *QUEUES],
            [[name, results.line("queues", name)["launches"],
              *(cell(queues.concurrency_gain, results, name, each) for each in QUEUES)]
             for name in results.programs("queues")]) + judged("Figure 10", results)


def quartiles(stall):
    return f"{stall['q1']:.2f} {stall['median']:.2f} {stall['q3']:.2f}"


def figure_eleven(results):
    return """
## Figure 11: stalls

From the end of a block's last parent to its start, over its own time: first quartile, median, third quartile of all blocks with parents.

![Figure 11: stalls](images/paper-figure11.svg)

""" + table(["program", *figures.STALLS],
            [[name, *(cell(queues.stall, results, name, each, show=quartiles)
                      for each in figures.STALLS)]
             for name in results.programs("queues")]) + judged("Figure 11", results)


def degree_table(found):
    columns = sorted({degree for by_degree in found.values() for degree in by_degree})
    return table(["blocks", *columns],
                 [[blocks, *(ratio(by_degree[each]) if each in by_degree else ""
                             for each in columns)] for blocks, by_degree in found.items()])


def figure_twelve(results):
    return f"""
## Figure 12: degree of dependency

`vectoradd`: two additions of so many blocks, where each block of the second needs so many of the first. Speed-up of `producer`.

![Figure 12: speed-up by degree](images/paper-figure12.svg)

{degree_table(results.by_degree("paper", over="baseline"))}
The same with durations that spread and memory that keeps up (`spread-caches`):

![Figure 12, with uneven blocks](images/paper-figure12-uneven.svg)

{degree_table(results.by_degree("spread-caches", over="baseline"))}""" + judged("Figure 12", results)


def small(value):
    return f"{value:.3g}"


def table_three(results):
    keys = ("paper_bytes", "stored_bytes")
    rows = [[name, cell(lambda name: PUBLISHED["programs"][name]["storage"], name, show=small),
             *(cell(hardware.storage_ratio, results, name, key, show=small) for key in keys)]
            for name in results.programs("queues")]
    rows.append(["**mean**", small(published("storage_mean")),
                 *(cell(lambda key: hardware.storage_means(results)[key], key, show=small)
                   for key in keys)])
    return """
## Table III: storage

Over a plain list of the same relations; in bytes in [storage](storage.md).

""" + table(["program", "the paper", "ours by Table I", "ours as recorded"],
            rows) + judged("Table III", results)


def figure_fourteen(results):
    rows = [[name, *speedup_row(results, "waves", name, figures.WAVES, "cdp")]
            for name in results.programs("waves")]
    rows.append(["**mean**", *mean_row(results, "waves", figures.WAVES, "cdp")])
    paper = {"producer": published("cdp_producer"), "consumer4": published("cdp_consumer"),
             "wireframe": published("cdp_wireframe")}
    rows.append(["the paper", *(ratio(paper[each]) if each in paper else ""
                                for each in figures.WAVES)])
    found = [[what, *(cell(waves.over_cdp, results, each, name)
                      for each in ("producer", "consumer4", "wireframe"))]
             for name, what in WAVE_CONDITIONS]
    return f"""
## Figure 14: wavefronts, against CDP and Wireframe

Over `cdp`, where a kernel launches the next one in 3 us. Each program has 4096 blocks in 127 waves of 1 to 64.

![Figure 14: speed-up over CDP](images/paper-figure14.svg)

{table(["program", *figures.WAVES], rows)}
The experiments, as means over the programs:

{table(["condition", "producer", "consumer4", "wireframe"], found)}""" + judged(
        "Figure 14", results)


def window_row(results, name):
    line = results.line("windows", name)
    return [name, line["launches"], line["copies"],
            cell(results.overhead_share, name, "windows", show=percent),
            *speedup_row(results, "windows", name, WINDOWS),
            cell(windows.graph_speedup, results, name),
            cell(windows.built_speedup, results, name),
            *speedup_row(results, "windows", name, ("acs-sw", "acs-hw"), "ideal")]


def acs(results):
    paper = [[f"the paper, {what}", "", "", "", "", ratio(published(f"{key}_sw")), "",
              ratio(published(f"{key}_hw")), "", "", "", ""]
             for key, what in (("physics", "physics"), ("dynamic", "dynamic networks"),
                               ("static", "static networks"))]
    return """
## ACS: kernels in a window

Over `baseline`, with 16 or 32 kernels in the window. *Graph*: one CUDA graph of the program; *built anew*: with the 47% of the time that the paper has for building it.
*Over ideal*: against launches that wait for each other and take no time, as in a stream that is kept full. *Copies*: between the launches.

![ACS: speed-up over the baseline](images/paper-acs.svg)

""" + table(["program", "launches", "copies", "launching", *WINDOWS, "graph", "built anew",
             "acs-sw over ideal", "acs-hw over ideal"],
            [*(window_row(results, name) for name in results.programs("windows")), *paper]
            ) + judged("ACS", results)


SECTIONS = (table_one, table_two, figure_nine, figure_ten, figure_eleven, figure_twelve,
            hardware_tables.area, hardware_tables.full_buffers, hardware_tables.figure_thirteen,
            table_three, figure_fourteen, acs)


def page(lines, file):
    """The page, and by their paths beside it the plots that it shows."""
    results = Results(lines)
    text = HEAD.format(commit=" and ".join(results.commits), file=file) + glance(results)
    return text + "".join(section(results) for section in SECTIONS), figures.images(results)
