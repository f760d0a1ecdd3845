#!/usr/bin/env python3
# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns lit's result file into the closing line; fails when a test failed or none ran.

usage: summary.py RESULTS.json EXTRA_PASSES EXTRA_FAILURES
"""

import json
import sys

GOOD = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main(path, passes, failures):
    with open(path) as results:
        codes = [test["code"] for test in json.load(results)["tests"]]
    skipped = sum(code in SKIPPED for code in codes)
    good = sum(code in GOOD for code in codes)
    bad = len(codes) - good - skipped
    if good == 0:
        print("no test ran", file=sys.stderr)
        bad += 1
    note = f", {skipped} skipped" if skipped else ""
    print(f"{good + passes} passed, {bad + failures} failed{note}")
    return 1 if bad + failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
