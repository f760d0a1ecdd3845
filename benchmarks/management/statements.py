# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the paper states of its framework, and the function that judges each of it by the rule
of judging.py."""

import collections

import kernels
import simulation
from found import PAPER, named, use
from judging import (INCOMPARABLE, Claim, Judgement, by_range, listed, near, near_gain, percent,
                     rule, times)
from kernels import PUBLISHED
from performance import mean
from results import Missing

FIGURES = {"static": "Figure 11", "dynamic": "Figure 11", "bypass": "Figure 11",
           "coarse:even": "Figure 16", "coarse:smc": "Figure 16"}
VERY_HIGH = (("LBM", "BKP"), ("BKP", "STC"), ("BLK", "STC"))
MARGINAL = (("BLK", "HST"), ("SPM", "HST"))
HELPED = (("BKP", "KMS"), ("HST", "KMS"), ("LBM", "STC"))


def published(name):
    return PUBLISHED["numbers"][name]["value"]


def of_experiments(found, policy):
    """Means of a policy's gain, and of the same pairs as in the paper's machine."""
    means = {}
    for each in found.experiments():
        pairs = found.pairs_of(each.name)
        try:
            means[each.about] = (found.mean_gain(policy, each.name, pairs=pairs),
                                 found.mean_gain(policy, PAPER, pairs=pairs))
        except Missing:
            continue
    return means


def experiments_text(means):
    """The experiments that move a mean by more than a hundredth."""
    moved = [f"where {about} {times(then)} (without {times(now)})"
             for about, (then, now) in means.items() if abs(then - now) >= 0.01]
    return ("; " + "; ".join(moved)) if moved else ""


def most_and_least(found, policy):
    gains = found.gains(policy)
    order = sorted(gains, key=gains.get)
    return f"from {times(gains[order[0]])} ({order[0]}) to {times(gains[order[-1]])} ({order[-1]})"


def bounds_text(found):
    """What the lengths of kernels leave to gain, and what the brute force finds of it."""
    bound = mean([found.bound(pair) for pair in kernels.PAIRS])
    try:
        best = f", and of all {{Tb_A, Tb_B}} the best are {times(found.mean_gain('best'))}"
    except Missing:
        best = ""
    return f"by the lengths of kernels alone it cannot be more than {times(bound)}{best}"


def with_all_pairs(found, policy):
    """The means of all pairs in the experiments; pairs that these leave are as they were."""
    means = [found.mean_gain(policy)]
    for each in found.experiments():
        try:
            changed = found.gains(policy, each.name)
        except Missing:
            continue
        means.append(mean(list({**found.gains(policy), **changed}.values())))
    return means


def gain_of(policy):
    """The judge of a policy's mean over the 28 pairs."""
    def judge(found):
        ours = found.mean_gain(policy)
        return Judgement(
            by_range(ours, published(policy), with_all_pairs(found, policy), near_gain),
            times(ours), "; ".join((most_and_least(found, policy), bounds_text(found))) +
            experiments_text(of_experiments(found, policy)))
    return judge


def with_table_four(found):
    """Static modulation, where the paper has its own kernels: its settings, with ours."""
    values = {}
    for pair in kernels.PAIRS:
        policy = simulation.of_table_four(pair)
        values[named(pair)] = found.gain(pair, policy) if policy else 1.0
    ours = mean(list(values.values()))
    most = max(values, key=values.get)
    left = sum(found.profile(a)["type"] == found.profile(b)["type"] == "up"
               for a, b in kernels.PAIRS)
    return Judgement(by_range(ours, published("static"), [ours], near_gain), times(ours),
                     f"the most is {most}, {times(values[most])}; by its own profiles, static "
                     f"modulation here leaves {left} pairs of two kernels of type Up to the "
                     "baseline, the paper 3")


def energy(found):
    values = {named(pair): found.efficiency(pair, "bypass") for pair in kernels.PAIRS}
    ours = mean(list(values.values()))
    return Judgement(by_range(ours, published("energy"), [ours], near_gain), times(ours),
                     f"the speed-up of the same runs is {times(found.mean_gain('bypass'))}; "
                     "energies of events are not those of the paper's GPUWattch")


def more_kernels(found):
    values = {named(each): found.gain(each, "bypass")
              for count in (4, 5) for each in found.sets(count)}
    if not values:
        raise Missing()
    ours = mean(list(values.values()))
    verdict = by_range(ours, published("more"), list(values.values()), near_gain)
    return Judgement(verdict, times(ours), "the paper does not say which kernels are in its sets; "
                     f"of ours: {listed(values)}")


