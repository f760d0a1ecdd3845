# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BlockMaestro's Table II and Figures 9 to 11: its programs under its schedulers."""

from judging import (INCOMPARABLE, Claim, Judgement, by_range, listed, near_gain, percent,
                     rank_correlation, reached_at, rule, times)
from results import PUBLISHED, Missing, published

OVERHEADS = {5: "paper", 10: "overhead-10us", 20: "overhead-20us", 50: "overhead-50us",
             100: "overhead-100us"}
EXPERIMENTS = [*OVERHEADS.values(), "no-overhead", "one-at-a-time", "alone", "spread",
               "caches", "spread-caches", "fine-grain-alone", "half-machine", "eight-machines",
               "wide-counters"]


def launches_equal(results):
    names = results.every_program("queues")
    same = [name for name in names if results.line("queues", name)["launches"] ==
            PUBLISHED["programs"][name]["kernels"]]
    return Judgement(rule(same == names), f"{len(same)} of {len(names)} programs",
                     "ours are written after the paper's suites, at the suites' sizes where "
                     "these give its launches")


def our_patterns(results, program):
    known = {each["pattern"]: each["number"] for each in PUBLISHED["table1"]}
    return sorted({known.get(name, 0) for name in results.graph("queues", program)["patterns"]})


def patterns_equal(results):
    names = results.every_program("queues")
    same = [name for name in names
            if our_patterns(results, name) == PUBLISHED["programs"][name]["patterns"]]
    return Judgement(rule(same == names), f"the same for {len(same)} of {len(names)} programs",
                     "where stencils, tiles and wavefronts reach into neighbouring blocks ours "
                     "are overlapped (6), which the paper has for two programs alone; a launch "
                     "of one block makes 1-to-1 of what is 1-to-n or n-to-1 elsewhere")


def mean_overhead_share(results):
    shares = [results.overhead_share(each) for each in results.every_program("queues")]
    return sum(shares) / len(shares)


def where_reached(values, goal):
    """Says at which launch overhead a speed-up is the published one."""
    at = reached_at(values, goal)
    if at is None:
        return "no launch overhead up to 100 us reaches the published number"
    return (f"the published number is reached where launching takes {at:.0f} us, or kernels are "
            f"{at / 5:.0f} times as short: the paper does not give its sizes")


def queue_mean(number, scheduler):
    """A mean of Figure 9."""
    def mean(results, experiment):
        return results.mean("queues", scheduler, experiment)

    def judge(results):
        ours, goal = mean(results, "paper"), published(number)
        by_overhead = {us: mean(results, each) for us, each in OVERHEADS.items()}
        return Judgement(
            by_range(ours, goal, [mean(results, each) for each in EXPERIMENTS], near_gain),
            times(ours),
            f"launching is {percent(mean_overhead_share(results))} of the baseline's time on "
            f"average, and nearly all that is gained: where it takes no time `{scheduler}` is "
            f"{times(mean(results, 'no-overhead'))}, and where durations spread and memory keeps "
            f"up besides {times(mean(results, 'fine-grain-alone'))}; "
            f"{where_reached(by_overhead, goal)}")
    return judge


def largest(results):
    results.every_program("queues")
    found = {name: max(results.speedups("queues", name).values())
             for name in ("producer", "consumer3", "consumer4")}
    return Judgement(
        rule(any(near_gain(each, published("largest")) for each in found.values())),
        listed(found),
        "with N launches in flight a program can be N times as fast, and no more: each holds its "
        "place for its overhead and its own time. The published maximum needs three, and is no "
        "number of `producer`")


def diminishing(results):
    two, three, four = (results.mean("queues", f"consumer{count}") for count in (2, 3, 4))
    long = results.mean("queues", "consumer4", "overhead-50us", over="consumer3")
    return Judgement(
        rule(four / three < three / two),
        f"{times(two)}, {times(three)}, {times(four)} with 2, 3, 4 in flight",
        "once the launches in flight cover the overhead of the next one, more of them have nothing "
        f"to hide: four are {times(four / three)} of three, and {times(long)} where launching "
        "takes 50 us")


def prelaunch_alone(results):
    names = ("gaussian", "gramschm")
    early, fine, serial = ({name: results.speedup("queues", name, scheduler, experiment)
                            for name in names}
                           for scheduler, experiment in (("prelaunch", "paper"),
                                                         ("producer", "paper"),
                                                         ("prelaunch", "one-at-a-time")))
    shares = {name: results.overhead_share(name) for name in names}
    return Judgement(
        rule(all(early[name] > 1.5 and near_gain(early[name], fine[name]) for name in names)),
        f"`prelaunch`: {listed(early)}; `producer`: {listed(fine)}",
        f"launching is most of their time ({listed(shares, percent)}). That needs overheads that "
        "overlap each other: one after the other (`launches_at_once=1`) it is no more than "
        f"{listed(serial)}")


def fine_gain(results, program, experiment):
    """Of waiting for blocks over waiting for launches."""
    return results.speedup("queues", program, "producer", experiment, over="prelaunch")


def smaller(results, program, scheduler, over="baseline"):
    """The most of a program's smaller sizes."""
    found = [line["schedulers"] for line in results.cases("sizes", "paper")
             if line["program"] == program]
    if not found:
        raise Missing()
    return max(by[over]["time_us"] / by[scheduler]["time_us"] for by in found)


