# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program under shuffle with seeds 1..N and prints its distinct outputs.

usage: seeds.py N PROGRAM [ARGUMENT...]
"""

import os
import subprocess
import sys


def output_under(seed, command):
    environment = dict(os.environ, BLOCKMAESTRO_EXECUTOR=f"shuffle:{seed}")
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    return run.stdout + run.stderr + (f"exit {run.returncode}\n" if run.returncode else "")


def main():
    seeds = range(1, int(sys.argv[1]) + 1)
    outputs = {output_under(seed, sys.argv[2:]) for seed in seeds}
    print(f"{len(seeds)} orders, {len(outputs)} result{'s' if len(outputs) > 1 else ''}")
    print("".join(sorted(outputs)), end="")


main()