def best_over_all(found):
    """Whether the framework is faster than both coarse policies for every pair."""
    slower = [named(pair) for pair in kernels.PAIRS
              if found.gain(pair, "bypass") < max(found.gain(pair, "coarse:even"),
                                                  found.gain(pair, "coarse:smc"))]
    return Judgement(rule(not slower), f"{28 - len(slower)} of 28 pairs",
                     f"not for {', '.join(slower)}" if slower else "")


def lbm_kms(found):
    pair = ("LBM", "KMS")
    smc, ours = found.gain(pair, "coarse:smc"), found.gain(pair, "bypass")
    return Judgement(rule(smc > ours), f"SMC {times(smc)}, the framework {times(ours)}")


def minimal_baseline(found):
    """Less than a tenth."""
    values = found.gains("leftover", over="sequential")
    ours = mean(list(values.values()))
    most = max(values, key=values.get)
    return Judgement(rule(ours < 1.1), times(ours), f"the most is {most}, {times(values[most])}")


def types(found):
    ours = {name: found.profile(name)["type"] for name in found.names()}
    same = [name for name in ours if ours[name] == PUBLISHED["kernels"][name]["type"]]
    if len(ours) < len(kernels.KERNELS):
        raise Missing()
    others = [f"{name} {ours[name]}, there {PUBLISHED['kernels'][name]['type']}"
              for name in ours if name not in same]
    return Judgement(rule(not others), f"the same for {len(same)} of 8",
                     "the kernels are others where the table says so: " + "; ".join(others)
                     if others else "")


def every_type(found):
    """Whether kernels of all three types are among the eight."""
    ours = {name: found.profile(name)["type"] for name in found.names()}
    if len(ours) < len(kernels.KERNELS):
        raise Missing()
    count = collections.Counter(ours.values())
    return Judgement(rule(len(count) == 3), ", ".join(
        f"{count[each]} {each}" for each in ("up", "optimal", "down")))


def up_stalls(cause, holds):
    """Of the kernels of type Up, how what is lost to a cause changes from one block to the most,
    over all cycles with one."""
    def judge(found):
        changes = {}
        for name in found.names():
            if found.profile(name)["type"] == "up":
                lost = found.stalled(name, cause)
                changes[name] = lost[-1] - lost[0]
        if not changes:
            raise Missing()
        held = [name for name, change in changes.items() if holds(change)]
        return Judgement(rule(len(held) == len(changes)),
                         f"{len(held)} of {len(changes)} kernels",
                         "in hundredths of the cycles with one block: " + ", ".join(
                             f"{name} {100 * change:+.0f}" for name, change in changes.items()))
    return judge


def more_is_worse(found):
    """Of the other types, whether the most blocks lose more cycles to both than the optimum."""
    values = {}
    for name in found.names():
        of = found.profile(name)
        if of["type"] != "up":
            lost = [sum(each) for each in zip(found.stalled(name, "memory"),
                                              found.stalled(name, "structural"))]
            values[name] = lost[-1] / lost[of["opt"] - 1]
    if not values:
        raise Missing()
    return Judgement(rule(all(each > 1 for each in values.values())), listed(values),
                     "cycles lost with the most blocks over those with opt(k); where blocks are few "
                     "more of them on an SM leave others without any at the end")


def static_setting(found, pair):
    """{Tb_A, Tb_B}; of a pair that is left to the baseline, as the paper writes it, as many
    blocks of the first as fit and none of the other."""
    blocks = found.line(pair, "static")["blocks"]
    return blocks or [len(found.profile(pair[0])["points"]), 0]


def settings(found):
    same = [pair for pair in kernels.PAIRS
            if static_setting(found, pair) == PUBLISHED["pairs"][named(pair)]]
    return Judgement(rule(len(same) == 28), f"the same for {len(same)} of 28 pairs",
                     "they follow from types, opt(k) and what a block takes, and these differ")


def utilisation(resource, number):
    def judge(found):
        pairs = {pair: static_setting(found, pair) for pair in kernels.PAIRS}
        values = [use(found, pair, blocks, resource) for pair, blocks in pairs.items()]
        ours = sum(values) / len(values)
        is_near = near(ours, published(number))
        return Judgement(rule(is_near, sometimes=True), percent(ours),
                         "" if is_near else "blocks take other parts of an SM than the paper's")
    return judge


def figure_two(found):
    """(a): the best of {Tb_A, Tb_B} over the baseline."""
    base = found.line(kernels.MOTIVATION, "leftover")["cycles"]
    by = {policy: base / each["cycles"] for (pair, policy, _), each in found.lines.items()
          if pair == named(kernels.MOTIVATION) and policy.startswith("fine:")
          and "+bypass:" not in policy and "cycles" in each}
    if not by:
        raise Missing()
    best = max(by, key=by.get)
    text = f"{times(by[best])} at {{{best.removeprefix('fine:')}}}"
    return by, best, text


