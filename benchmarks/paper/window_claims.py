# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ACS's figures: kernels in a window, in software and in hardware, against CUDA
graphs. Its programs are other ones than ours, so that a number of it is not
comparable where it is not confirmed."""

from judging import (CONFIRMED, INCOMPARABLE, Claim, Judgement, listed, near, near_gain, percent,
                     rule, times)
from results import published


def speedup(results, program, scheduler, experiment="paper", over="baseline"):
    return results.speedup("windows", program, scheduler, experiment, over)


def number(name, program, scheduler, why):
    def judge(results):
        ours = speedup(results, program, scheduler)
        close = near_gain(ours, published(name))
        return Judgement(CONFIRMED if close else INCOMPARABLE, times(ours),
                         why(results, scheduler))
    return judge


def physics_cause(results, scheduler):
    line = results.line("windows", "physics")
    unheard = speedup(results, "physics", "acs-sw", "no-sync")
    free = speedup(results, "physics", scheduler, "no-overhead")
    unchecked = speedup(results, "physics", scheduler, "no-overhead-no-check")
    return (f"the host reads what a kernel found {line['copies']} times among the "
            f"{line['launches']} launches of ours, and no window reaches over that; "
            f"{percent(results.overhead_share('physics', 'windows'))} of the baseline is "
            f"launching, and where it takes no time in either `{scheduler}` is {times(free)}, and "
            f"{times(unchecked)} without checks. If the host heard of an end at once `acs-sw` "
            f"would be {times(unheard)}")


def network_cause(results, program, scheduler):
    return (f"one network of ours. {percent(results.overhead_share(program, 'windows'))} of its "
            "baseline is launching; over launches that take no time but wait for each other, as in "
            f"a stream kept full, it is {times(speedup(results, program, scheduler, over='ideal'))}"
            ", and where launching takes no time in either "
            f"{times(speedup(results, program, scheduler, 'no-overhead'))}")


def dynamic_cause(results, scheduler):
    return network_cause(results, "dynamic-cnn", scheduler)


def static_cause(results, scheduler):
    return network_cause(results, "random-cnn", scheduler)


def hardware_mean(results):
    ours, goal = results.mean("windows", "acs-hw"), published("acs_mean")
    return Judgement(
        CONFIRMED if near_gain(ours, goal) else INCOMPARABLE, times(ours),
        "of three programs instead of twelve; where launching takes no time in either it is "
        f"{times(results.mean('windows', 'acs-hw', 'no-overhead'))}, and over launches that take "
        f"none {times(results.mean('windows', 'acs-hw', over='ideal'))}: what is gained is "
        "overhead, but for random-cnn, the one whose launches run beside each other")


def software_slower(results):
    ours, unheard = (speedup(results, "dynamic-cnn", "acs-sw", each)
                     for each in ("paper", "no-sync"))
    return Judgement(
        rule(ours < 1), times(ours),
        "each launch that waits for another waits until the host has heard of its end, and then "
        f"for its own overhead; if the host heard at once it would be {times(unheard)}")


def window_size(results):
    gains = {name: speedup(results, name, "acs-hw", over="acs-hw16")
             for name in results.every_program("windows")}
    line = results.line("windows", "physics")
    return Judgement(
        rule(gains["physics"] > 1.02), listed(gains, "{:.3f}x".format),
        f"between two reads of the host are {line['launches'] / (line['copies'] + 1):.0f} launches "
        "of ours on average; what a wider window brings to it is a cycle more for each slot")


def graph_speedup(results, program):
    """One CUDA graph of the program, that is there already."""
    return (results.scheduler("windows", program, "baseline")["time_us"] /
            results.scheduler("windows", program, "acs-hw64", "graph")["time_us"])


def built_speedup(results, program):
    """The same with the paper's share of the time for building it."""
    return graph_speedup(results, program) * (1 - published("graph_share"))


def static_graph(results):
    ours = graph_speedup(results, "random-cnn") / speedup(results, "random-cnn", "acs-hw")
    return Judgement(
        rule(near(ours, 1)), f"{times(ours)} of `acs-hw`",
        "the graph is `acs-hw64` without checks and with 1.06 us a launch, what a graph's kernel "
        "takes on an H200 ([log](../benchmarks/results/issue-2026-11-23-h200.log)); `acs-hw` takes "
        "5 us and 510 ns for the check")


def built_graph(results):
    line = results.line("windows", "physics")
    alone = graph_speedup(results, "physics")
    ideal = line["schedulers"]["ideal"]["time_us"]
    base = line["schedulers"]["baseline"]["time_us"]
    saved = (base - base / alone) / line["launches"]
    built = {name: built_speedup(results, name) for name in results.every_program("windows")}
    return Judgement(
        CONFIRMED if max(built.values()) < 1 else INCOMPARABLE, listed(built),
        "this is with the paper's share of 47% of the time for building it; building is worth it "
        f"below {saved:.1f} us a launch for physics, of which the baseline pays 5. Over launches "
        f"that take no time it is {times(alone * ideal / base)} before it is built. And physics "
        "could not be one graph: its host decides what comes next")


def utilisation(results):
    names = results.every_program("windows")
    before, after = ({name: results.scheduler("windows", name, each)["sm_utilisation"]
                      for name in names} for each in ("baseline", "acs-hw"))
    return Judgement(
        rule(all(after[name] > before[name] for name in before)),
        f"{listed(before, percent)}; under `acs-hw` {listed(after, percent)}",
        "ours is the part of SMs' time with a block, the paper's that of warps (34% for physics, "
        "39% for dynamic networks, in the baseline): that it grows can be compared, not its level")


CLAIMS = (
    Claim("ACS", "1.56x on average", hardware_mean, "acs_mean"),
    Claim("ACS", "physics: 1.66x on average in software",
          number("physics_sw", "physics", "acs-sw", physics_cause), "physics_sw"),
    Claim("ACS", "physics: up to 2.19x in hardware",
          number("physics_hw", "physics", "acs-hw", physics_cause), "physics_hw"),
    Claim("ACS", "dynamic networks: 1.05x on average in software",
          number("dynamic_sw", "dynamic-cnn", "acs-sw", dynamic_cause), "dynamic_sw"),
    Claim("ACS", "dynamic networks: 1.3x on average in hardware",
          number("dynamic_hw", "dynamic-cnn", "acs-hw", dynamic_cause), "dynamic_hw"),
    Claim("ACS", "InstaNAS is slower in software than in one stream", software_slower),
    Claim("ACS", "static networks: 1.16x on average in software",
          number("static_sw", "random-cnn", "acs-sw", static_cause), "static_sw"),
    Claim("ACS", "static networks: 1.31x on average in hardware",
          number("static_hw", "random-cnn", "acs-hw", static_cause), "static_hw"),
    Claim("ACS", "a CUDA graph is as fast as ACS-HW for static networks", static_graph),
    Claim("ACS", "a CUDA graph is slower than one stream where it is built anew", built_graph,
          "graph_share"),
    Claim("ACS", "32 kernels are 4.5% faster than 16 for physics", window_size, "physics_window"),
    Claim("ACS", "utilisation grows", utilisation),
)
