# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The relations that BlockMaestro computes for a program's launches, against
those that cases.json has by hand.

A relation by hand stands for all pairs of launches of its kernels that are
its distance apart, between which the host does not wait. One of the verdicts:

  agrees    every computed one is exact, one has the pattern
  inexact   a computed one is not exact, for the reasons given
  differs   all are exact, none has the pattern
  absent    the case has no such pair of launches, or the host waits between
  missing   no computed one has the hazards: an error
"""

import collections
import json

AGREES, INEXACT, DIFFERS, ABSENT, MISSING = (
    "agrees", "inexact", "differs", "absent", "missing")
VERDICTS = (AGREES, INEXACT, DIFFERS, ABSENT, MISSING)


def short_name(kernel):
    """'forward<float>' of 'void bench::forward<float>(float*, int)'."""
    depth, begin = 0, 0
    for at, letter in enumerate(kernel):
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter in " :":
            begin = at + 1
        elif depth == 0 and letter == "(" and at > begin:
            return kernel[begin:at]
    return kernel[begin:]


class Recorded:
    """Launches, barriers and relations as bm-dump tells them."""

    def __init__(self, launches, graph):
        self.names = [short_name(each["kernel"]) for each in launches["launches"]]
        # How often the host has waited before each launch.
        self.waits = [0] * len(self.names)
        waited = [each for each in launches["copies"] if each["host_waits"]]
        for each in launches["barriers"] + waited:
            for launch in range(each["before_launch"], len(self.names)):
                self.waits[launch] += 1
        self.relations = {(each["producer"], each["consumer"]): each
                          for each in graph["relations"]}

    def key(self, producer, consumer):
        return self.names[producer], self.names[consumer], consumer - producer

    def pairs(self, key):
        """The pairs of launches of this key that may overlap."""
        return [(at, at + key[2]) for at in range(len(self.names) - key[2])
                if self.key(at, at + key[2]) == key
                and self.waits[at] == self.waits[at + key[2]]]


def key_of(relation):
    return relation["producer"], relation["consumer"], relation["distance"]


def reasons_of(relations):
    """Each reason why one is not exact, with how many it holds for."""
    return collections.Counter(each["reason"] for each in relations
                               if not each["exact"])


def judge(relation, recorded):
    """(verdict, what to add to it)."""
    pairs = recorded.pairs(key_of(relation))
    found = [recorded.relations[pair] for pair in pairs
             if pair in recorded.relations]
    if not pairs:
        return ABSENT, ""
    independent = relation["pattern"] == "independent"
    if independent and len(found) < len(pairs):
        return AGREES, ""
    needed = set() if independent else set(relation["hazards"].split())
    usable = [each for each in found if needed <= set(each["hazards"].split("+"))]
    if not usable:
        return MISSING, ""
    reasons = reasons_of(found)
    if reasons:
        return INEXACT, "; ".join(f"{count} of {len(found)}: {reason}"
                                  for reason, count in reasons.most_common())
    patterns = collections.Counter(each["pattern"] for each in usable)
    if relation["pattern"] in patterns:
        return AGREES, ""
    return DIFFERS, ", ".join(f"{count} {name}"
                              for name, count in patterns.most_common())


def unlisted(relations, recorded):
    """(line, whether all are implied) for what was computed and is not by hand,
    by kernels and distance."""
    known = {key_of(each) for each in relations}
    groups = collections.defaultdict(list)
    for pair, each in recorded.relations.items():
        if recorded.key(*pair) not in known:
            groups[recorded.key(*pair)].append(each)
    for key, group in sorted(groups.items()):
        implied = sum(each["implied"] for each in group)
        patterns = sorted({each["pattern"] for each in group})
        hazards = sorted({word for each in group
                          for word in each["hazards"].split("+")})
        line = (f"{key[0]} -> {key[1]} ({key[2]}): {len(group)}, {implied} implied, "
                f"{' '.join(hazards)}, {' '.join(patterns)}")
        reasons = reasons_of(group)
        yield (line + (f", not exact: {'; '.join(reasons)}" if reasons else ""),
               implied == len(group))


def compared(program, recorded):
    """What there is to tell of one program, as plain data."""
    judged = [(each, *judge(each, recorded)) for each in program.relations]
    besides = list(unlisted(program.relations, recorded))
    return {
        "program": program.name,
        "verdicts": {word: sum(verdict == word for _, verdict, _ in judged)
                     for word in VERDICTS},
        "relations": [{**each, "verdict": verdict, "detail": detail}
                      for each, verdict, detail in judged],
        "besides": [line for line, implied in besides if not implied],
        "besides_implied": sum(implied for _, implied in besides),
        "computed": len(recorded.relations),
        "exact": sum(each["exact"] for each in recorded.relations.values()),
    }


def text_of(result):
    counts = result["verdicts"]
    lines = [f"{'BAD' if counts[MISSING] else 'ok '}  {result['program']}: "
             + ", ".join(f"{count} {word}" for word, count in counts.items() if count)
             + f"; of {result['computed']} computed {result['exact']} exact"]
    for each in result["relations"]:
        if each["verdict"] == AGREES:
            continue
        lines.append(f"    {each['verdict']:8} {each['producer']} -> {each['consumer']} "
                     f"({each['distance']}) {each['hazards']} {each['pattern']}"
                     + (f": {each['detail']}" if each["detail"] else ""))
    lines += [f"    besides  {line}" for line in result["besides"]]
    if result["besides_implied"]:
        lines.append(f"    besides  {result['besides_implied']} kinds that others imply")
    return "\n".join(lines)


def summary_of(results):
    total = collections.Counter()
    for each in results:
        total.update(each["verdicts"])
    return (f"{len(results)} programs, {sum(total.values())} relations: "
            + ", ".join(f"{total[word]} {word}" for word in VERDICTS))


def load(launches, graph):
    """Recorded, of bm-dump's two JSON texts; None where one is none."""
    try:
        return Recorded(json.loads(launches), json.loads(graph))
    except (ValueError, KeyError):
        return None
