# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which programs are kept out of fitting, and how far numbers are from others."""

import hashlib
import math
import statistics

import performance


def kept_out(program):
    """Whether nothing may be fitted to the program: one of three, by its name alone."""
    return int(hashlib.sha256(program.encode()).hexdigest(), 16) % 3 == 0


def correlation(pairs):
    """Of the logarithms; None where there is none."""
    if len(pairs) < 2:
        return None
    one, other = zip(*[(math.log(a), math.log(b)) for a, b in pairs])
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return statistics.correlation(one, other)


def summary(pairs):
    """Of (what is so, what is said): their count, the mean of |said / so - 1|, the geometric
    mean of said / so, and the correlation."""
    ratios = [said / so for so, said in pairs]
    return {"count": len(pairs),
            "error": statistics.fmean(abs(each - 1) for each in ratios) if ratios else None,
            "ratio": performance.mean(ratios), "correlation": correlation(pairs)}
