# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: sarif.py FILE

Holds a SARIF file against what the standard asks of the members that bm-dump writes, and prints
its results."""

import json
import sys
import urllib.parse


def keys(value, needed, allowed=()):
    assert set(needed) <= set(value) <= {*needed, *allowed}, sorted(value)


def location(value):
    keys(value, ("logicalLocations",), ("physicalLocation",))
    for logical in value["logicalLocations"]:
        keys(logical, ("fullyQualifiedName", "kind"))
    if "physicalLocation" not in value:
        return "", 0
    keys(value["physicalLocation"], ("artifactLocation",), ("region",))
    uri = value["physicalLocation"]["artifactLocation"]["uri"]
    assert urllib.parse.quote(urllib.parse.unquote(uri)) == uri, "no URI"
    region = value["physicalLocation"].get("region", {"startLine": 1})
    assert all(isinstance(number, int) and number >= 1 for number in region.values()), region
    return uri, region["startLine"]


with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)
keys(log, ("$schema", "version", "runs"))
(run,) = log["runs"]
keys(run, ("tool", "results"))
driver = run["tool"]["driver"]
keys(driver, ("name", "version", "rules"))
rules = [rule["id"] for rule in driver["rules"]]
assert len(set(rules)) == len(rules), "rules are not unique"
print(log["version"] + ", " + driver["name"] + ", rules", *rules)
for result in run["results"]:
    keys(result, ("ruleId", "ruleIndex", "level", "message", "locations", "properties"))
    assert rules[result["ruleIndex"]] == result["ruleId"], "not of its rule"
    assert result["level"] in ("none", "note", "warning", "error") and result["message"]["text"]
    (place,) = result["locations"]
    print(result["level"], result["ruleId"], *location(place))
