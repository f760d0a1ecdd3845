# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what the warps of recordings come to against the costs of the same launches.

Usage: warps-costs.py BM-DUMP RECORDING...
All blocks are traced. What costs count access by access must be the same; of what they count by the lane that came most
often there may be more in traces, where lanes were in different iterations. Of arithmetic and branches traces have what a
GPU issues, which is less."""

import json
import subprocess
import sys

SAME = ["exchanges", "barriers", "global_reads", "global_writes", "global_atomics", "shared_reads", "shared_writes",
        "shared_atomics", "global_read_sectors", "global_write_sectors", "global_atomic_sectors", "shared_wavefronts"]
MORE = ["special", "private", "other"]


def dump(tool, command, recording):
    return json.loads(subprocess.run([tool, command, recording, "--json"], check=True, capture_output=True).stdout)


def differences(traced, launch):
    cost = launch["cost"]
    out = [f"{name} {traced[name]} instead of {cost[name]}" for name in SAME if traced[name] != cost[name]]
    return out + [f"{name} {traced[name]} less than {cost[name]}" for name in MORE if traced[name] < cost[name]]


def main():
    tool, *recordings = sys.argv[1:]
    for recording in recordings:
        launches = dump(tool, "recording", recording)["launches"]
        traces = dump(tool, "warps", recording)["launches"]
        wrong = [] if len(traces) == len(launches) else [f"{len(traces)} of {len(launches)} launches traced"]
        for traced in traces:
            launch = launches[traced["launch"]]
            if traced["traced"] != launch["events"]:
                wrong.append(f"{traced['traced']} of {launch['events']} blocks of launch {launch['launch']}")
            wrong += [f"{launch['kernel']}: {text}" for text in differences(traced, launch)]
        more = sum(t["branches"] for t in traces) / max(1, sum(l["cost"]["branches"] for l in launches))
        print(f"{recording.rsplit('/', 1)[-1]}: {len(traces)} launches, {sum(t['warps'] for t in traces)} warps, "
              f"{sum(t['instructions'] for t in traces)} instructions, branches {more:.3f} times")
        for line in sorted(set(wrong)):
            print(f"  wrong: {line}")


main()
