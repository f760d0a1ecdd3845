# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources of bm-sequences compiled and run, for `sequences`: what one batch of
programs shows, and a smaller program that shows the same."""

import collections
import copy
import json
import os
import pathlib
import re
import subprocess
import time

INPUTS = pathlib.Path(__file__).resolve().parent / "Inputs"

# No variants of the kernels, which the emulated device does not run, and
# nothing that is undefined: memory holds any type, casts to integers saturate.
FLAGS = ["-w", "-fblockmaestro", "-std=c++20", "-nocudainc", "--offload-arch=sm_80",
         "-Xarch_host", "-O0", "-fno-strict-aliasing", "-fno-strict-float-cast-overflow",
         f"-I{INPUTS}"]
SECONDS = 300
SUMMARY = re.compile(r"flight together: (\d+), related: (\d+), by exactly.*?true pairs of blocks: "
                     r"(\d+), in relations: (\d+), missing: (\d+)")
FUNCTION = re.compile(r" \(f\d+_\d+\(.*")
KINDS = (("exact", "called exact"), ("missing", "BlockMaestro: graph:"))

SIMULATED = ("sim:consumer4", "sim:acs-hw")

# How a source is compiled and run: on a machine whose allocations touch; with its
# weak functions replaced by those of another file; with a few operations at a time as a
# graph.
TOUCHING, LINKED, GRAPHS = "touching", "linked", "graphs"
WAYS = ({TOUCHING}, set(), {TOUCHING, GRAPHS}, {TOUCHING, LINKED}, {TOUCHING}, {GRAPHS},
        {TOUCHING}, {TOUCHING})
SECOND_FILE = "// second file\n"

Finding = collections.namedtuple("Finding", "kind text")


def kind_of(line):
    """What a line of stderr says is wrong, or None."""
    if line.startswith("BlockMaestro: graph:"):
        return next(kind for kind, words in KINDS if words in line)
    return None


def counts_of(said):
    """The counts of the check, or None where it gave none."""
    found = SUMMARY.search(said)
    names = ("pairs", "related", "true", "edges", "missing")
    return dict(zip(names, map(int, found.groups()))) if found else None


class Tools:
    """Programs that are needed, and a folder for what they make."""

    def __init__(self, arguments, folder):
        tools = arguments.build.resolve() / "bin"
        self.generator, self.compiler = tools / "bm-sequences", tools / "bmclang++"
        self.dump, self.level = tools / "bm-dump", arguments.level
        self.affine = ["--affine"] if arguments.affine else []
        self.way = set(arguments.way.split(",")) if arguments.way is not None else None
        self.folder = folder
        self.harness = folder / "harness.o"

    def for_batch(self, number):
        """Those that go the way of that batch, unless another was asked for."""
        same = copy.copy(self)
        if same.way is None:
            same.way = WAYS[number % len(WAYS)] - ({LINKED} if self.affine else set())
        return same

    def compile_harness(self):
        """What all programs are linked with; before the first."""
        subprocess.run([self.compiler, "-O1", "-w", "-fblockmaestro", "--offload-arch=sm_80",
                        "-c", INPUTS / "SequenceProgram.cu", "-o", self.harness], check=True)

    def generate(self, name, arguments):
        """A source, and {program: (kernels, deterministic)}."""
        source = self.folder / f"{name}.cu"
        linked = ["--relocatable"] if self.linked() else []
        text = subprocess.run([self.generator, *self.affine, *linked, *map(str, arguments)],
                              check=True, capture_output=True, text=True).stdout
        source.write_text(text)
        found = re.findall(r"^// program (\d+) kernels (\d+) deterministic ([01])$", text, re.M)
        return source, {int(label): (int(kernels), calm == "1") for label, kernels, calm in found}

    def linked(self):
        return LINKED in (self.way or ())

    def compile(self, source):
        """The binary, or None and what the compiler said."""
        binary, sources = source.with_suffix(""), [source]
        if self.linked():
            sources = [source.with_suffix(f".{part}.cu") for part in "12"]
            for part, text in zip(sources, source.read_text().split(SECOND_FILE)):
                part.write_text(text)
        built = subprocess.run([self.compiler, f"-O{self.level}", *FLAGS,
                                *["-fgpu-rdc"] * self.linked(), *sources, self.harness,
                                "-o", binary], capture_output=True, text=True)
        return (None if built.returncode else binary), built.stderr

    def run(self, binary, programs=(), executor="serial", **variables):
        """(exit status, hash by program, the last program begun, stderr)."""
        environment = {**os.environ, "BLOCKMAESTRO_DEVICE": "emulated",
                       "BLOCKMAESTRO_EXECUTOR": executor,
                       "BLOCKMAESTRO_CACHE": str(self.folder / "cache"), **variables}
        if TOUCHING in (self.way or ()):
            environment["BLOCKMAESTRO_MACHINE"] = TOUCHING
        if GRAPHS in (self.way or ()):
            environment["SEQUENCE_GRAPHS"] = "1"
        try:
            ran = subprocess.run([binary, *map(str, programs)], env=environment, timeout=SECONDS,
                                 capture_output=True, text=True, errors="replace")
            status, out, said = ran.returncode, ran.stdout, ran.stderr
        except subprocess.TimeoutExpired as late:
            status, out, said = "no end", (late.stdout or b"").decode(errors="replace"), ""
        hashes = {int(program): value
                  for program, value in re.findall(r"^program (\d+) ([0-9a-f]{16})$", out, re.M)}
        begun = re.findall(r"^begin (\d+)$", out, re.M)
        return status, hashes, int(begun[-1]) if begun else None, said + out[-300:] * bool(status)

    def findings(self, binary, programs, shuffles=()):
        """{program: Finding} of those that are wrong, and the check's stderr. With
        `shuffles` those that are deterministic must give serial's bytes, under these
        seeds and under simulated schedulers."""
        wrong, recording = {}, binary.with_suffix(".rec")
        status, _, begun, said = self.run(
            binary, programs, BLOCKMAESTRO_CHECK="graph", BLOCKMAESTRO_EXPLAIN="1",
            BLOCKMAESTRO_RECORD=str(recording), BLOCKMAESTRO_RECORD_COSTS="0")
        for line in said.splitlines():
            kernel = re.search(r"'k(\d+)'", line)
            if kind_of(line) and kernel:
                wrong.setdefault(int(kernel[1]) // 4, Finding(kind_of(line), line))
            elif kind_of(line):
                wrong.setdefault(None, Finding(kind_of(line), line))
        if status:
            wrong.setdefault(begun, Finding("status", f"exit {status}: {said[-400:]}"))
            return wrong, said
        calm = [label for label, (_, deterministic) in programs.items() if deterministic]
        wrong = {**self.shuffled(binary, calm, shuffles), **wrong}
        return wrong, said

    def shuffled(self, binary, programs, seeds):
        if not programs or not seeds:
            return {}
        wrong = {}
        _, serial, _, _ = self.run(binary, programs)
        for executor in [*(f"shuffle:{seed}" for seed in seeds), *SIMULATED]:
            _, mixed, _, _ = self.run(binary, programs, executor)
            for label in programs:
                if mixed.get(label) != serial.get(label):
                    wrong.setdefault(label, Finding(
                        "shuffle", f"other bytes than serial's under {executor}"))
        return wrong

    def relations(self, binary):
        """Of each relation (program, whether it has exactly the true pairs, reason)."""
        def shown(what):
            return json.loads(subprocess.run(
                [self.dump, *what, binary.with_suffix(".rec"), "--json"],
                check=True, capture_output=True, text=True).stdout)
        programs = {each["launch"]: int(each["kernel"][1:]) // 4
                    for each in shown(["launches"])["launches"]}
        for each in shown(["graph", "--all"])["relations"]:
            if "true_edges" in each:
                yield (programs[each["consumer"]], each["true_edges"] == each["edges"],
                       FUNCTION.sub("", each.get("reason") or "no reason"))


def finds_again(tools, finding):
    """What looks for a finding of the same kind: the first program that has one."""
    shuffles = range(1, 5) if finding.kind == "shuffle" else ()

    def first(binary, programs):
        wrong, _ = tools.findings(binary, programs, shuffles)
        return next((each for each in programs
                     if each in wrong and wrong[each].kind == finding.kind), None)
    return first


def finds_reason(tools, words):
    """What looks for a relation with more than the true pairs for that reason."""
    def first(binary, programs):
        tools.findings(binary, programs)
        having = {program for program, exactly, reason in tools.relations(binary)
                  if not exactly and words in reason}
        return next((each for each in programs if each in having), None)
    return first


def shrink(tools, seed, first, seconds, count=30):
    """(source of a smaller program in which `first` still finds something, the
    steps to it)."""
    edits, at, end = [], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        source, programs = tools.generate(
            f"shrink{seed}", ["--seed", seed, *steps(edits), "--smaller", at, count])
        if not programs:
            break
        binary, _ = tools.compile(source)
        failing = first(binary, programs) if binary else None
        if failing is None:
            at = max(programs) + 1
        else:
            edits.append(failing)
            at = 0
    return tools.generate(f"seed{seed}", ["--seed", seed, *steps(edits)])[0], edits


def steps(edits):
    return ["--edits", ",".join(map(str, edits))] if edits else []
