# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The accesses of a program are bm-dump's."""

import shutil
import subprocess

import blockmaestro
import pytest
from conftest import TREE, said

SOURCE = """
__global__ void scale(float *To, const float *From, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    To[I] = From[I] * 2;
}
"""


@pytest.mark.skipif(not shutil.which("bmclang++"), reason="the compiler is not built")
def test_a_row_is_an_access(tmp_path):
    (tmp_path / "scale.cu").write_text(SOURCE)
    program = tmp_path / "scale.o"
    subprocess.run(["bmclang++", "-fblockmaestro", "-O2", "-c", tmp_path / "scale.cu", "-o", program], check=True)
    (kernel,) = said("bm-dump", "footprints", program)["kernels"]
    rows = blockmaestro.accesses(program).to_pylist()
    assert len(rows) == 2
    for row, access in zip(rows, kernel["accesses"]):
        assert row["kernel"] == kernel["name"] and row["source"] == kernel["source"]
        assert {key: row[key] for key in access if key != "location"} == {
            key: value for key, value in access.items() if key != "location"}


def test_what_is_no_program_is_one_line():
    with pytest.raises(blockmaestro.Error, match="^bm-dump: error: .*README.md"):
        blockmaestro.accesses(TREE / "README.md")


def test_where_bm_dump_is_not_there_it_says_so():
    with pytest.raises(blockmaestro.Error, match="^no-such-dump is not there; "):
        blockmaestro.accesses("any", bm_dump="no-such-dump")
