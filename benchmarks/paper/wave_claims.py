# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BlockMaestro's Figure 14: wavefronts, against CDP and Wireframe."""

import plan
from judging import Claim, Judgement, by_range, listed, near_gain, reached_at, rule, times
from results import published

UNIFORM = {us: f"uniform-{us}us" for us in (0.5, 1, 2, 5, 20, 50, 100)}
EXPERIMENTS = ["paper", *UNIFORM.values(), "spread", "one-block-an-sm",
               "100us-one-block-an-sm", "cdp-20us"]


def over_cdp(results, scheduler, experiment="paper"):
    return results.mean("waves", scheduler, experiment, over="cdp")


def by_length(results, scheduler):
    """The mean by how long every block takes, in us."""
    return {us: over_cdp(results, scheduler, each) for us, each in UNIFORM.items()}


def range_of(results, scheduler):
    return [over_cdp(results, scheduler, each) for each in EXPERIMENTS]


def at_length(results, scheduler, goal):
    """How long blocks are, of the long ones, with which a mean is the published one."""
    return reached_at({us: gain for us, gain in by_length(results, scheduler).items() if us >= 5},
                      goal)


def producer(results):
    ours, goal = over_cdp(results, "producer"), published("cdp_producer")
    found, at = by_length(results, "producer"), at_length(results, "producer", goal)
    reached = f"; the published number is reached with {at:.0f} us" if at else ""
    return Judgement(
        by_range(ours, goal, range_of(results, "producer"), near_gain), times(ours),
        "two launches in flight hide one overhead, the less the longer a wave is. Where every "
        f"block takes 5 us it is {times(found[5])}, with 20 us {times(found[20])}, with 50 us "
        f"{times(found[50])}{reached}")


def consumer(results):
    ours, goal = over_cdp(results, "consumer4"), published("cdp_consumer")
    found, long = by_length(results, "consumer4"), UNIFORM[50]
    short = over_cdp(results, "producer", UNIFORM[2])
    alone = over_cdp(results, "consumer4", "100us-one-block-an-sm")
    return Judgement(
        by_range(ours, goal, range_of(results, "consumer4"), near_gain), times(ours),
        f"with blocks of 2 us it is {times(found[2])}, but `producer` is {times(short)} then. With "
        f"50 us, where `producer` is {times(over_cdp(results, 'producer', long))}, it is "
        f"{times(found[50])}, and {times(alone)} with one block an SM and 100 us; with durations "
        f"that spread by half {times(over_cdp(results, 'consumer4', 'spread'))}. No experiment has "
        "the paper's two numbers together")


def with_entries(results):
    """The mean of Wireframe, where durations spread, by how many pending updates have room."""
    return {f"{entries} entries": over_cdp(results, "wireframe", f"updates-{entries}")
            for entries in plan.UPDATES}


def wireframe(results):
    ours, bounded = over_cdp(results, "wireframe"), with_entries(results)
    found = [*range_of(results, "wireframe"), *bounded.values()]
    return Judgement(
        by_range(ours, published("cdp_wireframe"), found, near_gain), times(ours),
        "one grid has no launch overhead, where CDP has 3 us for every wave; running ahead brings "
        "little where blocks of a wave take the same. With durations that spread by half it is "
        f"{times(over_cdp(results, 'wireframe', 'spread'))}, and less with a small buffer, whose "
        f"size the paper does not give: {listed(bounded)}")


def consumer_over_wireframe(results):
    ours = {name: over_cdp(results, name) for name in ("consumer4", "wireframe")}
    uneven = {name: over_cdp(results, name, "spread") for name in ours}
    least = min(with_entries(results).values())
    return Judgement(
        rule(ours["consumer4"] > ours["wireframe"], uneven["consumer4"] > least), listed(ours),
        "Wireframe launches once, and BlockMaestro every wave, which four in flight do not always "
        f"hide. It is as the paper says where durations spread ({listed(uneven)}) and Wireframe's "
        f"buffer is small ({times(least)} with {plan.UPDATES[0]} entries)")


CLAIMS = (
    Claim("Figure 14", "BlockMaestro 5.8% over CDP with producer priority", producer,
          "cdp_producer"),
    Claim("Figure 14", "BlockMaestro 2x over CDP with consumer priority", consumer,
          "cdp_consumer"),
    Claim("Figure 14", "Wireframe 36.8% over CDP", wireframe, "cdp_wireframe"),
    Claim("Figure 14", "BlockMaestro with consumer priority is faster than Wireframe",
          consumer_over_wireframe),
)
