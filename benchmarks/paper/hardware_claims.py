# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BlockMaestro's Tables I and III, Figures 12 and 13, and area: what its hardware
takes, and where it ends."""

import collections
import math

from judging import Claim, Judgement, by_range, percent, rule, times
from results import OVERHEAD_US, Missing, published

BUFFERS = {"dependency_list_entries": 896, "children_per_entry": 4,
           "parent_counter_entries": 896, "parent_counter_bits": 6}
INDEX_BITS, CHILD_BITS = 34, 32
CLOSED = "all with closed forms"
COUNTS = ("all", "lists alone", "counters alone", CLOSED, "one a block")
NUMBER_BITS, STATE_BITS = 8, 2  # Of a kernel in ACS-HW's window.


def pattern_sums(results):
    """Relations and bytes of all programs by pattern."""
    found = collections.defaultdict(collections.Counter)
    for name in results.programs("queues"):
        for pattern, sums in results.graph("queues", name)["by_pattern"].items():
            found[pattern].update(sums)
    return found


def pattern_storage(results):
    results.every_program("queues")
    found = pattern_sums(results)
    saved = [name for name, sums in found.items() if sums["paper_bytes"] < sums["list_bytes"] / 2]
    return Judgement(
        rule({"full", "n-group"} <= set(saved)),
        f"less than half of a list: {', '.join(sorted(saved))}",
        "all others list every child or parent, as a list does; a formula takes the same few bytes "
        "for every grid, whatever the pattern")


def storage_ratio(results, program, key):
    """Over a plain list, or None where nothing is related."""
    sums = results.graph("queues", program)["by_pattern"].values()
    lists = sum(each["list_bytes"] for each in sums)
    return sum(each[key] for each in sums) / lists if lists else None


def storage_means(results):
    found = {}
    for key in ("paper_bytes", "stored_bytes"):
        ratios = [storage_ratio(results, name, key) for name in results.every_program("queues")]
        ratios = [each for each in ratios if each is not None]
        found[key] = sum(ratios) / len(ratios)
    return found


def storage(results):
    found = storage_means(results)
    gaussian = storage_ratio(results, "gaussian", "paper_bytes")
    return Judgement(
        by_range(found["paper_bytes"], published("storage_mean"), list(found.values())),
        f"{found['paper_bytes']:.3f} by Table I, {found['stored_bytes']:.3f} as recorded",
        "by Table I what is not full or n-group takes about what a list takes, as in the paper; "
        f"the largest difference is GAUSSIAN, {gaussian:.2f} to the paper's 0.000177, which what "
        "Table I says of its patterns (4) and (5) cannot give, since it grows with the blocks. "
        "Formulas are not in Table I; one that repeats takes two bytes")


def most_gain(found, least, most):
    """The largest of any workload with a degree in a range."""
    gains = [gain for by_degree in found.values() for degree, gain in by_degree.items()
             if least <= degree <= most]
    if not gains:
        raise Missing()
    return max(gains)


def of_degree(results, blocks, degree, experiment):
    """Of one case of vectoradd the speed-up of `producer`, and the share of launching."""
    for line in results.cases("degrees", experiment):
        if line["size"] == {"blocks": blocks, "degree": degree}:
            base = line["schedulers"]["baseline"]["time_us"]
            return base / line["schedulers"]["producer"]["time_us"], 2 * OVERHEAD_US / base
    raise Missing()


def threshold(results):
    even, uneven = (results.by_degree(each, over="prelaunch") for each in ("paper", "spread-caches"))
    below, beyond = (most_gain(uneven, *each) for each in ((1, 32), (64, 4096)))
    narrow, wide = (of_degree(results, 256, 128, each)[0]
                    for each in ("alone", "alone-wide-counters"))
    return Judgement(
        rule(most_gain(even, 1, 32) > 1.05 > most_gain(even, 64, 4096), below > 1.05 > beyond),
        f"fine grain brings {times(most_gain(even, 1, 4096))} at the most, at any degree",
        "all blocks are equal and wait for memory, which is busy to the end of either launch. With "
        "durations that spread and memory that keeps up (`spread-caches`) it is as in the paper: "
        f"up to {times(below)} to degree 32, {times(beyond)} from 64 on. What ends there is the "
        "counter of 6 bits: with more than 63 parents a launch waits for the whole of the one "
        f"before. 256 blocks of degree 128 are {times(narrow)} with it and {times(wide)} with 16 "
        "bits (`--durations model`)")


def workload(results):
    most = published("workload")
    small, large, uneven = (of_degree(results, *each) for each in (
        (32, 1, "paper"), (most, 1, "paper"), (most, 1, "spread-caches")))
    return Judgement(
        rule(large[0] < 1.05),
        f"{times(small[0])} with 32 blocks, {times(large[0])} with {most}",
        f"launching is {percent(small[1])} of the time with 32 blocks and {percent(large[1])} with "
        f"{most}; where durations spread and memory keeps up {most} still gain {times(uneven[0])}")


def buffer_bytes(machine):
    """Of the list and the counter buffer, by a machine's entries."""
    lists = machine["dependency_list_entries"] * (
        INDEX_BITS + machine["children_per_entry"] * CHILD_BITS)
    counters = machine["parent_counter_entries"] * (INDEX_BITS + machine["parent_counter_bits"])
    return lists / 8, counters / 8


