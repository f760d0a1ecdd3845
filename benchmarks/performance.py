# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/performance.md and its plots, from the lines that `gpu run` has left."""

import collections
import math
import statistics

import plots

# What a person has without BlockMaestro: the plain launches, and what is
# placed by hand.
BY_HAND = ("graph-fixed", "graph-pdl", "cooperative")
INCUMBENTS = ("stream", "graph", *BY_HAND)
# Of runs of auto of many samples, in which it learns: the first as a whole, and what it does once it
# has learned.
FIRST, LATER = "auto, first 20", "auto, learned"
MANY = {FIRST: 40, LATER: 20}
PARTS = {FIRST: lambda samples: [statistics.fmean(samples[:20])],
         LATER: lambda samples: samples[-(len(samples) // 4):]}
# In the order of the columns.
WAYS = (*INCUMBENTS, "auto-graph", "serial", "pdl", "chained", "prelaunch", "persistent", "streams", "auto",
        FIRST, LATER, "bound")

PAGE = """# Performance

The programs of `benchmarks/` on one {device}, at {commit}, made by `benchmarks/gpu table` from
[`{file}`]({link}), which holds every sample. `stream` is the plain clang binary and its time for one launch, between two events around all
launches, the median of {samples} samples, processes: {rounds}. The other columns are how many times faster the same work is: `graph` is the same source captured
once and replayed as a CUDA graph ("-": it cannot be captured, since it reads results on the host in between, or its replay was wrong, or was not timed);{hand} the others are the binary made with
`-fblockmaestro` under that [executor](executors.md). `auto / best incumbent` is the time of the best incumbent (of {incumbents}) over that of `auto`: below 1.00 a person
who places the launches by hand has the faster program. Means are geometric, each over the programs that have the way. Every result was checked. {spread}{fixed}

What it shows. `pdl` takes about a microsecond from every launch, which is much where kernels take two to twelve and nothing where they take a hundred. Where
kernels are as short as a launch takes the host to issue, the stream waits for the host; a graph, which is issued at once, does not, and neither does `auto`, which
[gathers launches](executors.md#chained) into graphs that it makes while the program runs, in which independent launches run beside each other, and blocks wait for blocks
where that is faster. The samples of `auto` have the first runs in them, in which it makes them and tries both.{later}
"""
LATER_TEXT = """ `auto, learned` is
the median of the last quarter of each process alone, what a program gets that runs for longer."""
FIRST_TEXT = """ `auto, first 20` is what the first twenty
took together, a twentieth of it, with every chain that was made meanwhile."""

HAND = """ `graph-pdl` is a graph of
kernels that wait for each other by `cudaGridDependencySynchronize()` and are launched programmatically, `cooperative` one cooperative grid for all launches with a barrier of the grid
between what were launches, both where a program has them (`common/ByHand.h`);"""
OUR_GRAPH = """ `auto-graph` is what `graph` is, compiled with
`-fblockmaestro` (the program's graph in [a form whose kernels start early](executors.md#the-programs-own-graphs));"""
MOVED = """From one process to the next the median of a way moves by {:.1f}% (half the distance
from the fastest to the slowest, the median over all)."""
FIXED = """ Programs with a `graph-fixed` ask the host between the parts of their work: as `graph` every part is
captured and updates the graph of the one before, as `graph-fixed` one graph is launched for every part and finds in device memory what changes."""
BOUND = """
`bound` is what no execution of the program's block graph can beat in which every block takes as long as it took when it was recorded: the larger of the *critical path*, the longest
chain of blocks that need each other, and the *area*, all blocks on the places, threads and shared memory of the SMs ([the simulator](simulator.md#what-is-reported);
`benchmarks/gpu record` and `bound`{recorded}). Recorded is one run under `serial`, in which a launch has the machine for itself. Nothing is in it for launching, for registers, or for copies within
the device, which a recording made on a GPU does not have. A block may be faster beside others than beside its like, and kernels are recorded in a form that can be slower
([recordings](recording.md#when-a-block-ran)): a way can be faster than a bound, and is named then. `auto / bound` is the time of the bound over that of `auto`: the part of what can be had.
"""
CHAINS = """
K launches of G blocks of 256 threads, named K G R BASE SKEW: a block needs the blocks up to R away in the launch before and works for BASE to BASE + SKEW
nanoseconds (`chain` of `benchmarks/launches.cu`).
"""


def mean(ratios):
    """The geometric mean."""
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def ratio(text):
    return "-" if text is None else f"{text:.2f}"


def measured_of(line):
    """What a line has samples of, of which there may be several runs."""
    return line["case"], line["program"], line["way"]


def with_parts(lines):
    """Besides these lines those of the parts of each long run of auto."""
    return [*lines, *({**line, "way": way, "us": part(line["us"])}
                      for way, part in PARTS.items() for line in lines
                      if line["way"] == "auto" and len(line.get("us", ())) >= MANY[way])]


def medians(lines):
    """Microseconds per launch of the stream, by case, program and way."""
    launches = {(line["case"], line["program"]): line["launches"] for line in lines
                if "us" in line and line["way"] == "stream"}
    samples = collections.defaultdict(list)
    for line in lines:
        count = launches.get((line["case"], line["program"]))
        if "us" in line and count:
            samples[measured_of(line)] += [
                us / count for us in line["us"]]
    out = collections.defaultdict(dict)
    for (case, program, way), each in samples.items():
        out[case, program][way] = statistics.median(each)
    return out


def spread(lines):
    """Half the distance from the fastest to the slowest run of a way, by run medians, as a
    share of their median; the median of these over all."""
    runs = collections.defaultdict(list)
    for line in lines:
        if "us" in line:
            runs[measured_of(line)].append(statistics.median(line["us"]))
    shares = [(max(each) - min(each)) / 2 / statistics.median(each)
              for each in runs.values() if len(each) > 1]
    return statistics.median(shares) if shares else None


def best_of(found, ways):
    """The fastest of these ways that was timed, or None."""
    return min((way for way in ways if way in found), key=found.get, default=None)


def against(found, way="auto"):
    """The best incumbent's time over that of auto, or another way."""
    if way not in found:
        return None
    return found[best_of(found, INCUMBENTS)] / found[way]


def of_bound(found, way):
    """The time of the bound over that of a way."""
    return found["bound"] / found[way] if "bound" in found and way in found else None


def programs_of(times, case):
    """The times of a case's programs that have a stream to compare with, by name; chains in
    the order in which they were run."""
    return {program: found for (of, program), found in times.items()
            if of == case and "stream" in found}


def rows(programs, ways):
    """The table of one case, and the geometric means of its columns."""
    bound = ["auto / bound"] if "bound" in ways else []
    later = ["learned / best incumbent"] if LATER in ways else []
    head = ["program", "stream, us", *ways, "auto / best incumbent", *later, *bound]
    text = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    columns = []
    for program, found in programs.items():
        cells = [found["stream"] / found[way] if way in found else None for way in ways]
        columns.append([*cells, against(found), *(against(found, LATER) for _ in later),
                        *(of_bound(found, "auto") for _ in bound)])
        text.append(f"| {program} | {found['stream']:.2f} | "
                    f"{' | '.join(map(ratio, columns[-1]))} |")
    means = [mean([cell for cell in column if cell is not None]) for column in zip(*columns)]
    text.append(f"| geometric mean | | {' | '.join(map(ratio, means))} |")
    return "\n".join(text)


def behind(programs):
    """The sentence that names the programs for which an incumbent is faster than auto."""
    judged = {program: against(found) for program, found in programs.items()
              if "auto" in found}
    slower = [f"{program} ({judged[program]:.2f}, {best_of(programs[program], INCUMBENTS)})"
              for program in sorted(judged, key=judged.get) if judged[program] < 0.995]
    if not slower:
        return f"None of {len(judged)} programs is below 1.00 of its best incumbent under `auto`."
    return (f"Below 1.00 of the best incumbent, which is named, are {len(slower)} of "
            f"{len(judged)}: {', '.join(slower)}.")


def beyond(programs):
    """The sentence that names the programs of which a way is faster than their bound."""
    faster = {}
    for program, found in programs.items():
        best = best_of({way: us for way, us in found.items() if way != "bound"}, WAYS)
        share = of_bound(found, best)
        if share is not None and share >= 1.005:
            faster[program] = f"{program} ({share:.2f}, {best})"
    if not faster:
        return "No way is faster than its program's bound."
    return f"Faster than the bound, with the fastest way, are {', '.join(faster.values())}."


def plot(case, programs, against="stream"):
    """The plot of one case: graph, the best that is placed by hand, and auto, as far as they
    were timed, each against one way."""
    series = {"graph": ("graph",), "best placed by hand": BY_HAND, "auto": ("auto",),
              **({LATER: (LATER,)} if any(LATER in found for found in programs.values()) else {})}
    best = {name: {program: best_of(found, ways) for program, found in programs.items()}
            for name, ways in series.items()}
    rows = [(program, [found[against] / found[best[name][program]]
                       if best[name][program] else None for name in series])
            for program, found in programs.items() if against in found]
    return plots.bars(f"{case}: times as fast as the {against}", tuple(series), rows)


def image(case, against="stream"):
    return f"images/performance-{case}{'' if against == 'stream' else '-' + against}.svg"


def bound_part(case, programs, images):
    """What stands below a case's table of its programs' bounds; adds the plot."""
    images[image(case, "bound")] = plot(case, programs, "bound")
    return (f"\n![{case}: times as fast as the bound]({image(case, 'bound')})\n\n"
            f"{beyond(programs)}\n")


def commits_of(runs):
    """The commit, or of several which cases are whose."""
    cases = {}
    for line in runs:
        cases.setdefault(line["commit"], {})[line["case"]] = None
    if len(cases) == 1:
        return f"commit {next(iter(cases))}"
    return "commits " + " and ".join(f"{commit} ({', '.join(names)})"
                                     for commit, names in cases.items())


def recorded_at(lines, runs):
    """Where bounds are older than what was measured: of which commit they are."""
    commits = dict.fromkeys(line["commit"] for line in lines if line["way"] == "bound")
    return "".join(f", at {commit}" if commit != "unknown" else ", at an earlier commit"
                   for commit in commits if commit not in {line["commit"] for line in runs})


def samples_of(runs):
    """How many samples each way has of a program, all its runs together."""
    counts = collections.Counter()
    for line in runs:
        counts[measured_of(line)] += len(line["us"])
    least, most = min(counts.values()), max(counts.values())
    return str(most) if least == most else f"{least} to {most}"


def head(lines, file, link):
    """What stands above the tables."""
    good = [line for line in lines if "us" in line and line["way"] not in ("bound", *PARTS)]
    runs = [line for line in good if measured_of(line) == measured_of(good[0])]
    seen = {line["way"] for line in lines}
    moved = spread(lines)
    return PAGE.format(
        device=good[0]["device"], commit=commits_of(good), file=file, link=link,
        rounds=len(runs), samples=samples_of(good),
        incumbents=", ".join(f"`{way}`" for way in INCUMBENTS if way in seen),
        hand=(HAND if seen & {"graph-pdl", "cooperative"} else "")
        + (OUR_GRAPH if "auto-graph" in seen else ""),
        fixed=FIXED if "graph-fixed" in seen else "",
        later=(LATER_TEXT if LATER in seen else "") + (FIRST_TEXT if FIRST in seen else ""),
        spread="" if moved is None else MOVED.format(100 * moved)) + (
            BOUND.format(recorded=recorded_at(lines, good)) if "bound" in seen else "")


def page(lines, file, link):
    """The page, and by their paths beside it the plots that it shows."""
    lines = with_parts(lines)
    times = medians(sorted(
        lines, key=lambda line: "" if line["case"] == "chains" else line["program"]))
    text, images = head(lines, file, link), {}
    for case in dict.fromkeys(line["case"] for line in lines):
        seen = {line["way"] for line in lines if line["case"] == case}
        programs = programs_of(times, case)
        images[image(case)] = plot(case, programs)
        text += (f"\n## {case}\n{CHAINS if case == 'chains' else ''}\n"
                 f"![{case}: times as fast as the stream]({image(case)})\n\n"
                 f"{rows(programs, [way for way in WAYS[1:] if way in seen])}\n\n"
                 f"{behind(programs)}\n")
        if "bound" in seen:
            text += bound_part(case, programs, images)
    return text, images
