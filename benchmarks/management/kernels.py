# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is recorded and simulated for docs/management.md: the eight kernels with their
sizes, the pairs and larger sets, the policies, and the experiments. Data only.

The paper names its kernels and gives no sizes. Here a kernel is one launch, the first of its
program, at a size at which it takes 65,000 to 120,000 cycles alone: kernels of a pair must be
about as long for one to run beside the other. BKP's is its suite's. HST is four times BLK, the
one relation that the paper states (section 5.1), and so four times its suite's."""

import dataclasses
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
PUBLISHED = json.loads((HERE / "published.json").read_text())
MACHINE = "gtx480"


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel of the paper's Table III and the program here that has one like it."""
    short: str
    program: str
    sizes: dict     # Options of the program, by the name of a size.
    differs: str    # From the kernel that the paper names.


def of(short, program, differs, tiny, usual, **more):
    return Kernel(short, program, {"tiny": tiny, "usual": usual, **more}, differs)


KERNELS = (
    of("BKP", "backprop", "tiles of 16 inputs by 16 units, as the paper's",
       {"n": 1000, "samples": 1}, {"n": 65536, "samples": 1},
       larger={"n": 262144, "samples": 1}),
    of("HST", "histogram",
       "counts of a block in shared memory, as Parboil's; the paper's is another histogram",
       {"n": 20000, "bins": 500, "limit": 60, "images": 1},
       {"n": 4143360, "bins": 4096, "limit": 255, "images": 1},
       larger={"n": 16573440, "bins": 4096, "limit": 255, "images": 1},
       equal={"n": 1035840, "bins": 4096, "limit": 255, "images": 1}),
    of("SRD", "image-extract", "blocks of 256 threads, the paper's of 512",
       {"columns": 75, "rows": 52, "iterations": 1},
       {"columns": 800, "rows": 800, "iterations": 1},
       larger={"columns": 1600, "rows": 1600, "iterations": 1}),
    of("SPM", "jds-spmv", "blocks of 128 threads, the paper's of 192",
       {"n": 1500, "most": 12, "steps": 1}, {"n": 23896, "most": 24, "steps": 1},
       larger={"n": 95584, "most": 24, "steps": 1}),
    of("BLK", "black-scholes", "blocks of 256 threads, the paper's of 128",
       {"n": 5000, "rounds": 1}, {"n": 120000, "rounds": 1},
       larger={"n": 480000, "rounds": 1}),
    of("LBM", "lbm",
       "fetches and collides at once, so that it needs 61 registers; the paper's only streams",
       {"x": 37, "y": 11, "z": 5, "steps": 1}, {"x": 64, "y": 64, "z": 10, "steps": 1},
       larger={"x": 64, "y": 64, "z": 40, "steps": 1}),
    of("KMS", "striding-inversion",
       "a thread walks through the features of its point, as the paper's; kmeans here turns tiles "
       "around",
       {"n": 3000, "features": 34}, {"n": 14000, "features": 34},
       larger={"n": 56000, "features": 34}),
    of("STC", "streamcluster",
       "the candidate in shared memory, blocks of 256 threads; the paper's of 512",
       {"n": 1500, "dimensions": 20, "candidates": 1},
       {"n": 65536, "dimensions": 32, "candidates": 1},
       larger={"n": 262144, "dimensions": 32, "candidates": 1}),
)
# The inversion of kmeans here, for an experiment.
TILED = of("KMS", "kmeans", "turns tiles around in shared memory",
           {"n": 3000, "features": 34, "clusters": 5, "iterations": 1},
           {"n": 14000, "features": 34, "clusters": 5, "iterations": 1})
OWN = ("striding-inversion",)   # Programs that are in this folder.
LAUNCH = "0..0"     # Of each recording.

PAIRS = tuple(tuple(names.split()) for names in PUBLISHED["pairs"])


def windows(count, every):
    """Sets of so many kernels: those of Table III by threes, from every so many on."""
    order = [KERNELS[3 * number % 8].short for number in range(8)]
    return tuple(tuple(order[(first + each) % 8] for each in range(count))
                 for first in range(0, 8, every))


# As many of four and of five kernels as the paper has; it does not say which.
SETS = (*windows(3, 1), *windows(4, 2), *windows(5, 4))

MODULATED = ("static", "static:shared", "dynamic", "bypass", "bypass:guarded")
POLICIES = ("sequential", "leftover", "coarse:even", "coarse:smc", *MODULATED, "best",
            "best:bypass")
OF_SETS = ("sequential", "leftover", "coarse:even", *MODULATED)
QUICK = ("leftover", "coarse:even", *MODULATED)
SEARCHED = (*QUICK, "best")
MOTIVATION = ("BKP", "KMS")     # The pair of Figure 2, at most six blocks, and its best setting.
MOST_BLOCKS, BEST_SETTING = 6, (5, 1)


@dataclasses.dataclass(frozen=True)
class Experiment:
    """The same pairs where one thing is other than in the paper's machine."""
    name: str
    about: str
    settings: tuple = ()    # Of the machine, KEY=VALUE.
    scheduler: str = "gto"
    sizes: dict = dataclasses.field(default_factory=dict)   # By kernel; "" is all others.
    tiled: bool = False     # Whether KMS is TILED.
    only: str = ""          # Pairs with this kernel alone; no others have changed.
    policies: tuple = SEARCHED


TABLE_II = Experiment("paper", "the machine of the paper's Table II")
EXPERIMENTS = (
    Experiment("tiles", "KMS turns tiles around, as kmeans here", tiled=True, only="KMS"),
    Experiment("equal", "HST is as long as the others", sizes={"HST": "equal"},
               only="HST"),
    Experiment("l1-48k", "L1 has 48 KB", settings=("l1_sets=96",)),
    Experiment("misses-128", "L1 has room for 128 misses under way, not 32",
               settings=("l1_misses=128",)),
    Experiment("channels-12", "memory has twice the channels",
               settings=("dram_channels=12",)),
    Experiment("lrr", "warps issue in turn", scheduler="lrr"),
    Experiment("larger", "all kernels have four times the blocks", sizes={"": "larger"},
               policies=QUICK),
)


def kernel(short, experiment=TABLE_II):
    if experiment.tiled and short == TILED.short:
        return TILED
    return next(each for each in KERNELS if each.short == short)


def size_name(short, experiment, usual="usual"):
    return experiment.sizes.get(short, experiment.sizes.get("", usual))
