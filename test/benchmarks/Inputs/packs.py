# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which recordings find room in which pack, that they come back as they were, and that a
recording that is not what its line says gives no bound."""

import pathlib
import random
import struct
import sys
import tempfile
import zlib

sys.path.insert(0, sys.argv[1])
import recordings

KIB = 1 << 10
MOST = 1024 * KIB
# Of random bytes, which xz makes no shorter.
SIZES = {"a": 500, "b": 700, "c": 300, "d": 1000}


def chunk(body, stored):
    head = struct.pack("<4I", 7, len(stored), len(body), zlib.crc32(stored))
    return head + struct.pack("<I", zlib.crc32(head)) + stored


def recording_of(name, packs):
    """A chunk of random bytes, and one that was compressed or not."""
    random.seed(name)
    noise, rest = random.randbytes(SIZES[name] * KIB), bytes(100)
    return b"BMR1...." + chunk(noise, noise) + chunk(rest, zlib.compress(rest) if packs else rest)


def pack_and_read(folder):
    lines = {name: {"program": name, "case": "tiny"} for name in SIZES}
    left_out = recordings.write(folder, [recordings.packed(line, recording_of(name, True))
                                         for name, line in lines.items()], MOST)
    packs = sorted(folder.iterdir())
    assert all(path.stat().st_size <= MOST for path in packs)
    found = list(recordings.read(folder))
    return left_out, packs, [(line, line == lines[line["program"]]
                              and data == recording_of(line["program"], False))
                             for line, data in found]


def wrong_lines(build):
    [(line, recording)] = recordings.read(build / "packs")
    path = build / "alone.bmrec"
    path.write_bytes(recording)
    for changed in ({"blocks": [1, 2]}, {"launches": 9}):
        print("hotspot: " + recordings.bound(build / "bin" / "bm-sim", path,
                                             {**line, **changed}, "h200"))


def came_back(back):
    return ", ".join(f"{line['program']} {same}" for line, same in sorted(
        back, key=lambda each: each[0]["program"]))


with tempfile.TemporaryDirectory() as scratch:
    left, made, back = pack_and_read(pathlib.Path(scratch))
    print(f"{len(made)} packs")
    print("\n".join(f"left out: {text}" for text in left))
    print(came_back(back))
with tempfile.TemporaryDirectory() as scratch:
    xz, recordings.lzma = recordings.lzma, None
    print("gzip: " + came_back(pack_and_read(pathlib.Path(scratch))[2]))
    recordings.lzma = xz
wrong_lines(pathlib.Path(sys.argv[2]))
