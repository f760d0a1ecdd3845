# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the Python package share: recordings made of a few lines, and what the tools say of them."""

import json
import pathlib
import random
import subprocess

import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]


def made(lines, path):
    """A recording of such lines as bm-make-recording takes."""
    text = path.with_suffix(".txt")
    text.write_text("\n".join(lines) + "\n")
    subprocess.run(["bm-make-recording", text, path], check=True)
    return path


def said(*command):
    """What a tool prints as JSON."""
    return json.loads(subprocess.run([*map(str, command), "--json"], check=True, capture_output=True).stdout)


def random_lines(seed):
    """Launches, copies, barriers and relations of every kind, the same for the same seed."""
    roll = random.Random(seed)
    lines = [f"run program{seed} 4"]
    grids = []
    for launch in range(roll.randint(3, 25)):
        grid = roll.choice([(roll.randint(1, 40), 1, 1), (roll.randint(1, 8), roll.randint(1, 6), 1)])
        lines += [f"cost {' '.join(str(roll.randint(1, 90)) for _ in range(6))} {roll.randint(1, 5000)}",
                  f"registers {roll.randint(16, 64)}", f"host {roll.randint(0, 900)}",
                  f"launch {roll.choice('abc')}<int> {grid[0]} {grid[1]} {grid[2]} 64 1 1 {roll.randint(0, 4096)}"]
        if roll.random() < 0.3:
            lines.append(f"degraded reason {roll.randint(1, 3)}, of a kind")
        for producer in range(max(0, launch - 4), launch):
            lines += random_needs(roll, producer, grids[producer])
        grids.append(grid)
        if roll.random() < 0.2:
            lines += ["places device pageable", f"copy cudaMemcpy {roll.randint(1, 9999)} 1 4096 64 0",
                      f"needs {launch} 1 full the copy reads it"]
        if roll.random() < 0.1:
            lines.append("barrier cudaDeviceSynchronize")
    return lines


def random_needs(roll, producer, before):
    """One relation or none."""
    kind = roll.randint(0, 4)
    if kind == 0:
        return [f"needs {producer} 1 full it is not known"]
    if kind == 1:
        return [f"needs {producer} {roll.randint(1, 7)} delta {-roll.randint(0, 2)} {roll.randint(0, 2)} 0 0"]
    if kind == 2 and before[0] * before[1] > 3:
        return [f"needs {producer} 2 list 0 0 1 0 3 3"]
    return []


@pytest.fixture(scope="session")
def recordings(tmp_path_factory):
    """Forty of them."""
    folder = tmp_path_factory.mktemp("recordings")
    return [made(random_lines(seed), folder / f"{seed}.bmrec") for seed in range(40)]
