# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a claim of a paper is judged.

It is confirmed where ours is within a tenth of what is claimed: of a speed-up,
of what it is above 1. Where it is not, but an experiment reaches it, it hangs on
what the paper does not say, and is not comparable; where none does, it is refuted.
So are statements, by the rule that their function is."""

import dataclasses
import math

from results import Missing

CONFIRMED, REFUTED = "confirmed", "refuted"
INCOMPARABLE, UNMEASURED = "not comparable", "not measured"


@dataclasses.dataclass(frozen=True)
class Judgement:
    verdict: str
    ours: str
    cause: str = ""     # What makes the difference, found by experiment.


@dataclasses.dataclass(frozen=True)
class Claim:
    section: str
    says: str
    judge: object       # Results -> Judgement.
    number: str = ""    # In published.json.

    def judged(self, results):
        try:
            return self.judge(results)
        except Missing:
            return Judgement(UNMEASURED, "-")


def times(value):
    return f"{value:.2f}x"


def percent(value):
    return f"{100 * value:.2f}%" if 0 < value < 0.001 else f"{100 * value:.1f}%"


def listed(values, show=times):
    """Values by their names, as text."""
    return ", ".join(f"{name} {show(value)}" for name, value in values.items())


def near(ours, theirs):
    return abs(ours / theirs - 1) <= 0.1


def near_gain(ours, theirs):
    """The same of speed-ups."""
    return abs(ours - theirs) <= 0.1 * abs(theirs - 1)


def by_range(ours, theirs, others, close=near):
    """The rule for numbers."""
    if close(ours, theirs):
        return CONFIRMED
    return INCOMPARABLE if min(others) <= theirs <= max(others) else REFUTED


def rule(holds, sometimes=False):
    """The rule for statements: sometimes is in an experiment."""
    if holds:
        return CONFIRMED
    return INCOMPARABLE if sometimes else REFUTED


def reached_at(values, goal):
    """The first x at which a function of log x meets a goal, by its values at some x; or None."""
    points = sorted(values.items())
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if min(y0, y1) <= goal <= max(y0, y1) and y0 != y1:
            return math.exp(math.log(x0) + math.log(x1 / x0) * (goal - y0) / (y1 - y0))
    return None


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    return [order.index(number) for number in range(len(values))]


def rank_correlation(first, second):
    """Spearman's; of fewer than three nothing can be said."""
    one, other, count = ranks(first), ranks(second), len(first)
    if count < 3:
        raise Missing()
    return 1 - 6 * sum((a - b) ** 2 for a, b in zip(one, other)) / (count * (count ** 2 - 1))
