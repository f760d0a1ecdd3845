# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What sections of docs/paper.md are written with: tables, their cells, and what was
judged of a section's claims."""

import claims
from performance import ratio
from results import Missing


def table(head, rows):
    text = [f"| {' | '.join(map(str, row))} |" for row in (head, *rows)]
    return "\n".join([text[0], "|---" * len(head) + "|", *text[1:]]) + "\n"


def cell(compute, *arguments, show=ratio):
    """What it computes, or a dash where something was not measured or there is none."""
    try:
        value = compute(*arguments)
    except Missing:
        return "-"
    return "-" if value is None else show(value)


def judged(section, results):
    text = "\n"
    for claim in claims.of(section):
        found = claim.judged(results)
        cause = f": {found.cause}" if found.cause else ""
        text += (f"- *{claim.says}*: **{found.verdict}** (ours: {found.ours}){cause}.\n")
    return text