def best_by_hand(found):
    by, best, text = figure_two(found)
    return Judgement(by_range(by[best], published("tlp"), [by[best]], near_gain), text,
                     f"of {len(by)} settings the worst is {times(min(by.values()))}; "
                     "the paper's is {5, 1}")


def more_by_bypassing(found):
    """(b): the best of {By_A, By_B} at the paper's best setting."""
    base = found.line(kernels.MOTIVATION, simulation.fine(kernels.BEST_SETTING))["cycles"]
    by = {policy: base / each["cycles"] for (pair, policy, _), each in found.lines.items()
          if pair == named(kernels.MOTIVATION) and "+bypass:" in policy and "cycles" in each}
    if not by:
        raise Missing()
    best = max(by, key=by.get)
    theirs = simulation.fine(kernels.BEST_SETTING, (0, 1))
    misses = {policy: found.line(kernels.MOTIVATION, policy)["all"]["l1_miss_rate"]
              for policy in (simulation.fine(kernels.BEST_SETTING), theirs)}
    return Judgement(by_range(by[best], published("tlp_bypass"), [by[best]], near_gain),
                     f"{times(by[best])} at {{{best.split('bypass:')[1]}}}",
                     f"the paper's {{0, 1}} is {times(by[theirs])}: KMS finds sectors in L1 that it "
                     f"then has to ask L2 for, of all {percent(max(misses.values()))} instead of "
                     f"{percent(min(misses.values()))}")


def blocks_of(policy):
    return sum(map(int, policy.removeprefix("fine:").split(",")))


def not_the_most(found):
    """Whether a setting with the most blocks is slower than one with fewer."""
    by, _, _ = figure_two(found)
    full = {policy: gain for policy, gain in by.items()
            if blocks_of(policy) == kernels.MOST_BLOCKS}
    fewer = max(gain for policy, gain in by.items() if policy not in full)
    text = ", ".join(f"{{{policy.removeprefix('fine:')}}} {times(gain)}"
                     for policy, gain in full.items())
    return Judgement(rule(min(full.values()) < fewer), f"{text}; with fewer up to {times(fewer)}")


def stall_change(cause, number):
    def judge(found):
        values = [found.stall_change(pair, "dynamic", cause) for pair in kernels.PAIRS]
        ours = -sum(values) / len(values)
        return Judgement(rule(near(ours, published(number)) if ours else False),
                         percent(ours) if ours > 0 else f"{percent(-ours)} more")
    return judge


def marginal(found):
    values = {named(pair): found.gain(pair, "bypass") for pair in MARGINAL}
    most = {named(pair): found.bound(pair) for pair in MARGINAL}
    return Judgement(rule(all(each < 1.1 for each in values.values())), listed(values),
                     f"below 1.1x; by the lengths of kernels they could be {listed(most)}")


def very_high(found):
    """Above the mean of all pairs."""
    values = {named(pair): found.gain(pair, "dynamic") for pair in VERY_HIGH}
    usual = found.mean_gain("dynamic")
    return Judgement(rule(all(each > usual for each in values.values())),
                     f"{listed(values)}; all {times(usual)}")


def bypassing_text(found):
    """What bypassing adds to the three pairs in each experiment that has them."""
    values = {"": mean(list(found.gains("bypass", over="dynamic", pairs=HELPED).values()))}
    for each in found.experiments():
        try:
            values[each.about] = mean([found.gain(pair, "bypass", each.name, "dynamic")
                                       for pair in HELPED])
        except Missing:
            continue
    others = "".join(f"; where {about} {times(value)}" for about, value in values.items() if about)
    return f"the mean of the three is {times(values[''])}{others}"


def helped(found):
    """What bypassing adds to three pairs: more than to the mean of all."""
    values = {named(pair): found.gain(pair, "bypass", over="dynamic") for pair in HELPED}
    usual = found.mean_gain("bypass", over="dynamic")
    holds = all(each > max(1.02, usual) for each in values.values())
    return Judgement(rule(holds), f"{listed(values)}; all {times(usual)}", bypassing_text(found))


def fewer_misses(found):
    values = {named(pair): 1 - found.miss_rate(pair, "bypass") /
              found.miss_rate(pair, "leftover") for pair in HELPED}
    ours = sum(values.values()) / len(values)
    return Judgement(rule(near(ours, published("miss_rate"))), percent(ours) if ours > 0 else
                     f"{percent(-ours)} more", listed(values, percent))


def modulation(found):
    """{3, 6} and {2, 8} of Figure 13 against the machine of Table II."""
    try:
        path = found.line(("BKP", "HST"), "dynamic")["path"]
    except KeyError as error:
        raise Missing() from error
    return Judgement(INCOMPARABLE, "{BKP, HST} on the first SM: " + ", ".join(
        f"{{{first}, {second}}}" for first, second in path),
        "nine and ten blocks are more than the eight that an SM of its Table II holds")


