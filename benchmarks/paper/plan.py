# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is recorded and simulated for docs/paper.md: the programs of each part of
the page, and the experiments that are made with each of them. Data only."""

import dataclasses

QUEUES = "baseline,ideal,prelaunch,producer,consumer2,consumer3,consumer4"
WINDOWS = "baseline,ideal,acs-sw16,acs-sw,acs-hw16,acs-hw"
FEW = "baseline,prelaunch,producer,consumer3,consumer4"
WORKLOADS = (32, 64, 128, 256, 512, 1024, 2048)


@dataclasses.dataclass(frozen=True)
class Experiment:
    """One run of bm-sim: the page finds its numbers by the name."""
    name: str
    schedulers: str = FEW
    settings: tuple = ()        # Of the machine, KEY=VALUE.
    durations: str = "shared"
    copies: bool = False        # Whether what is around the launches is simulated.
    window: str = ""            # Another than that of the part.
    detailed: bool = False      # Whether more than times is kept.


@dataclasses.dataclass(frozen=True)
class Part:
    """Programs that are recorded and simulated alike."""
    name: str
    machine: str
    window: str                 # BLOCKMAESTRO_WINDOW.
    programs: dict              # Name: cases.
    experiments: tuple


PAPER = ("paper",)
# Smaller ones than the suites', so that launches leave places of the machine free.
SMALLER = {
    "3mm": {f"n{n}": dict.fromkeys(("ni", "nj", "nk", "nl", "nm"), n) for n in (64, 128, 256)},
    "bicg": {f"rows{n}": {"rows": n, "columns": 4096} for n in (64, 256, 1024)},
    "fdtd2d": {f"n{n}": {"rows": n, "columns": n, "steps": 8} for n in (128, 256, 512, 1024)},
}
# What the model leaves out: that blocks of a launch differ, and that caches give most sectors.
SPREAD = ("block_spread_percent=50",)
CACHES = ("memory_bytes_per_cycle=2712",)


def times_the_machine(factor):
    """So many times the SMs, with as much memory bandwidth for each."""
    return (f"sms={int(28 * factor)}", f"memory_bytes_per_cycle={int(339 * factor)}")


ENTRIES = (896, 448, 224, 112, 56)  # Of buffers that stall.


def stalling(lists, counters):
    return (f"dependency_list_entries={lists}", f"parent_counter_entries={counters}",
            "full_buffers_stall=1")


QUEUE_EXPERIMENTS = (
    Experiment("paper", QUEUES, detailed=True),
    Experiment("no-overhead", QUEUES, ("launch_overhead_ns=0",)),
    *(Experiment(f"overhead-{us}us", settings=(f"launch_overhead_ns={us}000",))
      for us in (10, 20, 50, 100)),
    Experiment("one-at-a-time", settings=("launches_at_once=1",)),
    Experiment("alone", QUEUES, durations="model"),
    Experiment("spread", QUEUES, SPREAD),
    Experiment("caches", QUEUES, CACHES),
    Experiment("spread-caches", QUEUES, SPREAD + CACHES),
    Experiment("fine-grain-alone", settings=SPREAD + CACHES + ("launch_overhead_ns=0",)),
    Experiment("half-machine", settings=times_the_machine(0.5)),
    Experiment("eight-machines", settings=times_the_machine(8)),
    Experiment("wide-counters", settings=("parent_counter_bits=16",)),
    Experiment("copies", "baseline,prelaunch,prelaunch+reorder,producer,producer+reorder",
               copies=True),
    Experiment("raw-only", "baseline,prelaunch,producer", window="paper"),
    Experiment("closed-forms", "producer", ("closed_forms_decode=1",), detailed=True),
    *(Experiment(f"stall-{entries}", "producer", stalling(entries, entries), detailed=True)
      for entries in ENTRIES),
    *(Experiment(f"stall-lists-{entries}", "producer", stalling(entries, 1000000), detailed=True)
      for entries in ENTRIES),
)
WAVES = "cdp,producer,consumer4,wireframe"
UPDATES = (4, 8, 16, 32, 64)
WAVE_EXPERIMENTS = (
    Experiment("paper", QUEUES + ",cdp,wireframe"),
    Experiment("spread", WAVES, SPREAD),
    Experiment("one-block-an-sm", WAVES, ("blocks_per_sm=1",)),
    Experiment("cdp-20us", WAVES, ("device_launch_ns=20000",)),
    *(Experiment(f"uniform-{us}us", WAVES, durations=f"uniform:{int(1000 * us)}")
      for us in (0.5, 1, 2, 5, 20, 50, 100)),
    Experiment("100us-one-block-an-sm", WAVES, ("blocks_per_sm=1",), "uniform:100000"),
    *(Experiment(f"updates-{entries}", "cdp,wireframe",
                 SPREAD + (f"pending_update_entries={entries}",)) for entries in UPDATES),
)
WINDOW_EXPERIMENTS = (
    Experiment("paper", WINDOWS, detailed=True),
    Experiment("no-overhead", WINDOWS, ("launch_overhead_ns=0",)),
    Experiment("graph", "baseline,acs-hw64",
               ("launch_overhead_ns=1060", "dependency_check_ns=0"), window="64"),
    Experiment("no-overhead-no-check", "baseline,acs-sw,acs-hw",
               ("launch_overhead_ns=0", "dependency_check_ns=0")),
    Experiment("no-sync", "baseline,acs-sw", ("stream_sync_ns=0",)),
)

PARTS = (
    Part("queues", "titanx-pascal", "8",
         dict.fromkeys(("3mm", "alexnet", "bicg", "fdtd2d", "fft", "gaussian", "gramschm",
                        "hotspot", "lud", "mvt", "nw", "pathfinder"), PAPER),
         QUEUE_EXPERIMENTS),
    Part("sizes", "titanx-pascal", "8",
         {name: tuple(sizes) for name, sizes in SMALLER.items()},
         (Experiment("paper", QUEUES),)),
    Part("degrees", "titanx-pascal", "8",
         {"vectoradd": tuple(f"{blocks}-by-{2 ** power}" for blocks in WORKLOADS
                             for power in range(12) if 2 ** power <= blocks)},
         (Experiment("paper", "baseline,ideal,prelaunch,producer"),
          Experiment("alone", "baseline,prelaunch,producer", durations="model"),
          Experiment("alone-wide-counters", "baseline,producer", ("parent_counter_bits=16",),
                     "model"),
          Experiment("spread-caches", "baseline,prelaunch,producer", SPREAD + CACHES))),
    Part("waves", "titanx-pascal", "8",
         dict.fromkeys(("dtw", "heat2d", "integral-histogram", "smith-waterman", "sor",
                        "summed-area-table"), PAPER),
         WAVE_EXPERIMENTS),
    Part("windows", "rtx3070", "32",
         dict.fromkeys(("physics", "dynamic-cnn", "random-cnn"), PAPER),
         WINDOW_EXPERIMENTS),
)


OWN_CASES = ("sizes", "degrees")  # Parts that are about their cases.


def programs():
    """Every program of the page."""
    return list(dict.fromkeys(name for part in PARTS for name in part.programs))


def sizes(name, case):
    """Those of a case that is not in the program's cases.json, or None."""
    return SMALLER.get(name, {}).get(case)
