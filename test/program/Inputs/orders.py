# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program under shuffle with seeds 1..N, or under sim with the named schedulers, and
prints its distinct outputs.

usage: orders.py N|SCHEDULER,... PROGRAM [ARGUMENT...]
"""

import os
import subprocess
import sys


def executors(asked):
    if asked.isdigit():
        return [f"shuffle:{seed}" for seed in range(1, int(asked) + 1)]
    return [f"sim:{scheduler}" for scheduler in asked.split(",")]


def output_under(executor, command):
    environment = dict(os.environ, BLOCKMAESTRO_EXECUTOR=executor)
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    return run.stdout + run.stderr + (f"exit {run.returncode}\n" if run.returncode else "")


def main():
    orders = executors(sys.argv[1])
    outputs = {output_under(each, sys.argv[2:]) for each in orders}
    print(f"{len(orders)} orders, {len(outputs)} result{'s' if len(outputs) > 1 else ''}")
    print("".join(sorted(outputs)), end="")


main()
