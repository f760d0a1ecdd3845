# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of kernels.py and records each kernel on the emulated device,
with what its warps did. Recordings that are newer than their program stay."""

import json

import cases
import kernels
import measure


def compile_own(tree, names):
    """The programs of this folder; those of others are compiled by benchmarks/programs."""
    for name in names:
        source, binary = kernels.HERE / f"{name}.cu", tree.programs / name
        if not measure.is_fresh(binary, source):
            binary.parent.mkdir(parents=True, exist_ok=True)
            measure.call([tree.tool("bmclang++"), "-fblockmaestro", "-O3", "-std=c++17",
                          "-Wno-unknown-cuda-version", source, "-o", binary])


def compile_programs(tree, names):
    others = [name for name in names if name not in kernels.OWN]
    compile_own(tree, [name for name in names if name in kernels.OWN])
    if others:
        measure.call([kernels.HERE.parent / "programs", "build", "--compilers", "blockmaestro",
                      "--build", tree.build, *others])


def file_of(tree, kernel, size):
    """Where a kernel's recording at a size is."""
    return tree.keep / f"{kernel.program}.{size}.bmrec"


def options_of(kernel, size):
    more = [] if kernel.program in kernels.OWN else ["--repetitions", 1, "--seed", 1]
    return [*cases.options(kernel.sizes[size]), *more]


def record(tree, kernel, size):
    """Makes the recording where it is not there or old; by one worker, so that the same comes
    out each time."""
    binary, file = tree.programs / kernel.program, file_of(tree, kernel, size)
    if not binary.exists():
        raise measure.Failed(f"{binary} is not there; leave --built out")
    if not measure.is_fresh(file, binary, *tree.libraries()):
        part = file.with_suffix(".part")
        measure.call([*measure.at_the_same_addresses(), binary, *options_of(kernel, size)],
                     {"BLOCKMAESTRO_DEVICE": "emulated", "BLOCKMAESTRO_WORKERS": "1",
                      "BLOCKMAESTRO_RECORD": f"{part},warps"})
        part.rename(file)
    return file


def launch_of(tree, kernel, size):
    """What the recorded launch is."""
    found = json.loads(measure.call([tree.tool("bm-dump"), "launches", "--json",
                                     "--launches", kernels.LAUNCH, file_of(tree, kernel, size)]))
    launch = found["launches"][0]
    blocks, threads = 1, 1
    for grid, block in zip(launch["grid"], launch["block"]):
        blocks, threads = blocks * grid, threads * block
    return {"kernel": launch["kernel"].split("(")[0], "blocks": blocks, "threads": threads,
            "registers": launch["registers"], "shared_bytes": launch["shared_bytes"]}
