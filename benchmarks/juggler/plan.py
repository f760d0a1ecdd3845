# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is built and run: the programs of benchmarks/openmp, their cases, and the ways in
which their tasks are issued."""

import pathlib

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "openmp"
# The paper's seven, by the names of its Table 1; three more; and tasks that do nothing.
PAPER = {"dtwarp": "DT-WARP", "heatsim": "HEAT-SIM", "inthist": "INT-HIST", "jacobi": "JACOBI",
         "lud": "LU-D", "satable": "SA-TABLE", "smw": "SM-W"}
MORE = ("cholesky", "sparselu", "tileqr")
IDLE = "hops"
PROGRAMS = (*PAPER, *MORE, IDLE)

# The CUDA baselines, by their --way.
BASELINES = ("barriers", "stream", "graph", "cooperative")
# The OpenMP programs, by the BLOCKMAESTRO_QUEUE that they run under; default is without it.
QUEUES = ("lrr", "grr", "lf", "default")
WAYS = (*BASELINES, *QUEUES)

SWEEP = {f"sweep-{1800 * iterations}": iterations for iterations in range(2, 19, 2)}
PAPER_CASE, TINY, CHECK, FREE = "paper", "tiny", "check", "free"
CASES = (PAPER_CASE, "sweep", FREE, TINY, CHECK)


def arguments(program, case):
    """The options of a program for a case."""
    if case in SWEEP:
        return ["--iterations", SWEEP[case]]
    if case == FREE:
        return ["--free", 1]
    return ["--tiles", {TINY: 4, CHECK: 12}[case]] if case != PAPER_CASE else []


def cases_of(program, wanted):
    """The cases of a program, sweep being several."""
    known = [PAPER_CASE, TINY, CHECK]
    known += [*SWEEP] if program == "jacobi" else [FREE] if program == IDLE else []
    return [case for case in known if case in wanted or case in SWEEP and "sweep" in wanted]
