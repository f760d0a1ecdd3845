# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notebook runs: it records a program, looks at it, sweeps 200 machines and plots."""

import shutil

import nbclient
import nbformat
import pytest
from conftest import TREE

NOTEBOOK = TREE / "python/notebooks/tour.ipynb"


def test_outputs_are_not_kept():
    for cell in nbformat.read(NOTEBOOK, 4).cells:
        assert cell.cell_type != "code" or (cell.outputs == [] and cell.execution_count is None)


@pytest.mark.skipif(not shutil.which("bmclang++"), reason="the compiler is not built")
def test_the_tour_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("TOUR_FOLDER", str(tmp_path))
    page = nbformat.read(NOTEBOOK, 4)
    nbclient.NotebookClient(page, timeout=170, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output.data for cell in page.cells if cell.cell_type == "code" for output in cell.outputs
               if output.output_type == "execute_result"]
    texts = [data.get("text/plain", "") for data in outputs]
    assert any("100 launches" in text and "6400 blocks" in text for text in texts), texts
    assert any("overlapped" in text and "RAW" in text for text in texts), texts
    assert "(200, 600)" in texts
    assert sum("vega" in data.get("text/html", "") for data in outputs) == 3
