# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/truth.md and its plots, of the lines that `truth measure` has left."""

import plots
import sides
import verdict
from performance import ratio

HEAD = """# The simulator beside a GPU

What `bm-sim` says of an NVIDIA H200 beside what one did, made by `benchmarks/truth/run` at commit {commit} from [the results](../benchmarks/results/{file}).{of_gpu} Every program of
[benchmarks](benchmarks.md) at two sizes, and the [chains](performance.md#chains), were recorded on the GPU ([block starts and ends](recording.md#when-a-block-ran), `benchmarks/gpu record`),
and at the same sizes on the emulated device, with costs; the second recording is simulated on the machine [`{machine}`](simulator.md#a-machine). Both must have the same launches.

- **Kernels**: of each launch the time from its first block's start to its last block's end, the sum over all launches, simulated over measured. `shared` and `model` are the
  [durations](simulator.md#durations). Launches have the machine to themselves on both sides, so nothing of launching is in it.
- **Blocks**: how long a block takes on average, the same way.
- **End to end**: from the first launch to the end of the last, simulated of the GPU's recording with the durations that it has (`--durations events`), over what the program took there as a
  plain binary that was not recorded ([performance](performance.md)), launched on a stream, and captured as a graph. Launches follow each other as the schedulers [`stream` and
  `graph`](simulator.md#the-schedulers) have it: by what lies between the last end of one launch and the first start of the next, on the stream no faster than the host calls.{host}
- **Kept out** are the programs of which the name's SHA-256 is a multiple of 3: no change of the model was chosen by them, and they have figures of their own. No constant is fitted to any
  program: the machine's file says where each is from.
- Errors are means of |simulated / measured - 1|, ratios geometric means, correlations those of logarithms.

What is known of where they differ:

- A basic block counts, from one barrier of the block to the next, once for each visit of the lane that came there most often. Where no barrier keeps apart the lanes of a warp that come there in different
  iterations of a loop, the warp is there more often.
- Which of a block's sectors are far, those it reads or those it only writes, is not recorded: what is written is taken to be the far one ([decision 0048](decisions/0048-barriers-and-results.md)). A block that reads what is far
  and writes over what is near comes out too short.
- `shared` has what waits for memory filled by whatever else has something to do, and memory at its measured rate all the time: kernels of many short blocks come out shorter than on the GPU (fdtd2d, image-extract), while `model`, in
  which all blocks of a launch wait and share at the same time, has them right on average.
- Between two blocks in one place the model has {gap} ns, the median of 19 recordings of programs that are not kept out; fft has 544 and 576, lu 1,408 and black-scholes 1,728
  ([what was measured](../benchmarks/results/turnaround-2026-11-29-h200.jsonl)): their blocks are simulated longer beside their kernels than those of others. What a block has written is on its way when its end is noted, and its place is free when that has arrived; that this is why was not shown.
{form}
- A stream of short kernels waits for its host: what a launch takes that differs from process to process on one machine (3.4 to 4.6 us were measured in one session), and by kernel, and is one number here. What the host does between launches, copies and fills are not in it either (physics).
- Atomics of many blocks on one address take their time one by one (physics: findPairs), and the model has nothing for that. Those of shared memory take what a read does, a cycle of the SM for each lane that wants the same bank or word
  ([measured](../benchmarks/results/long-ways-2026-11-29-h200.jsonl)); histogram's are slower for another reason.
- Divisions of floats take the long way where one lane divides 0 or a denormal number: 296 and 549 cycles instead of 64 on an H200, for the whole warp
  ([measured](../benchmarks/results/long-ways-2026-11-29-h200.jsonl)); a model of code has the short way (image-extract: srad).
- What ptxas makes of small blocks behind a condition: reads in them are issued together, under predicates ([decision 0053](decisions/0053-reads-in-front.md)).
- ptxas issues integers of later iterations before the exchanges of earlier ones (dtw: warpTile), which no chain of a basic block has.
- By which changes kernel times became what they are: decisions [0043](decisions/0043-issued-costs.md), [0048](decisions/0048-barriers-and-results.md), [0052](decisions/0052-reads-together.md) and [0053](decisions/0053-reads-in-front.md). Patterns that are in no program are held against the same GPU in [patterns](patterns.md).
"""
# By whether a form was recorded of which the recording does not say how many registers it has.
FORMS = {True: """\
- What is recorded on the GPU is a form of the kernel that takes about 40 registers; `registers_least` says so to the simulator, which then holds as many blocks at once. Where fewer blocks at
  once are slower, as in kernels of a few registers that wait for memory (fdtd2d, backprop), end to end by recorded times is longer than what the plain binary took.""",
         False: """\
- What is recorded on the GPU is the kernel's own code with one thread's notes around it ([timed variants](variants.md#timed-variants)). By times that the GPU took the simulator holds as many blocks at once as its form did,
  by modelled ones as the kernel does: of two convolutions (dynamic-cnn, random-cnn) these are six and eight of 256 threads."""}
