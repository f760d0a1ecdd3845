# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What management.test asks of the lines of a campaign:

  same LINES PAGE    whether the page's numbers are those of its lines, computed once more
  cut FILE           leaves the lines of profiles, as if it had been stopped behind them
  equal A B          whether two have the same lines, but for times
"""

import json
import sys

POLICIES = ("sequential", "coarse:even", "coarse:smc", "static", "static:shared", "dynamic",
            "bypass", "bypass:guarded", "best", "best:bypass")


def read(file):
    return [json.loads(text) for text in open(file)]


def row(page, section, name):
    """The cells of a row below a heading."""
    text = page[page.index(section):]
    line = next(each for each in text.splitlines() if each.startswith(f"| {name} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def require(found, expected):
    if found != expected:
        sys.exit(f"{found}, measured {expected}")


def same(lines, page):
    lines, page = read(lines), open(page).read()
    runs = {each["policy"]: each for each in lines if each.get("set") == ["BKP", "KMS"]}
    base = runs["leftover"]["cycles"]
    require(row(page, "### Figures 11", "BKP KMS")[:len(POLICIES)],
            [f"{base / runs[each]['cycles']:.2f}" for each in POLICIES])
    profiles = [each for each in lines if each.get("policy") == ""]
    for each in profiles:
        points = [f"{point['throughput']:.2f}" for point in each["points"]]
        cells = row(page, "### Figures 5", each["set"][0])
        require([cell.split(",")[0] for cell in cells if cell], points)
    print(f"{len(runs)} speed-ups of BKP KMS, {len(profiles)} profiles: the same")


def cut(file):
    kept = [each for each in read(file) if not each.get("policy")]
    open(file, "w").write("".join(json.dumps(each) + "\n" for each in kept) + '{"set": ["BK')


def untimed(file):
    return [{key: value for key, value in each.items() if key != "seconds"}
            for each in read(file) if "commit" not in each]


def equal(one, other):
    require(untimed(one), untimed(other))


{"same": same, "cut": cut, "equal": equal}[sys.argv[1]](*sys.argv[2:])