def within(policy, best):
    """The goal of this project: how far a policy is from the brute force."""
    def judge(found):
        ours = mean(list(found.gains(best, over=policy).values())) - 1
        goal = PUBLISHED["goals"][policy]
        values = found.gains(best, over=policy)
        worst = max(values, key=values.get)
        managed = [gain for pair, gain in values.items()
                   if any(found.profile(name)["type"] != "up" for name in pair.split())]
        return Judgement("met" if ours <= goal else "not met", percent(ours),
                         f"the most is {worst}, {percent(values[worst] - 1)}; of the "
                         f"{len(managed)} pairs that are not both of type Up "
                         f"{percent(mean(managed) - 1)}")
    return judge


def speedup(policy, says):
    return Claim(FIGURES[policy], says, gain_of(policy), policy)


CLAIMS = (
    speedup("static", "static modulation is 1.31x as fast as the baseline, on average"),
    Claim("Table IV", "the same with the settings of Table IV", with_table_four, "static"),
    speedup("dynamic", "with dynamic modulation 1.40x"),
    speedup("bypass", "with bypassing 1.51x"),
    Claim("Figure 15", "energy efficiency is 1.39x", energy, "energy"),
    speedup("coarse:even", "Smart-Even is 1.21x"),
    speedup("coarse:smc", "SMC is 1.26x"),
    Claim("Figure 16", "the framework is the fastest of the three for all pairs", best_over_all),
    Claim("Figure 16", "SMC is faster for {LBM, KMS}", lbm_kms),
    Claim("Figure 18", "1.44x with four and five kernels", more_kernels, "more"),
    Claim("Section 2.2", "the baseline gains very little over one after the other",
          minimal_baseline),
    Claim("Figure 2", "{BKP, KMS}: choosing {Tb_A, Tb_B} gives up to 1.25x", best_by_hand, "tlp"),
    Claim("Figure 2", "{BKP, KMS}: bypassing at {5, 1} gives 1.60x more", more_by_bypassing,
          "tlp_bypass"),
    Claim("Figure 2", "the most blocks are not always the fastest", not_the_most),
    Claim("Table III", "the type of each kernel", types),
    Claim("Table III", "kernels are of three types", every_type),
    Claim("Figure 5", "Up: memory stalls fall with more blocks",
          up_stalls("memory", lambda change: change < 0)),
    Claim("Figure 5", "Up: structural stalls hardly change, by less than a tenth of the cycles",
          up_stalls("structural", lambda change: abs(change) < 0.1)),
    Claim("Figures 6, 7", "Optimal and Down: more blocks stall more", more_is_worse),
    Claim("Table IV", "the setting of each pair", settings),
    Claim("Table IV", "72.63% of threads are used", utilisation("threads", "thread_use"),
          "thread_use"),
    Claim("Table IV", "5.24% of shared memory is used", utilisation("shared", "shared_use"),
          "shared_use"),
    Claim("Table IV", "77.50% of registers are used", utilisation("registers", "register_use"),
          "register_use"),
    Claim("Figure 11", "gains are marginal for {BLK, HST} and {SPM, HST}", marginal),
    Claim("Figure 12", "38.4% less memory stall", stall_change("memory", "memory_stall"),
          "memory_stall"),
    Claim("Figure 12", "12.1% less structural stall",
          stall_change("structural", "structural_stall"), "structural_stall"),
    Claim("Figure 12", "{LBM, BKP}, {STC, BKP} and {BLK, STC} gain very much", very_high),
    Claim("Figure 13", "{HST, BKP} goes from {3, 6} to {2, 8} to {4, 2}", modulation),
    Claim("Figure 14", "bypassing adds remarkably to {BKP, KMS}, {HST, KMS}, {LBM, STC}", helped),
    Claim("Figure 14", "L1 misses of these three are 30% fewer", fewer_misses, "miss_rate"),
)
GOALS = (
    Claim("", "static modulation is within 5% of the best {Tb_A, Tb_B}", within("static", "best")),
    Claim("", "static modulation with `static:shared`, which is ours, is within 5% of the same",
          within("static:shared", "best")),
    Claim("", "learning with bypassing is within 7% of the best {Tb_A, Tb_B, By_A, By_B}",
          within("bypass", "best:bypass")),
    Claim("", "learning with `bypass:guarded`, which is ours, is within 7% of the same",
          within("bypass:guarded", "best:bypass")),
    Claim("", "dynamic modulation is within 7% of the best {Tb_A, Tb_B}",
          within("dynamic", "best")),
)
