# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One program on a GPU, as `gpu record` has recorded it, and the same program on
the emulated device, as the simulator has it run on that GPU: one line, a dict,
with what each launch took on either side. Emulated recordings that are newer
than their program are not made again."""

import collections
import json

import cases
import chains
import graphs
import measure

DURATIONS = ("shared", "model")
# What was recorded on a GPU before a recording said how many registers its launches had as they
# ran were prelaunch variants, which take about so many (docs/recording.md).
PRELAUNCH_REGISTERS = 40
# As recorded a place is empty for so long between two blocks, since it begins before a block's
# start and ends behind its end: the median of programs (results/turnaround-2026-11-29-h200.jsonl).
PLACES = ("--set", "block_turnaround_ns=288")
# Where what blocks took is known, what launches them is compared.
LAUNCHED_BY = ("stream", "graph", "graph-pdl")

OTHER_LAUNCHES = "its launches on the emulated device are others"


def command(tree, name, case, repetitions=1):
    """How a program is run. Of the chains, the name is the chain's."""
    if case == chains.NAME:
        return [tree.build / "bench" / chains.NAME / chains.binary("serial"),
                *chains.arguments(name, 1)]
    return [tree.programs / name, *cases.arguments(name, case), "--repetitions", repetitions,
            "--seed", 1]


def registers_least_of(line):
    return line.get("registers_least", PRELAUNCH_REGISTERS)


def form(line):
    """How bm-sim is told of a form that takes more registers than its kernel."""
    return ("--set", f"registers_least={registers_least_of(line)}")


def asked_for(tree, file):
    """The launches and waits of a recording."""
    return json.loads(measure.call([tree.tool("bm-dump"), "launches", "--json", file]))


def registers_least(found, line):
    """Of a thread of what was recorded on a GPU, where its recording, of which found is
    asked_for(), does not say it itself."""
    known = all(each["registers_as_run"] for each in found["launches"][-line["launches"]:])
    return 0 if known else PRELAUNCH_REGISTERS


def timed_run(found, line):
    """First and last launch of the run that a recording made on a GPU, of which found is
    asked_for(), was timed in: what comes before the last wait for an event, behind which some
    programs run once more, to check each step on the host; or the last ones."""
    waits = found["waits"]
    end = waits[-1]["before_launch"] if waits else len(found["launches"])
    return end - line["launches"], end - 1


def stem(line):
    return f"{line['program']}.{line['case']}".replace(" ", "-")


def emulated(tree, line):
    """The recording of one repetition on the emulated device, with costs. One worker runs all
    blocks, so that the same comes out each time."""
    words = command(tree, line["program"], line["case"])
    if not words[0].exists():
        raise measure.Failed(f"{words[0]} is not there; 'gpu build' makes it")
    file = tree.keep / f"{stem(line)}.emulated.bmrec"
    if not measure.is_fresh(file, words[0], *tree.libraries()):
        part = file.with_suffix(".part")
        part.unlink(missing_ok=True)
        measure.call(words, {"BLOCKMAESTRO_DEVICE": "emulated", "BLOCKMAESTRO_EXECUTOR": "serial",
                             "BLOCKMAESTRO_WORKERS": "1", "BLOCKMAESTRO_RECORD": str(part),
                             "LD_LIBRARY_PATH": str(tree.build / "lib")})
        part.rename(file)
    return file


def simulated(tree, file, line, launches, *options):
    """What bm-sim says of these launches of a recording."""
    found = json.loads(measure.call(
        [tree.tool("bm-sim"), file, f"--launches={launches}", "--machine", line["machine"],
         *form(line), "--jobs", 1, "--json", *options]))
    if found["truncated"]:
        raise measure.Failed(f"{file} is cut off")
    return found


def launches_of(found):
    """Kernel, blocks and time of each launch, and what a block takes on average."""
    of = found["schedulers"][0]
    return ([(graphs.short_name(each["kernel"]), blocks(each["grid"]),
              time["last_end_ns"] - time["first_start_ns"])
             for each, time in zip(found["kernels"], of["launches"])],
            1000 * of["concurrency"] * of["time_us"] / max(1, found["blocks"]))


def by_blocks(tree, file, line, how):
    """The same of the last launches of a recording with costs, each with the machine to itself."""
    return launches_of(simulated(tree, file, line, f"-{line['launches']}..", "--durations", how,
                                 "--scheduler", "ideal", *PLACES))


def blocks(grid):
    count = 1
    for extent in grid:
        count *= extent
    return count


def by_warps(found):
    """Kernel, blocks and nanoseconds of each launch, of what bm-sim says of the warp tier."""
    ns = 1000 * found["time_us"] / max(1, found["all"]["cycles"])
    return [(graphs.short_name(each["kernel"]), each["blocks"], each["cycles_blocks"] * ns)
            for each in found["launches"]]


