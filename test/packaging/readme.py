#!/usr/bin/env python3
# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands (lines behind "$ ") of a page's first fenced block that has
any, and shows where what they print is not what the page says.

usage: readme.py PAGE FOLDER    the commands run in FOLDER, which has their files
"""

import difflib
import re
import subprocess
import sys

FENCE = re.compile(r"^```\n(\$ .*?)^```", re.M | re.S)


def example(page):
    with open(page) as text:
        return FENCE.search(text.read()).group(1)


def run(block, folder):
    said = []
    for line in block.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line[2:]], cwd=folder, stdout=subprocess.PIPE, text=True
            )
            said.append(line + "\n" + done.stdout)
    return "".join(said)


def main(page, folder):
    block = example(page)
    now = run(block, folder)
    print(f"{block.count('$ ')} commands")
    sys.stdout.writelines(
        difflib.unified_diff(
            block.splitlines(True), now.splitlines(True), "the page says", "they print"
        )
    )
    return 0 if now == block else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
