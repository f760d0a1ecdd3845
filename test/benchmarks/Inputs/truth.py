# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The means of docs/truth.md on numbers whose means are known, and that the kernels of a line
are all of its time."""

import json
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(FOLDER / "truth"), str(FOLDER)]
import chains
import verdict

found = verdict.summary([(1, 1.5), (2, 1), (4, 4.5)])
two = verdict.summary([(1, 1.5), (2, 1), ])
exact = verdict.summary([(1, 2), (3, 6), (5, 10)])
print(f"errors and ratios by hand: {found['error']:.3f}, {two['ratio']:.3f}, "
      f"{exact['correlation']:.3f}")
print(f"clocked chains: {sum(map(chains.works_by_the_clock, chains.CHAINS))} "
      f"of {len(chains.CHAINS)}")
line = json.loads(open(sys.argv[2]).readline())
sums = {side: sum(kernel[side] for kernel in line["kernels"].values())
        for side in line["kernel_us"]}
print(f"{line['program']}: launches of both sides "
      f"{sum(kernel['launches'] for kernel in line['kernels'].values())}, kernels sum to all "
      f"{all(abs(sums[side] - us) < 0.01 for side, us in line['kernel_us'].items())}")
