# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records programs on the emulated device and has bm-sim and bm-dump tell of the
recordings what docs/paper.md needs: one line, a dict, for each. Recordings that
are newer than their program are not made again."""

import collections
import dataclasses
import functools
import json
import os
import pathlib
import subprocess

import cases
import plan

MACHINES = cases.FOLDER.parent / "machines"
# Of a relation from one launch to the next, as bm-dump names its pattern.
INDEPENDENT = "independent"


class Failed(Exception):
    """Something to tell the user in one line."""


def call(command, more=None, seconds=None):
    """What a command prints; Failed where it fails, or takes more than so many seconds."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, capture_output=True, text=True,
                              env={**os.environ, **(more or {})}, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failed(f"{pathlib.Path(words[0]).name} takes more than {seconds} s") from None
    except OSError as error:
        raise Failed(f"{words[0]}: {error.strerror}") from error
    if done.returncode:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise Failed(f"exit status {done.returncode} of {' '.join(words)}: {last}")
    return done.stdout


def lines_of(file):
    """The JSON lines of a file of results."""
    return [json.loads(text) for text in file.read_text().splitlines()]


@functools.cache
def at_the_same_addresses():
    """What a command begins with so that its memory is at the same addresses each time, by which
    caches and banks go; nothing where the system does not allow it."""
    command = ["setarch", "-R"]
    try:
        call([*command, "true"])
    except Failed:
        return []
    return command


@dataclasses.dataclass(frozen=True)
class Tree:
    """Where things are, and by which commit they were built."""
    build: pathlib.Path
    programs: pathlib.Path
    keep: pathlib.Path
    commit: str

    def tool(self, name):
        return self.build / "bin" / name

    def libraries(self):
        """What programs run in: what they record is as old as these."""
        return self.build.glob("lib/libblockmaestro*.so")


@dataclasses.dataclass(frozen=True)
class Recorded:
    """A recording, and the line that its program printed."""
    file: pathlib.Path
    line: dict

    @property
    def launches(self):
        return self.line["launches"]


def is_fresh(file, *sources):
    return file.exists() and all(file.stat().st_mtime >= each.stat().st_mtime
                                 for each in sources)


def load(path):
    return json.loads(path.read_text())


def arguments(name, case):
    sizes = plan.sizes(name, case)
    return cases.options(sizes) if sizes else cases.arguments(name, case)


def recorded(tree, name, case, window):
    """Records a case, or takes what is there; with whether it was recorded. One worker runs
    all blocks, so that the order of atomics, and what follows from it, is the same each time."""
    binary = tree.programs / name
    if not binary.exists():
        raise Failed(f"{binary} is not there; 'programs build --compilers blockmaestro' makes it")
    file = tree.keep / f"{name}.{case}.window-{window}.bmrec"
    line = file.with_suffix(".json")
    if is_fresh(file, binary, *tree.libraries()) and is_fresh(line, file):
        return Recorded(file, load(line)), False
    printed = call([binary, *arguments(name, case), "--repetitions", 1, "--seed", 1],
                   {"BLOCKMAESTRO_DEVICE": "emulated", "BLOCKMAESTRO_WINDOW": window,
                    "BLOCKMAESTRO_WORKERS": "1", "BLOCKMAESTRO_RECORD": str(file)})
    line.write_text(printed)
    return Recorded(file, json.loads(printed)), True


def scheduler(of, detailed):
    """What the page needs of one scheduler of bm-sim."""
    more = ("of_bound", "concurrency", "sm_utilisation", "stall", "memory_requests",
            "buffer_stalls")
    return {key: of[key] for key in ("time_us", *(more if detailed else ()))}


def simulated(tree, recording, part, experiment):
    """What bm-sim says of an experiment."""
    command = [tree.tool("bm-sim"), recording.file, "--json", "--machine", part.machine,
               "--scheduler", experiment.schedulers, "--durations", experiment.durations]
    command += [word for each in experiment.settings for word in ("--set", each)]
    if not experiment.copies:
        command.append(f"--launches=0..{recording.launches - 1}")
    found = json.loads(call(command))
    if found["truncated"]:
        raise Failed(f"{recording.file} is cut off")
    return {"experiment": experiment.name, "durations": experiment.durations,
            **{key: found[key] for key in ("machine", "launches", "copies", "blocks")},
            "schedulers": {each["name"]: scheduler(each, experiment.detailed)
                           for each in found["schedulers"]}}


def patterns(relations, launches):
    """How often a launch reads of the one before it in which pattern."""
    found = collections.Counter(
        each["pattern"] for each in relations
        if each["consumer"] == each["producer"] + 1 and "RAW" in each["hazards"])
    found[INDEPENDENT] = launches - 1 - found.total()
    return {name: count for name, count in sorted(found.items()) if count}


def by_pattern(relations):
    """Relations, their edges and bytes, by pattern: as read by executors, as stored, by the
    paper's Table I, and as a list."""
    found = collections.defaultdict(collections.Counter)
    for each in relations:
        found[each["pattern"]].update(relations=1, **{key: each[key] for key in (
            "edges", "bytes", "stored_bytes", "paper_bytes", "list_bytes")})
    return {name: dict(sums) for name, sums in sorted(found.items())}


def accesses(costs):
    """What launches ask of global memory: instructions of warps, and sectors."""
    sums = collections.Counter()
    for cost in costs:
        for kind in ("read", "write", "atomic"):
            sums["instructions"] += cost[f"global_{kind}s"]
            sums["sectors"] += cost[f"global_{kind}_sectors"]
    return dict(sums)


def waves(line, machine):
    """The widest launch over the blocks that the machine holds, by threads alone."""
    return max(kernel["blocks"][1] / machine["sms"] /
               min(machine["blocks_per_sm"], machine["threads_per_sm"] // kernel["threads"])
               for kernel in line["kernels"])


def graph_of(tree, recording, machine):
    """What is known of the timed run itself: its waves, relations, and accesses. It is the
    first one where the program has run its launches again to check them."""
    dump = tree.tool("bm-dump")
    graph, encoded, costs = (
        json.loads(call([dump, *command, "--json", recording.file]))
        for command in (["graph"], ["encoding", "--paper"], ["recording"]))
    relations = [{**one, **other} for one, other in zip(graph["relations"], encoded["relations"])
                 if one["consumer"] < recording.launches]
    return {"waves": round(waves(recording.line, machine), 3),
            "patterns": patterns(relations, recording.launches),
            "relations": len(relations), "exact": sum(each["exact"] for each in relations),
            "by_pattern": by_pattern(relations),
            "largest_form": max((each["bytes"] for each in relations
                                 if each["kind"] == "closed"), default=0),
            "accesses": accesses(each["cost"] for each in
                                 costs["launches"][:recording.launches])}


def machine_of(part):
    return load(MACHINES / f"{part.machine}.json")


def measure(tree, part, name, case, tell):
    """The lines of one program and case."""
    common = {"part": part.name, "program": name, "case": case, "commit": tree.commit}
    by_window = {}
    for experiment in part.experiments:
        window = experiment.window or part.window
        if window not in by_window:
            by_window[window], anew = recorded(tree, name, case, window)
            tell("recorded" if anew else "kept")
        yield {**common, "window": window, "size": by_window[window].line["size"],
               **simulated(tree, by_window[window], part, experiment)}
    tell("simulated")
    yield {**common, "window": part.window, "experiment": "graph-itself",
           **graph_of(tree, by_window[part.window], machine_of(part))}