CLOCKED = """
Blocks of the chains with a BASE or SKEW work until a clock says so: on the emulated device that is the host's, and what is counted there says nothing of a GPU. They have no modelled
times ("-"), and count in what is end to end.
"""
# Where the programs did not run on the GPU again.
OF_GPU = (" What the GPU did, and what is end to end, was measured at commit {commit}, of the same "
          "programs and launches.")
OF_HOST = (" A launch took the host that they were timed on {ns:,} ns, the mean of what `constants.cu` measured beside.")
PARTS = (("all", lambda line: True),
         ("not kept out", lambda line: not verdict.kept_out(line["program"])),
         ("kept out", lambda line: verdict.kept_out(line["program"])))
# What the page compares: name, what is so, what is said; None where there is not both.
KERNELS, BLOCKS = "kernels", "blocks"
LIMIT = 3  # Of the plots, beyond which a bar is cut.


def kernels(line, how):
    return pair_of(line["kernel_us"], how)


def block(line, how):
    return pair_of(line["block_ns"], how)


def pair_of(sides, how):
    return (sides["gpu"], sides[how]) if how in sides else None


def end(line, way):
    """What the way took, and what is simulated of launches that it issues."""
    if way not in line["timed_us"]:
        return None
    return line["timed_us"][way], line["end_us"][way]


ENDS = ("stream", "graph")
COMPARED = (
    *((f"kernels, {how}", lambda line, how=how: kernels(line, how)) for how in
      ("shared", "model")),
    *((f"blocks, {how}", lambda line, how=how: block(line, how)) for how in
      ("shared", "model")),
    *((f"end to end, {way}", lambda line, way=way: end(line, way)) for way in ENDS),
)


