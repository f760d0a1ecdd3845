# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plots of docs/management.md, by their paths beside it."""

import kernels
import plots
import simulation
from found import named
from results import Missing

PROFILED = {"BKP": "figure5", "SPM": "figure6", "KMS": "figure7"}
OURS = (*kernels.MODULATED, "best:bypass")
COARSE = ("coarse:even", "coarse:smc", "bypass")


def value(compute, *arguments):
    """Or None where something was not measured."""
    try:
        return compute(*arguments)
    except Missing:
        return None


def gains(title, found, sets, policies):
    return plots.bars(title, policies, [
        (named(names), [value(found.gain, names, policy) for policy in policies])
        for names in sets])


def profile(found, name, figure):
    of = found.profile(name)
    points = of["points"]
    most = max(each["throughput"] for each in points)
    series = [("throughput, over the most",
               [each["throughput"] / most for each in points]),
              ("L1 miss rate", [each["l1_miss_rate"] for each in points]),
              ("memory stall", found.stalled(name, "memory")),
              ("structural stall", found.stalled(name, "structural"))]
    return plots.lines(f"{figure.capitalize().replace('ure', 'ure ')}: {name}, type {of['type']}, by "
                       "blocks an SM", series, [str(each["blocks"]) for each in points], 0, 1, "")


def settings(found):
    """Figure 2 (a) and (b)."""
    base = found.line(kernels.MOTIVATION, "leftover")["cycles"]

    def gain(policy):
        return base / found.line(kernels.MOTIVATION, policy)["cycles"]

    return plots.bars("Figure 2: {BKP, KMS} by hand, speed-up over the baseline", ("speed-up",), [
        (policy.removeprefix("fine:"), [value(gain, policy)])
        for policy in simulation.of_figure_two()])


def stalls(found):
    series = ("baseline, memory", "dynamic, memory", "baseline, structural", "dynamic, structural")
    return plots.bars("Figure 12: stalls, over all of the baseline", series, [
        (named(pair), [value(found.stalls, pair, policy, cause)
                       for cause in ("memory", "structural")
                       for policy in ("leftover", "dynamic")])
        for pair in found.pairs()])


def misses(found):
    shown = ("leftover", "bypass")
    return plots.bars("Figure 14: L1 miss rate", shown, [
        (named(pair), [value(found.miss_rate, pair, policy) for policy in shown])
        for pair in found.pairs()], "")


def energy(found):
    return plots.bars("Figure 15: energy efficiency over the baseline", ("dynamic", "bypass"), [
        (named(pair), [value(found.efficiency, pair, policy) for policy in ("dynamic", "bypass")])
        for pair in found.pairs()])


def modulation(found):
    """Whether there is anything to draw of Figure 2."""
    return found.has(kernels.MOTIVATION, simulation.fine(kernels.BEST_SETTING))


def has_energy(found):
    return any("energy_uj" in each for each in found.lines.values())


def images(found):
    pairs = found.pairs()
    drawn = {
        "figure11": gains("Figure 11: speed-up over the baseline", found, pairs, OURS),
        "figure12": stalls(found),
        "figure14": misses(found),
        "figure16": gains("Figure 16: speed-up over the baseline", found, pairs, COARSE),
    }
    if modulation(found):
        drawn["figure2"] = settings(found)
    if has_energy(found):
        drawn["figure15"] = energy(found)
    if found.sets():
        drawn["figure18"] = gains("Figure 18: speed-up over the baseline, three to five kernels",
                                  found, found.sets(), ("coarse:even", "dynamic", "bypass"))
    drawn |= {figure: profile(found, name, figure) for name, figure in PROFILED.items()
              if name in found.names()}
    return {f"images/management-{name}.svg": text for name, text in sorted(drawn.items())}
