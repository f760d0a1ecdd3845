# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged recordings give one clear line, which is bm-dump's."""

import subprocess

import blockmaestro
import pytest


def message(path):
    with pytest.raises(blockmaestro.Error) as wrong:
        blockmaestro.read(path)
    assert "\n" not in str(wrong.value)
    return str(wrong.value)


def dumped(path):
    run = subprocess.run(["bm-dump", "recording", path], capture_output=True, text=True)
    assert run.returncode == 1
    return run.stderr.strip().removeprefix("bm-dump: error: ")


def test_no_file(tmp_path):
    assert message(tmp_path / "gone.bmrec") == f"{tmp_path}/gone.bmrec: No such file or directory"


def test_foreign_and_empty_files(tmp_path):
    for data in (b"", b"PK\3\4 not a recording at all"):
        (tmp_path / "foreign").write_bytes(data)
        assert message(tmp_path / "foreign") == f"{tmp_path}/foreign: not a recording"


def test_changed_bytes_anywhere(recordings, tmp_path):
    whole, path = recordings[3].read_bytes(), tmp_path / "changed.bmrec"
    for at in range(8, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1:])
        assert message(path) == dumped(path)


def test_a_file_that_is_cut_off_reads_up_to_there(recordings, tmp_path):
    path = tmp_path / "cut.bmrec"
    path.write_bytes(recordings[4].read_bytes()[:-5])
    recording = blockmaestro.read(path)
    assert recording.truncated
    assert recording.table("launches").num_rows == blockmaestro.read(recordings[4]).counts["launches"]
