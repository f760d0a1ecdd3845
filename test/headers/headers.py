# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's headers, compiled once for all test programs that are compiled alike.

clang reads nearly two megabytes of headers in front of every CUDA program, on either side: a third of the processor
time that most test programs take. CMakeLists.txt has compiled them for the flags that many have; clang takes the side
that fits from the folder (`-include-pch`) and refuses what was compiled with other flags. The program is the same,
byte for byte: same.test."""

import glob
import os

# Flags that do not change what the headers mean.
HARMLESS = ("-l", "-I", "-rdynamic")


def arguments(build, flags, more=()):
    """What is added to the command of a program that is compiled with `flags` and `more`: nothing where there are no
    headers for these."""
    folder = os.path.join(build, "test", "headers", "".join(flags))
    there = glob.glob(os.path.join(glob.escape(folder), "*.pch"))
    harmless = all(each.startswith(HARMLESS) for each in more)
    return ["-Xclang", "-include-pch", "-Xclang", folder] if there and harmless else []


def environment(build, *flags):
    """The same for commands that call the compiler by themselves, for CUDA alone: clang reads more words from there."""
    words = arguments(build, flags)
    return {"CCC_OVERRIDE_OPTIONS": " ".join(["#", *(f"+{word}" for word in words)])} if words else {}


def substitute(config, before, flags, behind=""):
    """Where one of the flags stands in a RUN line between these two texts, headers are taken for that flag."""
    for flag in flags:
        words = arguments(config.build_dir, [flag])
        config.substitutions.insert(0, (f"{before} {flag} {behind}", " ".join([before, *words, flag, behind])))