def table(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|",
                      *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def percent(number):
    return "-" if number is None else f"{100 * number:.1f}%"


def summaries(lines):
    """The table of means."""
    rows = []
    for name, pair in COMPARED:
        for part, belongs in PARTS:
            pairs = [pair(line) for line in lines if belongs(line) and pair(line)]
            found = verdict.summary(pairs)
            if pairs:
                rows.append([name, part, found["count"], percent(found["error"]),
                             ratio(found["ratio"]), ratio(found["correlation"])])
    return table(["compared", "programs", "number", "error", "ratio", "correlation"], rows)


def over(pair):
    return ratio(pair[1] / pair[0]) if pair else "-"


def farthest(line):
    """The kernel that is off by most of the program's time."""
    if "shared" not in line["kernel_us"]:
        return ""
    name, found = max(line["kernels"].items(),
                      key=lambda each: abs(each[1]["shared"] - each[1]["gpu"]))
    return (f"{name}: {found['gpu'] / found['launches']:.2f} us, simulated "
            f"{found['shared'] / found['launches']:.2f}")


def row(line):
    out = "yes" if verdict.kept_out(line["program"]) else ""
    if "failed" in line:
        return [line["program"], out, line["launches"], line["failed"],
                *[""] * (len(COMPARED) + 1)]
    return [line["program"], out, line["launches"],
            f"{line['kernel_us']['gpu'] / line['launches']:.2f}",
            *(over(pair(line)) for _, pair in COMPARED), farthest(line)]


def each(lines):
    """The table of programs."""
    head = ["program", "kept out", "launches", "us a launch", *(name for name, _ in COMPARED),
            "the kernel that is off by most"]
    return table(head, map(row, lines))


def faster(line, way, base, by):
    """How many times as fast as another way: measured, predicted."""
    if way not in line["timed_us"] or base not in line["timed_us"]:
        return None
    return (line["timed_us"][base] / line["timed_us"][way],
            line["end_us"][base] / line["end_us"][by])


# Way, the way that it is compared with, and the scheduler that stands for it.
SPEEDUPS = (("graph", "stream", "graph"), ("graph-pdl", "graph", "graph-pdl"),
            ("auto-graph", "graph", "graph-pdl"), ("auto", "graph", "graph-pdl"))


def speedups(lines):
    rows = []
    for way, base, by in SPEEDUPS:
        for part, belongs in PARTS:
            pairs = [faster(line, way, base, by) for line in lines if belongs(line)]
            pairs = [pair for pair in pairs if pair]
            found = verdict.summary(pairs)
            measured = verdict.summary([(1, so) for so, _ in pairs])
            if pairs:
                rows.append([f"`{way}` over `{base}`", f"`{by}`", part,
                             found["count"], ratio(measured["ratio"]), percent(found["error"]),
                             ratio(found["ratio"]), ratio(found["correlation"])])
    return table(["way", "predicted by", "programs", "number", "measured", "error", "ratio",
                  "correlation"], rows)


def image(case):
    return f"images/truth-{case}.svg"


def plot(case, lines):
    series = [(name, pair) for name, pair in COMPARED if name.startswith("kernels")]
    rows = [(line["program"], [pair(line)[1] / pair(line)[0] for _, pair in series])
            for line in lines if all(pair(line) for _, pair in series)]
    return plots.in_rows(f"{case}: kernel times, simulated over measured",
                         tuple(name for name, _ in series), rows, LIMIT, "x", plots.bar)


def of_gpu(lines):
    """Where the GPU's side is of an earlier commit, what says so."""
    earlier = next((line["gpu_commit"] for line in lines if "gpu_commit" in line), None)
    return OF_GPU.format(commit=earlier) if earlier else ""


def of_host(lines):
    """What launches took the host, where that is not the machine's number."""
    ns = next((line["launch_ns"] for line in lines if "launch_ns" in line), None)
    return OF_HOST.format(ns=ns) if ns else ""


def page(lines, file):
    """The page, and by their paths beside it the plots that it shows."""
    lines = sorted(lines, key=lambda line: "" if line["case"] == "chains" else line["program"])
    good = [line for line in lines if "failed" not in line]
    text = HEAD.format(commit=lines[0]["commit"], file=file, machine=lines[0]["machine"],
                       of_gpu=of_gpu(lines), host=of_host(lines),
                       gap=sides.PLACES[1].partition("=")[2],
                       form=FORMS[any(map(sides.registers_least_of, lines))])
    images = {}
    for case in dict.fromkeys(line["case"] for line in lines):
        of_case = [line for line in lines if line["case"] == case]
        of_good = [line for line in good if line["case"] == case]
        images[image(case)] = plot(case, of_good)
        text += (f"\n## {case}\n{CLOCKED if case == 'chains' else ''}\n{summaries(of_good)}\n\n"
                 f"![{case}: kernel times]({image(case)})\n\n{each(of_case)}\n\n"
                 f"How many times as fast one way is as another, measured, and predicted by the scheduler that stands for it:\n\n{speedups(of_good)}\n")
    return text, images
