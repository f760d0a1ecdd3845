# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package is typed, and says what it takes."""

import pathlib
import subprocess
import sys

import blockmaestro
from conftest import TREE


def test_the_package_is_typed():
    folder = pathlib.Path(blockmaestro.__file__).parent
    assert (folder / "py.typed").exists()
    run = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir=/dev/null", f"--config-file={TREE}/python/pyproject.toml",
                          TREE / "python/package/blockmaestro"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_every_table_and_column_is_on_the_page(recordings):
    page = (TREE / "docs/python.md").read_text()
    recording = blockmaestro.read(recordings[0])
    for name in blockmaestro.TABLES:
        assert f"`{name}`" in page
        if name not in ("blocks", "pieces"):
            assert [column for column in recording.table(name).column_names
                    if f"`{column}`" not in page and not column.endswith("_y")] == []
