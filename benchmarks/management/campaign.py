# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every simulation of docs/management.md, some at a time, and keeps a line of each as
soon as it is there, so that what was stopped goes on where it was."""

import concurrent.futures
import hashlib
import json
import sys
import threading
import time

import kernels
import measure
import recording
import simulation


class Progress:
    """A line on the console for each run of bm-sim."""

    def __init__(self, total):
        self.total, self.done, self.begin = total, 0, time.monotonic()
        self.lock = threading.Lock()

    def tell(self, job, lines):
        with self.lock:
            self.done += 1
            seconds = time.monotonic() - self.begin
            where = "" if job.experiment is kernels.TABLE_II else f", {job.experiment.name}"
            print(f"[{self.done}/{self.total}, {seconds:.0f} s] {' '.join(job.names)}{where}: "
                  f"{', '.join(map(short, lines))}", file=sys.stderr, flush=True)


def short(line):
    """What the console has of a line."""
    if not line["policy"]:
        return f"{line['type']}, {line['opt']} of {len(line['points'])} blocks"
    return f"{line['policy']} {line.get('failed') or line['cycles']}"


class Kept:
    """The lines of a campaign that is not at its end. They begin with one of what they came
    of; of other inputs they are thrown away."""

    def __init__(self, file, inputs):
        self.file, self.lock = file, threading.Lock()
        there = whole_lines(file)
        self.lines = there if there[:1] == [{"inputs": inputs}] else [{"inputs": inputs}]
        file.write_text(text_of(self.lines))

    def by_key(self):
        return {key_of(each): each for each in self.lines[1:]}

    def add(self, lines):
        with self.lock, open(self.file, "a") as file:
            file.write(text_of(lines))
            self.lines += lines


def text_of(lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


def key_of(line):
    return " ".join(line["set"]), line["policy"], line["experiment"]


def whole_lines(file):
    """Those of a file, if it is there; one that was cut off by a kill is left out."""
    text = file.read_text() if file.exists() else ""
    return [json.loads(each) for each in text[:text.rfind("\n") + 1].splitlines()]


def lines_of(file):
    """The lines of a file of results."""
    try:
        lines = [json.loads(each) for each in file.read_text().splitlines()]
    except ValueError as error:
        raise measure.Failed(f"{file}: {error}") from error
    if not lines:
        raise measure.Failed(f"nothing was measured in {file}")
    return lines


def experiments(is_quick):
    return [kernels.TABLE_II, *(() if is_quick else kernels.EXPERIMENTS)]


def needed(names, usual):
    """(kernel, size) of everything that is recorded."""
    found = {}
    for experiment in experiments(usual == "tiny"):
        for name in names:
            kernel = kernels.kernel(name, experiment)
            size = kernels.size_name(name, experiment, usual)
            found[kernel.program, size] = kernel, size
    return list(found.values())


def record_all(wanted, tree, recordings):
    """The recordings, and a line of each: what the recorded launch is, and what it took."""
    programs = list(dict.fromkeys(kernel.program for kernel, _ in recordings))
    if not wanted.built:
        print(f"compiling what is new of {len(programs)} programs", file=sys.stderr, flush=True)
        recording.compile_programs(tree, programs)
    for kernel, size in recordings:
        begin = time.monotonic()
        file = recording.record(tree, kernel, size)
        line = {"recorded": kernel.short, "program": kernel.program, "size": size,
                "sizes": kernel.sizes[size], "bytes": file.stat().st_size,
                **recording.launch_of(tree, kernel, size)}
        print(f"recorded {kernel.program} {size}, {time.monotonic() - begin:.1f} s",
              file=sys.stderr, flush=True)
        yield line


def inputs_of(tree, recordings):
    """A number for everything that the lines come of."""
    digest = hashlib.sha256()
    for file in [tree.tool("bm-sim"), measure.MACHINES / f"{kernels.MACHINE}.json",
                 *(recording.file_of(tree, *each) for each in recordings)]:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def simulate_all(tree, kept, todo, wanted):
    progress = Progress(len(todo))

    def one(job):
        lines = simulation.simulated(tree, job, wanted.size)
        kept.add(lines)
        progress.tell(job, lines)

    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        pending = [pool.submit(one, job) for job in todo]
        try:
            for each in concurrent.futures.as_completed(pending):
                each.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def run(wanted, names):
    """Writes the results, which take their place when all are there."""
    wanted.keep.mkdir(parents=True, exist_ok=True)
    tree = measure.Tree(wanted.build, wanted.programs, wanted.keep, wanted.commit)
    recordings = needed(names, wanted.size)
    recorded = list(record_all(wanted, tree, recordings))
    part = "-".join(["", *names]) if wanted.kernels else ""
    kept = Kept(wanted.keep / f"lines-{wanted.size}{part}.jsonl", inputs_of(tree, recordings))
    there = kept.by_key()
    jobs = simulation.jobs(names, wanted.size == "tiny")
    todo = [each for each in jobs if not set(each.keys) <= set(there)]
    simulate_all(tree, kept, todo, wanted)
    head = {"commit": wanted.commit, "machine": kernels.MACHINE, "jobs": wanted.jobs}
    wanted.output.write_text(text_of([head, *recorded, *in_order(kept, jobs)]))


def in_order(kept, jobs):
    """The lines of these jobs, in their order, whatever the one they ended in."""
    by_key = kept.by_key()
    return [by_key[key] for job in jobs for key in job.keys]
