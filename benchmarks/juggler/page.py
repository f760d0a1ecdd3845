# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/juggler.md and its plots, from the lines that `juggler run` has left."""

import collections
import json
import math
import pathlib
import statistics

import plan
import plots

PUBLISHED = json.loads((pathlib.Path(__file__).parent / "published.json").read_text())

HEAD = """# Tasks of OpenMP on a GPU, beside Juggler's numbers

The programs of `benchmarks/openmp` on {device}{driver}, at {commit}, made by `benchmarks/juggler/run page` from [`{file}`]({link}), which holds every sample: {samples} of
each way, from {rounds}. The last result of every process was checked.

`barriers` is CUDA as the paper's baseline: a launch for each wave of tiles, and the host waits for each. `stream` is the same without waiting, `graph` the launches
captured once and replayed, `cooperative` one grid with a barrier of the grid behind each wave. `lrr`, `grr` and `lf` are the OpenMP program under the paper's policies, `default` is ours.
Times are those of the target region with its data on the device, and of CUDA from the first launch until all is done, by the host's clock; moving the programs' data
is not in them. The first run of a process is not counted, in which CUDA's graph is captured and the runtime records the tasks: a region that comes again with the same
arguments has the tasks that it had, and the runtime only looks whether what it read is what it was. What the first run takes stands [below](#finding-tasks-and-dependences);
the paper records the tasks each time. Tiles are computed by the same steps in CUDA and in OpenMP.
"""

REHEARSAL = """
**A rehearsal**: {what}. Nothing here says how fast a GPU is.
"""

FIGURE4 = """
## Figure 4: how much faster than global barriers

Case `{case}`, medians; `barriers` in microseconds, the others as how many times faster they are. The last column is the best of `graph` and `cooperative` over `default`: above 1, tasks beat what a
person places by hand. The mean is geometric, over the paper's seven.

![Times as fast as global barriers](images/juggler-figure4.svg)

"""

PAPERS = """
The paper ({machine}) prints its bars without numbers, but for the baseline's times, which its text does not have. What its text states:

| program | tasks | in parallel | LRR | GRR | LF |
|---|---|---|---|---|---|
"""

STATED = """
The best of all is {best} ({best_where}), the worst of GRR {worst} ({worst_where}). All other heights can be read from the plot only, and are not here.
For SA-TABLE Table 1 has 90 tasks in parallel at all times; ours is computed along anti-diagonals, from 1 to 90.
"""

FIGURE5 = """
## Figure 5: the load of workers

The most tasks that a worker of a run has had less the fewest: the lowest, mean and highest over all runs. The paper has a plot without numbers.

"""

FIGURE7 = """
## Figure 7: JACOBI as its tasks grow

Milliseconds, medians. The paper's plot has no numbers; its text has LRR and GRR beside global barriers along a straight line, and LF ever worse.

![JACOBI: times as fast as global barriers](images/juggler-figure7.svg)

"""

FIGURE6 = """
## Figure 6: misses of the second-level cache

The paper counts them with nvprof. Ours are not here: the machine gives its users no counters.
"""

IDLE = """
## What a task takes

`hops` has tasks that read two tiles of 16 numbers and write one: the whole is what tasks take. In waves a task waits for its neighbours; the time over the waves is
what one link of the chain takes. Free tasks wait for none; the time over the tasks is what each adds.

"""

INSPECTION = """
## Finding tasks and dependences

What the runtime reports of the regions, medians: in the first run of a process the time until all tasks are recorded, and until their graph is made and copied, and both
over the number of tasks and edges; in later ones the time until it is known that the tasks are the same, and until workers are launched.

"""

NOT_REPORTED = "The runtime reported nothing in these runs.\n"


def turns(rounds):
    return "one process each" if rounds == 1 else f"{rounds} processes that took turns"


def mean(ratios):
    """The geometric mean, or None of nothing."""
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def ratio(value):
    return "-" if value is None else f"{value:.2f}"


def table(head, rows):
    text = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return "\n".join(text + [f"| {' | '.join(map(str, row))} |" for row in rows]) + "\n"