def recorded(tree, file, run):
    """The same of a run, its first and last launch, of a recording made on a GPU, and what a
    block took on average."""
    found = json.loads(measure.call([tree.tool("bm-dump"), "recording", "--json", file]))
    begin, end = run
    timed = found["launches"][begin:end + 1]
    for each in timed:
        if each["events"] != each["blocks"]:
            raise measure.Failed(f"launch {each['launch']} has {each['events']} of "
                                 f"{each['blocks']} blocks")
    return ([(graphs.short_name(each["kernel"]), each["blocks"], each["ns"]) for each in timed],
            sum(each["block_ns"] for each in timed) / sum(each["blocks"] for each in timed))


def by_kernel(sides):
    """Launches and microseconds of each kernel on every side."""
    found = {}
    for side, launches in sides.items():
        for kernel, _, ns in launches:
            sums = found.setdefault(kernel, {"launches": collections.Counter(),
                                             "us": collections.Counter()})
            sums["launches"][side] += 1
            sums["us"][side] += ns / 1000
    return {kernel: {"launches": sums["launches"]["gpu"],
                     **{side: round(sums["us"][side], 3) for side in sides}}
            for kernel, sums in found.items()}


def is_modelled(line):
    return line["case"] != chains.NAME or not chains.works_by_the_clock(line["program"])


def modelled(tree, line):
    """Launches, and what a block takes, as the model has them of what was recorded on the
    emulated device: for each way of durations; none where there is no model."""
    if not is_modelled(line):
        return {}, {}
    file = emulated(tree, line)
    found = {how: by_blocks(tree, file, line, how) for how in DURATIONS}
    return ({how: launches for how, (launches, _) in found.items()},
            {how: ns for how, (_, ns) in found.items()})


def end_to_end(tree, line, gpu_file, run):
    """What each way to launch makes of the times that a GPU took for the blocks of a run."""
    begin, end = run
    found = simulated(tree, gpu_file, line, f"{begin}..{end}", "--durations", "events",
                      "--scheduler", ",".join(LAUNCHED_BY),
                      *(("--set", f"launch_overhead_ns={line['launch_ns']}")
                        if "launch_ns" in line else ()))
    return {each["name"]: each["time_us"] for each in found["schedulers"]}


def us_of(launches):
    return round(sum(ns for _, _, ns in launches) / 1000, 3)


def held(tree, line, gpu_file):
    """What a line says once both sides are known."""
    found = asked_for(tree, gpu_file)
    line = {**line, "registers_least": registers_least(found, line)}
    run = timed_run(found, line)
    gpu, gpu_block_ns = recorded(tree, gpu_file, run)
    models, block_ns = modelled(tree, line)
    if any([each[:2] for each in model] != [each[:2] for each in gpu]
           for model in models.values()):
        raise measure.Failed(OTHER_LAUNCHES)
    sides = {"gpu": gpu, **models}
    return {"blocks": sum(count for _, count, _ in gpu),
            "registers_least": line["registers_least"],
            "kernel_us": {side: us_of(each) for side, each in sides.items()},
            "block_ns": {side: round(ns, 1)
                         for side, ns in {"gpu": gpu_block_ns, **block_ns}.items()},
            "kernels": by_kernel(sides),
            "end_us": end_to_end(tree, line, gpu_file, run)}


def compare(tree, line, recording):
    """The line of one program and case; with what failed, where something did."""
    gpu_file = tree.keep / f"{stem(line)}.gpu.bmrec"
    gpu_file.write_bytes(recording)
    try:
        return line_of(tree, line, lambda: held(tree, line, gpu_file))
    finally:
        gpu_file.unlink()


def line_of(tree, line, held_by):
    kept = {key: line[key] for key in ("program", "case", "device", "launches", "machine",
                                       "launch_ns") if key in line}
    try:
        return {**kept, **held_by()}
    except measure.Failed as failed:
        return {**kept, "failed": str(failed).replace(f"{tree.build}/", "")}


def kernels_again(line, models):
    """What each kernel took, of which the GPU's sums are known."""
    was = line["kernels"]
    found = by_kernel({"gpu": next(iter(models.values())), **models})
    if ({name: each["launches"] for name, each in found.items()} !=
            {name: each["launches"] for name, each in was.items()}):
        raise measure.Failed(OTHER_LAUNCHES)
    return {name: {**each, "gpu": was[name]["gpu"]} for name, each in found.items()}


def held_again(tree, line):
    """The same with what an earlier line has of the GPU."""
    if "failed" in line:
        raise measure.Failed(line["failed"])
    models, block_ns = modelled(tree, line)
    if any(sum(count for _, count, _ in model) != line["blocks"] for model in models.values()):
        raise measure.Failed(OTHER_LAUNCHES)
    return {"blocks": line["blocks"],
            "registers_least": registers_least_of(line),
            "kernel_us": {"gpu": line["kernel_us"]["gpu"],
                          **{how: us_of(model) for how, model in models.items()}},
            "block_ns": {"gpu": line["block_ns"]["gpu"],
                         **{how: round(ns, 1) for how, ns in block_ns.items()}},
            "kernels": kernels_again(line, models) if models else line["kernels"],
            "end_us": line["end_us"], "timed_us": line["timed_us"],
            "gpu_commit": line.get("gpu_commit", line["commit"])}


def compare_again(tree, line):
    """The line of one program and case, with what another line has of the GPU."""
    return line_of(tree, line, lambda: held_again(tree, line))
