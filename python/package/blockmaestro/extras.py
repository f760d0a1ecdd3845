# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages that are optional."""

import importlib
from typing import Any

from . import _core


def extra(module: str, what: str, otherwise: str = "") -> Any:
    """A module of an extra of this package; where it is not there, what needs it is named."""
    try:
        out = importlib.import_module(module)
    except ImportError:
        out = None
    # A folder of that name is taken for a package, too, and has no file.
    if getattr(out, "__file__", None) is None:
        name = {"altair": "charts"}.get(module, module)
        raise _core.Error(f"{what} {module.capitalize()}: pip install 'blockmaestro[{name}]'{otherwise}")
    return out