def medians(lines):
    """Microseconds by case, program and way."""
    samples = collections.defaultdict(list)
    for line in lines:
        if "us" in line:
            samples[line["case"], line["program"], line["way"]] += line["us"]
    return {key: statistics.median(each) for key, each in samples.items()}


def faster(times, case, program, way, against="barriers"):
    """How many times faster a way is, or None where either was not timed."""
    own, other = (times.get((case, program, each)) for each in (way, against))
    return other / own if own and other else None


def beside_hand(times, case, program):
    """The best of graph and cooperative over default."""
    best = [faster(times, case, program, "default", way) for way in ("graph", "cooperative")]
    return min((each for each in best if each), default=None)


def tasks_of(lines, program, case):
    return next((line["tasks"] for line in lines if "tasks" in line and
                 (line["program"], line["case"]) == (program, case)), None)


def case_of(lines):
    """The case that Figure 4 is made of: the paper's, or, of a rehearsal, the first."""
    seen = [line["case"] for line in lines if "us" in line]
    return plan.PAPER_CASE if plan.PAPER_CASE in seen else seen[0]


def figure4(lines, times, images):
    case, ways = case_of(lines), plan.WAYS[1:]
    programs = [name for name in plan.PROGRAMS[:-1] if (case, name, "barriers") in times]
    cells = {name: [*(faster(times, case, name, way) for way in ways),
                    beside_hand(times, case, name)] for name in programs}
    rows = [[plan.PAPER.get(name, name), tasks_of(lines, name, case),
             f"{times[case, name, 'barriers']:.0f}", *map(ratio, cells[name])]
            for name in programs]
    seven = [cells[name] for name in programs if name in plan.PAPER]
    seven = seven or [[None] * (len(ways) + 1)]
    rows.append(["mean of the seven", "", "", *(
        ratio(mean([cell for cell in column if cell])) for column in zip(*seven))])
    images["images/juggler-figure4.svg"] = plots.bars(
        "Times as fast as global barriers", ways[1:],
        [(plan.PAPER.get(name, name), cells[name][1:-1]) for name in programs])
    head = ["program", "tasks", "barriers, us", *ways, "default beside hand"]
    return FIGURE4.format(case=case) + table(head, rows) + published()


def published():
    text = PAPERS.format(machine=PUBLISHED["machine"])
    for name, title in plan.PAPER.items():
        stated = PUBLISHED["stated"][name]
        cells = [title, PUBLISHED["tasks"][name], PUBLISHED["parallelism"][name],
                 *(stated.get(way, "plot only") for way in plan.QUEUES[:3])]
        text += f"| {' | '.join(map(str, cells))} |\n"
    best, worst = PUBLISHED["speedup"]["best"], PUBLISHED["speedup"]["worst"]
    return text + STATED.format(best=best["value"], best_where=best["where"],
                                worst=worst["value"], worst_where=worst["where"])


def regions(lines, case):
    """What was reported, by program and way."""
    out = collections.defaultdict(list)
    for line in lines:
        if line["case"] == case and line.get("regions"):
            out[line["program"], line["way"]] += line["regions"]
    return out


def figure5(lines):
    rows = []
    for (program, way), each in regions(lines, case_of(lines)).items():
        apart = [one["most"] - one["least"] for one in each if "workers" in one]
        if apart:
            rows.append([plan.PAPER.get(program, program), way, each[0]["workers"], min(apart),
                         f"{statistics.fmean(apart):.1f}", max(apart)])
    head = ["program", "way", "workers", "lowest", "mean", "highest"]
    return FIGURE5 + table(head, rows) if rows else ""


def figure7(times, images):
    cases = [case for case in plan.SWEEP if (case, "jacobi", "barriers") in times]
    if not cases:
        return ""
    rows = [[case.split("-")[1], *(
        f"{times[case, 'jacobi', way] / 1000:.3f}" if (case, "jacobi", way) in times else "-"
        for way in plan.WAYS)] for case in cases]
    series = [(way, [faster(times, case, "jacobi", way) for case in cases])
              for way in plan.WAYS[1:]]
    values = [value for _, each in series for value in each if value]
    least = math.floor(10 * min([1, *values])) / 10
    most = math.ceil(10 * max([1.1, *values])) / 10
    images["images/juggler-figure7.svg"] = plots.lines(
        "JACOBI: times as fast as global barriers", series,
        [case.split("-")[1] for case in cases], least, most)
    return FIGURE7 + table(["tasks", *plan.WAYS], rows)