def fine_grain(results):
    names = ("3mm", "bicg", "fdtd2d")
    gains = {name: fine_gain(results, name, "paper") for name in names}
    most = {name: max(fine_gain(results, name, each) for each in EXPERIMENTS) for name in names}
    most = {name: max(gain, smaller(results, name, "producer", "prelaunch"))
            for name, gain in most.items()}
    early = {name: smaller(results, name, "prelaunch") for name in names}
    of_bound = {name: results.scheduler("queues", name, "baseline")["of_bound"] for name in names}
    return Judgement(
        rule(all(each > 1.05 for each in gains.values()),
             all(each > 1.05 for each in most.values())),
        f"`producer` over `prelaunch`: {listed(gains)}",
        f"in no experiment and size is it more than {listed(most)}: launches of many equal blocks "
        f"keep the machine busy to their end (the bound over the baseline: "
        f"{listed(of_bound, percent)}). In smaller sizes `prelaunch` alone, which runs independent "
        f"launches together, brings up to {listed(early)}. "
        "bicg's two launches need nothing of each other, and overlap where the later, of 16 long "
        "blocks, goes before the 4096 short ones of the first (`consumer2` "
        f"{times(results.speedup('queues', 'bicg', 'consumer2'))}). That 3mm loses comes of what "
        "blocks of two launches share on an SM: where they share nothing (`--durations model`) it "
        f"is {times(results.speedup('queues', '3mm', 'producer', 'alone'))}")


def alexnet(results):
    def speedup(experiment):
        return results.speedup("queues", "alexnet", "consumer4", experiment)

    ours, goal = speedup("paper"), published("alexnet")
    busy = results.scheduler("queues", "alexnet", "baseline")["sm_utilisation"]
    by_overhead = {us: speedup(each) for us, each in OVERHEADS.items()}
    return Judgement(
        by_range(ours, goal, [speedup(each) for each in EXPERIMENTS], near_gain), times(ours),
        f"its launches are {percent(results.overhead_share('alexnet'))} of its time, and SMs have "
        f"blocks for {percent(busy)} of it: no scheduler has anything to fill. On eight times the "
        f"machine it is {times(speedup('eight-machines'))}; {where_reached(by_overhead, goal)}")


def concurrency_gain(results, program, scheduler="consumer4"):
    return (results.scheduler("queues", program, scheduler)["concurrency"] /
            results.scheduler("queues", program, "baseline")["concurrency"])


def concurrency(results):
    names = results.every_program("queues")
    gains = [concurrency_gain(results, name) for name in names]
    launches = [results.line("queues", name)["launches"] for name in names]
    shares = [results.overhead_share(name) for name in names]
    found = rank_correlation(launches, gains)
    return Judgement(
        rule(found >= 0.5), f"rank correlation {found:.2f}",
        "it is the length of launches rather than their number: with the share of time that is "
        f"launching the correlation is {rank_correlation(shares, gains):.2f}")


def stall(results, program, scheduler):
    return results.scheduler("queues", program, scheduler)["stall"]


def stalls_fall(results):
    names = [name for name in results.every_program("queues")
             if stall(results, name, "baseline")["blocks"]]
    rest = [name for name in names if stall(results, name, "consumer4")["median"] >=
            stall(results, name, "baseline")["median"]]
    without = f"; not in {', '.join(rest)}, where ready blocks find no room" if rest else ""
    return Judgement(
        rule(2 * len(rest) < len(names)),
        f"the median falls in {len(names) - len(rest)} of {len(names)} programs",
        f"with the later launch first a block starts when its last parent ends{without}")


def alexnet_stalls(results):
    before, after, later = (stall(results, "alexnet", name)["median"]
                            for name in ("baseline", "producer", "consumer4"))
    return Judgement(
        rule(after > before), f"median {before:.2f}, under `producer` {after:.2f}",
        "the earlier launch goes first and fills the machine, so that blocks of the next are ready "
        f"and find no room; with the later first it is {later:.2f}")


def independent_stalls(results):
    blocks = [stall(results, name, "baseline")["blocks"] for name in ("bicg", "mvt")]
    return Judgement(
        INCOMPARABLE, f"{blocks[0]} and {blocks[1]} blocks have parents",
        "a stall is counted here from the end of a block's last parent, and blocks of independent "
        "launches have none; the paper counts that the kernel has not begun")


CLAIMS = (
    Claim("Table II", "number of kernels", launches_equal),
    Claim("Table II", "types of patterns", patterns_equal),
    Claim("Figure 9", "51.76% faster on average with producer priority",
          queue_mean("producer_mean", "producer"), "producer_mean"),
    Claim("Figure 9", "up to 2.92x", largest, "largest"),
    Claim("Figure 9", "80.28% faster on average with more kernels in flight",
          queue_mean("more_kernels_mean", "consumer4"), "more_kernels_mean"),
    Claim("Figure 9", "diminishing returns with more than three", diminishing),
    Claim("Figure 9", "GAUSSIAN and GRAMSCHM gain from prelaunch alone", prelaunch_alone),
    Claim("Figure 9", "3MM, BICG and FDTD gain most from fine grain", fine_grain),
    Claim("Figure 9", "AlexNet 6.9% faster", alexnet, "alexnet"),
    Claim("Figure 10", "more kernels, more blocks at once", concurrency),
    Claim("Figure 11", "stalls fall for most programs", stalls_fall),
    Claim("Figure 11", "AlexNet's stalls grow", alexnet_stalls),
    Claim("Figure 11", "stalls of BICG and MVT fall dramatically", independent_stalls),
)
