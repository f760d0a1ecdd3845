# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m blockmaestro sweep FILE.toml`, which is `bm-sim --sweep FILE.toml`."""

from __future__ import annotations

import sys

from . import _core
from .sweep_file import run_file

_USAGE = "usage: python -m blockmaestro sweep FILE.toml"


def main() -> int:
    """The exit code: 1, and one line on standard error, where something is wrong."""
    arguments = sys.argv[1:]
    if arguments in (["--help"], ["-h"]):
        print(_USAGE)
        return 0
    if len(arguments) != 2 or arguments[0] != "sweep":
        print(_USAGE, file=sys.stderr)
        return 1
    try:
        folder, rows = run_file(arguments[1])
    except _core.Error as wrong:
        print(f"blockmaestro: error: {wrong}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("blockmaestro: error: stopped; the same command goes on where it was", file=sys.stderr)
        return 1
    print(f"{rows.count_rows()} rows in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