def idle(lines, times):
    rows = []
    for case in (case_of(lines), plan.FREE):
        count = tasks_of(lines, plan.IDLE, case)
        # A square of tiles has two waves less one for each on a side.
        parts = count and (count if case == plan.FREE else 2 * math.isqrt(count) - 1)
        cells = [f"{1000 * times[case, plan.IDLE, way] / parts:.0f}"
                 if (case, plan.IDLE, way) in times else "-" for way in plan.WAYS] if count else []
        if cells:
            what = "free: ns a task" if case == plan.FREE else "waves: ns a wave"
            rows.append([what, count, *cells])
    return IDLE + table(["", "tasks", *plan.WAYS], rows) if rows else ""


def spent_on(runs):
    """Medians of what comes before tasks run, or nothing of no runs."""
    if not runs:
        return [math.nan] * 2
    return [statistics.median(one[key] for one in runs) for key in ("inspect_us", "prepare_us")]


def inspection(lines):
    rows = []
    for (program, way), each in regions(lines, case_of(lines)).items():
        if way != "default" or "inspect_us" not in each[0]:
            continue
        first, later = ([one for one in each if one.get("again", False) is again]
                        for again in (False, True))
        spent = spent_on(first)
        parts = each[0]["tasks"] + each[0]["edges"]
        rows.append([plan.PAPER.get(program, program), each[0]["tasks"], each[0]["edges"],
                     *(f"{value:.0f}" for value in spent),
                     f"{1000 * sum(spent) / parts:.0f}" if first else "-",
                     *(f"{value:.0f}" for value in spent_on(later))])
    head = ["program", "tasks", "edges", "recorded, us", "graph, us", "ns a task and edge",
            "later: known, us", "launched, us"]
    return INSPECTION + (table(head, rows) if rows else NOT_REPORTED)


def rehearsal(line):
    """The sentence of lines that were not made on a GPU."""
    what = ["all ran on the emulated device"] if line["device"] == "emulated" else []
    if line["openmp"] == "host":
        what.append("the OpenMP programs ran on the host's cores, in all of `lrr` to `default`")
    return REHEARSAL.format(what="; ".join(what)) if what else ""


def failures(lines):
    bad = [line for line in lines if "failed" in line]
    if not bad:
        return ""
    counts = collections.Counter((
        line["program"], line["case"], line["way"],
        line["failed"].replace("\n", " ").replace("|", "\\|")) for line in bad)
    rows = [[*key, count] for key, count in counts.items()]
    return "\n## What failed\n\n" + table(["program", "case", "way", "why", "runs"], rows)


def page(lines, file, link):
    """The page, and by their paths beside it the plots that it shows."""
    good = [line for line in lines if "us" in line and line["case"] != plan.CHECK]
    lines = good + [line for line in lines if "failed" in line]
    times, images = medians(good), {}
    counts = collections.Counter((line["case"], line["program"], line["way"]) for line in good)
    samples = sorted({len(line["us"]) * counts[line["case"], line["program"], line["way"]]
                      for line in good})
    text = HEAD.format(
        device="the emulated device" if good[0]["device"] == "emulated"
        else "one " + good[0]["device"],
        driver=f" (driver {good[0]['driver']})" if good[0]["driver"] else "",
        file=file, link=link,
        commit="commit " + " and ".join(dict.fromkeys(line["commit"] for line in good)),
        samples=" to ".join(map(str, dict.fromkeys((samples[0], samples[-1])))),
        rounds=turns(max(counts.values())))
    text += rehearsal(good[0]) + figure4(good, times, images) + figure5(good) + FIGURE6 + figure7(times, images)
    return text + idle(good, times) + inspection(good) + failures(lines), images
