# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package is typed, and says what it takes."""

import pathlib
import subprocess
import sys

import blockmaestro
import pytest
from conftest import TREE


def test_the_package_is_typed():
    folder = pathlib.Path(blockmaestro.__file__).parent
    assert (folder / "py.typed").exists()
    run = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir=/dev/null", f"--config-file={TREE}/python/pyproject.toml",
                          TREE / "python/package/blockmaestro"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("module, use, message", [
    ("pandas", "read(path).pandas('launches')", "frames need Pandas: pip install 'blockmaestro[pandas]'"),
    ("polars", "read(path).polars('launches')", "frames need Polars: pip install 'blockmaestro[polars]'"),
    ("altair", "charts.speedups(blockmaestro.simulate(path))", "charts need Altair: pip install 'blockmaestro[charts]'"),
    ("ray", "sweep(path, 'h100', folder=folder)",
     "a sweep needs Ray: pip install 'blockmaestro[ray]'; or say workers=0"),
])
@pytest.mark.parametrize("is_folder", [False, True])
def test_what_is_optional_is_named_where_it_is_not_there(recordings, tmp_path, module, use, message, is_folder):
    hidden = f"types.ModuleType({module!r})" if is_folder else "None"
    script = f"""
import sys, types
import blockmaestro
from blockmaestro import *
sys.modules[{module!r}] = {hidden}
path, folder = {str(recordings[0])!r}, {str(tmp_path / "sweep")!r}
try:
    {use}
except blockmaestro.Error as wrong:
    print(wrong)"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == (message + "\n", "")


def test_every_table_and_column_is_on_the_page(recordings):
    page = (TREE / "docs/python.md").read_text()
    recording = blockmaestro.read(recordings[0])
    for name in blockmaestro.TABLES:
        assert f"`{name}`" in page
        if name not in ("blocks", "pieces"):
            assert [column for column in recording.table(name).column_names
                    if f"`{column}`" not in page and not column.endswith("_y")] == []
