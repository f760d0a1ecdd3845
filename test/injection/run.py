#!/usr/bin/env python3
# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets every allocation and thread creation of the runtime fail, one at a time.

run.py LIBRARY PROGRAM [WORD]...

The program runs once as it is, and Inject.cpp writes down every place that
asks for memory or a thread. Then it runs once for each place, which fails the
first time it asks. Each run must end with status 0 and `ok`, or with 3, which
says that CUDA reported an error and the same call again failed too. Only the
places that were never asked in a run (the other thread was faster) are
skipped, and counted.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 60
REPORTED = 3


def run(command, folder, settings):
    """(status, text) of a run; the status of one that hangs is text."""
    environment = dict(os.environ, **settings)
    try:
        done = subprocess.run(command, cwd=folder, env=environment, text=True,
                              timeout=SECONDS, capture_output=True,
                              errors="replace")
    except subprocess.TimeoutExpired:
        return "hangs", ""
    return done.returncode, done.stdout + done.stderr


def places(library, command, folder, cache):
    """{hash: (kind, frames)} of the places that the program's run asks at."""
    log = folder / "log"
    status, text = run(command, folder, dict(
        cache, LD_PRELOAD=library, INJECT_LOG=str(log)))
    if status != 0:
        sys.exit(f"without a failure: status {status}\n{text}")
    rows = (line.split() for line in log.read_text().splitlines())
    return {row[0]: (row[1], row[2:]) for row in rows}


def attempt(library, command, folder, cache, place):
    """'ok', 'reported', 'not reached' or what went wrong."""
    hit = folder / f"hit-{place}"
    status, text = run(command, folder, dict(
        cache, LD_PRELOAD=library, INJECT_AT=place, INJECT_HIT=str(hit)))
    if not hit.exists():
        return "not reached" if status == 0 else f"status {status}: {text}"
    if status == 0 and text.splitlines()[-1:] == ["ok"]:
        return "ok"
    if status == REPORTED and "cuda" in text:
        return "reported"
    return f"status {status}: {text}"


def functions(frames):
    """The names behind file+offset, where they can be had."""
    names = []
    for frame in frames[:8]:
        file, offset = frame.rsplit("+", 1)
        path = pathlib.Path(LIBRARIES) / file
        done = subprocess.run(["llvm-symbolizer-22", "-f", "-C", "-e", path,
                               hex(int(offset, 16) - 1)], text=True,
                              capture_output=True)
        names.append((done.stdout.splitlines() or [frame])[0])
    return names


def main():
    library, *command = sys.argv[1:]
    counts = {"ok": 0, "reported": 0, "not reached": 0}
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cache = {"BLOCKMAESTRO_CACHE": str(folder / "cache")}
        run(command, folder, cache)
        found = places(library, command, folder, cache)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = pool.map(lambda place: attempt(
                library, command, folder, cache, place), found)
            for place, outcome in zip(found, outcomes):
                if outcome in counts:
                    counts[outcome] += 1
                    continue
                bad += 1
                kind, frames = found[place]
                print(f"BAD {place} {kind} {outcome}\n  in "
                      + "\n     ".join(functions(frames)))
    print(f"{len(found)} places: " + ", ".join(
        f"{count} {what}" for what, count in counts.items()) + f", {bad} bad")
    return 1 if bad else 0


LIBRARIES = os.environ.get("BLOCKMAESTRO_LIBRARIES", ".")
if __name__ == "__main__":
    sys.exit(main())
