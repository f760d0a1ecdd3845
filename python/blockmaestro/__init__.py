# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recordings of BlockMaestro as Arrow tables, its simulator in process, and sweeps of it.

    recording = blockmaestro.read("app.bmrec")
    recording.table("relations")                      # a pyarrow.Table
    recording.pandas("launches"), recording.polars("launches")
    blockmaestro.simulate(recording, {"sms": 40}, ["producer3"])
    blockmaestro.sweep([...], machines, schedulers, folder="sweep")

docs/python.md of the tree has all tables and their columns.
"""

from ._core import Error
from .footprints import accesses
from .machines import Machine, machine, machine_grid, machine_names, machine_numbers
from .recording import TABLES, Recording, read
from .simulation import Simulation, scheduler_names, simulate
from .sweeping import Progress, sweep

__all__ = [
    "TABLES", "Error", "Machine", "Progress", "Recording", "Simulation", "accesses", "machine", "machine_grid",
    "machine_names", "machine_numbers", "read", "scheduler_names", "simulate", "sweep",
]
__version__ = "0.1.0"
