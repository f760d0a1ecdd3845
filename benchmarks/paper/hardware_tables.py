# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sections of docs/paper.md on BlockMaestro's hardware: its area, what happens
where its buffers are full, and what it asks of memory."""

import json

import hardware_claims as hardware
import plan
from judging import listed, percent
from measure import MACHINES
from results import published
from tables import cell, judged, table


def area(results):
    rows = []
    for path in sorted(MACHINES.glob("*.json")):
        machine = json.loads(path.read_text())
        places = machine["sms"] * machine["blocks_per_sm"]
        scaled = {**machine, "dependency_list_entries": places, "parent_counter_entries": places}
        lists, counters = hardware.buffer_bytes(machine)
        rows.append([path.stem, machine["dependency_list_entries"], f"{lists:.0f}",
                     f"{counters:.0f}", f"{lists + counters:.0f}", places,
                     f"{sum(hardware.buffer_bytes(scaled)):.0f}"])
    return """
## Area

Section III.D: a buffer of lists and one of counters, in bytes; with the entries that a machine's file has, and, last, with one for each block that the machine holds, which is
how the paper comes to its 896.

""" + table(["machine", "entries", "lists", "counters", "both", "blocks held", "both for these"],
            rows) + cell(area_of_forms, results, show=str) + judged("Area", results)


def area_of_forms(results):
    """Where closed forms take the place of lists."""
    largest, program = hardware.largest_form(results)
    _, counters = hardware.buffer_bytes(hardware.BUFFERS)
    rows = [[count, count * (count - 1) // 2, hardware.form_bytes(results, count),
             f"{counters:.0f}", f"{hardware.form_bytes(results, count) + counters:.0f}"]
            for count in (2, 3, 4)]
    return f"""
Where every list can be computed from a closed form, the forms of the relations between the launches in flight take the place of the buffer of lists. The largest of these programs, one of {program}, has
{largest} bytes as executors read it; without the logic that decodes:

""" + table(["launches in flight", "relations", "forms", "counters", "both"], rows)


def slowed(results, name, experiment):
    """How fast `producer` is where full buffers stall, over where they do not; and whether
    blocks had to start without room."""
    free, stalls = (results.scheduler("queues", name, "producer", each)
                    for each in ("paper", experiment))
    return free["time_us"] / stalls["time_us"], stalls["buffer_stalls"]["forced"] > 0


def slowed_cell(results, name, experiment):
    speed, forced = slowed(results, name, experiment)
    return f"{speed:.3f}" + "\\*" * forced


def what_is_slowed(results, experiment):
    """The programs that lose a hundredth or more."""
    speeds = {name: slowed(results, name, experiment)[0] for name in results.programs("queues")}
    return listed({name: speed for name, speed in speeds.items() if speed <= 0.99}) or "none"


def full_buffers(results):
    both, lists = ([f"{kind}-{entries}" for entries in plan.ENTRIES]
                   for kind in ("stall", "stall-lists"))
    rows = [[name, *(cell(slowed_cell, results, name, each, show=str) for each in both + lists)]
            for name in results.programs("queues")]
    return """
## Full buffers

The paper fills its buffers off the critical path and assumes that they delay nothing. Here a block waits until its list and its children's counters have room
([`full_buffers_stall`](simulator.md#what-happens-in-it)): the speed of `producer` over its speed without that, by the entries of both buffers, and of the lists' alone, with room for every counter.
A star: there came a time at which nothing ran and no ready block found room, so that hardware without a way past its buffers would have stood still; here one block at a time goes on. It is
counters that bring that about: those of children that wait for several parents stay until the last one has ended, and where they fill the buffer no other parent finds room.

""" + table(["program", *(f"both {each}" for each in plan.ENTRIES),
             *(f"lists {each}" for each in plan.ENTRIES)], rows) + f"""
With the paper's {plan.ENTRIES[0]} entries these lose a hundredth or more: {cell(what_is_slowed, results, both[0], show=str)}; where lists alone stall: {cell(what_is_slowed, results, lists[0], show=str)}.
"""


def request_row(results, name):
    asked = results.graph("queues", name)["accesses"]
    counts = hardware.request_counts(results, name)
    return [name, asked["instructions"], asked["sectors"],
            *(counts[each] for each in hardware.COUNTS if each != hardware.CLOSED),
            *(percent(hardware.request_share(results, name, "all", each))
              for each in ("instructions", "sectors"))]


def request_table(results):
    means = hardware.request_means(results)
    rows = [[count, *(percent(means[count, accesses, which]) for which in ("all", "related")
                      for accesses in ("instructions", "sectors"))]
            for count in hardware.COUNTS]
    return table(["requests", "over accesses, all programs", "over sectors, all programs",
                  "over accesses, with relations", "over sectors, with relations"],
                 [*rows, ["the paper", percent(published("requests")), "", "", ""]])


def closed_form_row(results, name):
    lists = hardware.asked_of_memory(results, name)
    forms = hardware.asked_of_memory(results, name, "closed-forms")
    saved = forms["lists_decoded"]
    by_pattern = ", ".join(f"{count} {pattern}" for pattern, count in sorted(saved.items()))
    accesses = results.graph("queues", name)["accesses"]["instructions"]
    return [name, lists["list_fetches"], sum(saved.values()), by_pattern, lists["total"],
            forms["total"], *(percent(each["total"] / accesses) for each in (lists, forms))]


def closed_forms(results):
    return """
Where the hardware computes the children of a block from a [closed form](simulator.md#what-is-reported) (`closed_forms_decode`), as section IV.C has in mind, it fetches no list of them. By pattern,
how many of the lists' requests that saves; lists that are left are of relations that are recorded as lists, or whose form leads from a parent to no box of children:

""" + table(["program", "for lists", "saved", "by pattern", "all", "with closed forms",
             "all over accesses", "with closed forms over accesses"],
            [closed_form_row(results, name) for name in results.programs("queues")])


def figure_thirteen(results):
    return """
## Figure 13: memory requests

Under `producer`. *Lists*: the children of a block that starts, four in a request. *Counters*: those of its children, and what they put out of the buffer. *Accesses*: instructions
of warps, *sectors* their 32 bytes. The paper says neither what a request nor what an access is; *one a block* is its "in the order of O(V)".

![Figure 13: memory requests](images/paper-figure13.svg)

""" + table(["program", "accesses", "sectors", "all", "lists", "counters", "one a block",
             "all over accesses", "all over sectors"],
            [request_row(results, name) for name in results.programs("queues")]) + cell(
                closed_forms, results, show=str) + """
Means over all programs, and over those that have relations, by what is counted:

""" + cell(request_table, results, show=str) + judged("Figure 13", results)
