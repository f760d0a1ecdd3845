# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: each-cut.py BM_DUMP GOOD_FILE

Cuts GOOD_FILE off at forty places and changes a byte at each of them.
bm-dump must either show a whole record or say one error line, exit with 1 and
show nothing."""

import subprocess
import sys

CASES = 40


def complaint(tool, data, is_cut):
    with open("damaged", "wb") as file:
        file.write(data)
    done = subprocess.run([tool, "footprints", "damaged"], capture_output=True, text=True)
    if done.returncode == 0 and not is_cut:
        return None if done.stdout.startswith("module ") and not done.stderr else "odd success"
    if done.returncode != 1:
        return f"exit code {done.returncode}"
    if done.stdout:
        return "output before an error"
    lines = done.stderr.splitlines()
    if len(lines) != 1 or not lines[0].startswith("bm-dump: error: 'damaged'"):
        return f"not one error line: {done.stderr!r}"
    return None


def main():
    tool, good = sys.argv[1:]
    whole = open(good, "rb").read()
    failures = 0
    for case in range(CASES):
        place = len(whole) * case // CASES
        changed = bytearray(whole)
        changed[place] ^= 1 + case
        for name, data, is_cut in (("cut", whole[:place], True), ("changed", changed, False)):
            why = complaint(tool, data, is_cut)
            if why:
                failures += 1
                print(f"{name} at {place}: {why}")
    print(f"{2 * CASES} damaged files, {failures} complaints")
    return 1 if failures else 0


sys.exit(main())
