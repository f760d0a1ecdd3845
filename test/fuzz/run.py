#!/usr/bin/env python3
# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BUILD TARGET FOLDER [LIBFUZZER_OPTION ...]

Runs a fuzz target (metadata, object or recording) of the build tree BUILD on
seeds made from real files, kept in FOLDER/corpus with what is found on the way,
and on the inputs in Regressions/ that once failed. Exits with the fuzzer's
code; an input that fails is left in FOLDER. For example, ten minutes on two
cores:

  test/fuzz/run.py build metadata /tmp/fuzz -max_total_time=600 -fork=2

The target device runs the device passes over kernels changed at random; its
options are those of DeviceFuzzer:

  test/fuzz/run.py build device /tmp/fuzz --modules=100000 --jobs=2
"""

import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FUZZERS = {"metadata": "MetadataFuzzer", "object": "ObjectFuzzer", "recording": "RecordingFuzzer",
           "device": "DeviceFuzzer"}
OBJCOPY = shutil.which("llvm-objcopy") or "llvm-objcopy-22"
AR = shutil.which("llvm-ar") or "llvm-ar-22"
LIMITS = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=65536"]


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def compile_kernels(build, folder):
    """An object with metadata and without the rest, which is large."""
    whole = folder / "whole.o"
    slim = folder / "slim.o"
    run(build / "bin/bmclang++", "-O2", "-g", "-fblockmaestro", "-c", HERE / "Inputs/kernels.cu", "-o", whole)
    run(OBJCOPY, "--only-section=.blockmaestro", whole, slim)
    return slim


def metadata_seeds(build, folder, corpus):
    slim = compile_kernels(build, folder)
    run(OBJCOPY, f"--dump-section=.blockmaestro={corpus / 'section'}", slim)


def object_seeds(build, folder, corpus):
    slim = compile_kernels(build, folder)
    shutil.copy(slim, corpus / "object")
    (folder / "notes.txt").write_text("not an object\n")
    run(AR, "rc", corpus / "archive", folder / "notes.txt", slim)
    run(AR, "rcT", corpus / "thin", slim)


def recording_seeds(build, folder, corpus):
    for text in sorted(HERE.parent.glob("*/Inputs/*.txt")):
        run(build / "bin/bm-make-recording", text, corpus / text.name)


def device_seeds(_, folder, corpus):
    """Device code as it comes to the first pass."""
    names = ["atomics", "calls", "conditions", "guard", "loops", "loops-left", "pieces", "struct", "transpose"]
    sources = [HERE.parent / "footprint" / f"{name}.cu" for name in names]
    for source in [*sources, HERE / "Inputs/kernels.cu"]:
        run("clang++-22", "-x", "cuda", "--cuda-device-only", "--offload-arch=sm_90", "-nocudalib", "-std=c++20", "-w",
            "-O1", "-g1", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-c", source,
            "-o", corpus / f"{source.stem}.bc")


SEEDS = {"metadata": metadata_seeds, "object": object_seeds, "recording": recording_seeds, "device": device_seeds}


def main():
    if len(sys.argv) < 4 or sys.argv[2] not in FUZZERS:
        sys.exit(__doc__)
    build, target, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    SEEDS[target](build, folder, corpus)
    fuzzer = build / "test/fuzz" / FUZZERS[target]
    if target == "device":
        command = [fuzzer, "--keep", folder, *sys.argv[4:], *sorted(corpus.glob("*.bc"))]
        return subprocess.run([str(part) for part in command], check=False).returncode
    command = [fuzzer, *LIMITS, f"-artifact_prefix={folder}/", *sys.argv[4:], corpus]
    regressions = HERE / "Regressions" / target
    if regressions.is_dir():
        command.append(regressions)
    return subprocess.run([str(part) for part in command], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
