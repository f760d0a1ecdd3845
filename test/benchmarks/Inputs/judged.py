# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""judged.py BENCHMARKS: how the page of the papers judges claims made up here."""

import sys

sys.path[:0] = [sys.argv[1], f"{sys.argv[1]}/paper"]
import judging  # noqa: E402
from results import Missing  # noqa: E402


def unmeasured(_):
    raise Missing()


def gain(ours, others):
    return judging.by_range(ours, 1.2, others, judging.near_gain)


print("1.2 of 1.2:", gain(1.21, [1.21]))
print("1.25 of 1.2, 1.1 to 1.3:", gain(1.25, [1.1, 1.25, 1.3]))
print("1.25 of 1.2, 1.25 to 1.3:", gain(1.25, [1.25, 1.3]))
print("not now, but sometimes:", judging.rule(False, True))
print("never:", judging.rule(False))
print("not measured:", judging.Claim("", "", unmeasured).judged(None).verdict)
values = {10: 1.0, 40: 2.0, 80: 2.0}
print(f"1.5 is reached at {judging.reached_at(values, 1.5):.1f}, "
      f"2.5 at {judging.reached_at(values, 2.5)}")
print(f"rank correlations {judging.rank_correlation([1, 5, 9], [2, 3, 4])}, "
      f"{judging.rank_correlation([1, 5, 9], [4, 3, 2])}")