def window_bytes(slots):
    """Of ACS-HW's window: a kernel's number, those that it waits for, and its state."""
    return slots * (NUMBER_BITS + NUMBER_BITS * (slots - 1) + STATE_BITS) / 8


def largest_form(results):
    """Bytes of a closed form, as executors read it, and the program that has it."""
    return max((results.graph("queues", name)["largest_form"], name)
               for name in results.programs("queues"))


def form_bytes(results, in_flight):
    """Of those between all launches in flight."""
    return largest_form(results)[0] * in_flight * (in_flight - 1) // 2


def area(_):
    ours = sum(buffer_bytes(BUFFERS))
    return Judgement(by_range(ours, published("area_bytes"), [ours]), f"{ours:.0f} bytes",
                     "computed: 896 numbers of 34 bits with four children of 32, and 896 with a "
                     "counter of 6; without the logic")


def window_area(_):
    ours = window_bytes(32)
    return Judgement(by_range(ours, published("acs_area_bytes"), [ours]), f"{ours:.0f} bytes",
                     "computed with kernel numbers of 8 bits; with the 8 bytes that its section "
                     "IV.D names too it would be eight times as much")


def asked_of_memory(results, program, experiment="paper"):
    """Requests of `producer`."""
    return results.scheduler("queues", program, "producer", experiment)["memory_requests"]


def request_counts(results, program):
    """Those, by what of them is counted."""
    of = asked_of_memory(results, program)
    related = results.graph("queues", program)["relations"] > 0
    return {"all": of["total"], "lists alone": of["list_fetches"] + of["list_refetches"],
            "counters alone": of["counter_fetches"] + of["counter_evictions"],
            CLOSED: asked_of_memory(results, program, "closed-forms")["total"],
            "one a block": results.line("queues", program)["blocks"] if related else 0}


def request_share(results, program, count="all", accesses="instructions"):
    return (request_counts(results, program)[count] /
            results.graph("queues", program)["accesses"][accesses])


def request_means(results):
    """By (requests, accesses, programs) that are counted."""
    every = results.every_program("queues")
    related = [name for name in every if results.graph("queues", name)["relations"]]
    return {(count, accesses, which): sum(request_share(results, name, count, accesses)
                                          for name in names) / len(names)
            for count in COUNTS
            for accesses in ("instructions", "sectors")
            for which, names in (("all", every), ("related", related))}


def requests(results):
    means, goal = request_means(results), published("requests")
    ours = means["all", "instructions", "all"]
    nearest = min(means, key=lambda key: abs(math.log(means[key] / goal)))
    worst = max(results.programs("queues"), key=lambda name: request_share(results, name))
    which = "that have relations" if nearest[2] == "related" else "in all"
    return Judgement(
        by_range(ours, goal, list(means.values())), percent(ours),
        f"it is what is counted: {nearest[0]} over {nearest[1]}, mean of the programs {which}, is "
        f"{percent(means[nearest])}, nearest to the paper's; all requests over sectors are "
        f"{percent(means['all', 'sectors', 'all'])}. Where lists are not fetched that a closed form "
        f"gives it is {percent(means[CLOSED, 'instructions', 'all'])}. From program to program it is how much a "
        f"block does: {worst}, with most, has {percent(request_share(results, worst))}")


CLAIMS = (
    Claim("Table I", "encoding saves storage for full and n-group relations", pattern_storage),
    Claim("Figure 12", "the gain is gone beyond degree 32", threshold, "degree"),
    Claim("Figure 12", "no gain with 2048 blocks", workload, "workload"),
    Claim("Area", "about 22 KB for 896 entries", area, "area_bytes"),
    Claim("Area", "ACS-HW: 1 KB for 32 kernels", window_area, "acs_area_bytes"),
    Claim("Figure 13", "1.36% more memory requests", requests, "requests"),
    Claim("Table III", "0.653 of the storage of plain lists", storage, "storage_mean"),
)
