# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recordings of the programs, from the machine that has the GPU to the one that
has bm-sim: few files of bounded size, each a tar of recordings (packed with xz, or
gzip where Python has no xz) and, beside each, the line of its run. And the
bound that bm-sim finds in one."""

import gzip
import io
import json
import struct
import subprocess
import tarfile
import zlib

try:
    import lzma
except ImportError:
    lzma = None

PACKS = 4
MOST_BYTES = 16 << 20  # Of a pack.
HEADERS = 64 << 10     # Of which tar takes no more than these.
XZ, GZIP, LINE = ".bmrec.xz", ".bmrec.gz", ".json"


def unpacked(recording):
    """The same recording with its chunks as they are before they are compressed, each by itself
    (docs/recording.md): xz makes of them all two thirds of what they were."""
    out, at = [recording[:8]], 8
    while at < len(recording):
        kind, stored, size = struct.unpack_from("<3I", recording, at)
        body = recording[at + 20:at + 20 + stored]
        body = body if stored == size else zlib.decompress(body)
        head = struct.pack("<4I", kind, size, size, zlib.crc32(body))
        out += [head, struct.pack("<I", zlib.crc32(head)), body]
        at += 20 + stored
    return b"".join(out)


def packed(line, recording):
    """A run's two files, by their names: its line and what was recorded."""
    name = f"{line['program']}.{line['case']}".replace(" ", "-")
    plain = unpacked(recording)
    return {**({name + XZ: lzma.compress(plain, preset=4)} if lzma else
               {name + GZIP: gzip.compress(plain)}),
            name + LINE: json.dumps(line).encode()}


def size_of(files):
    """Bytes in a tar, where each file has a header and whole blocks."""
    return sum(512 + -(-len(each) // 512) * 512 for each in files.values())


def distribute(runs, most):
    """Puts the files of runs into packs of at most so many bytes, the smallest first, so that
    most find room; those that fit nowhere come back too."""
    bins, left_out = [{} for _ in range(PACKS)], []
    for files in sorted(runs, key=size_of):
        room = next((each for each in bins if size_of(each) + size_of(files) <= most), None)
        if room is None:
            left_out.append(files)
        else:
            room.update(files)
    return [each for each in bins if each], left_out


def write(folder, runs, most=MOST_BYTES):
    """Writes the packs; says which runs found no room, with their bytes."""
    packs, left_out = distribute(runs, most - HEADERS)
    for number, files in enumerate(packs):
        with tarfile.open(folder / f"recordings-{number}.tar", "w") as tar:
            for name in sorted(files):
                member = tarfile.TarInfo(name)
                member.size = len(files[name])
                tar.addfile(member, io.BytesIO(files[name]))
    return [f"{[*files][-1].removesuffix(LINE)}: {size_of(files)} bytes" for files in left_out]


def recorded(tar, name):
    """A recording of a pack."""
    if name + XZ in tar.getnames():
        return lzma.decompress(tar.extractfile(name + XZ).read())
    return gzip.decompress(tar.extractfile(name + GZIP).read())


def read(folder):
    """Every run of the packs in a folder: its line and what was recorded."""
    for path in sorted(folder.glob("recordings-*.tar")):
        with tarfile.open(path) as tar:
            for name in sorted(tar.getnames()):
                if name.endswith(LINE):
                    yield json.load(tar.extractfile(name)), recorded(tar, name.removesuffix(LINE))


def bound(bm_sim, recording, line, machine):
    """What bm-sim finds for the timed run, the last one of a recording, or a text of what
    failed."""
    command = [bm_sim, recording, f"--launches=-{line['launches']}..", "--durations=events",
               f"--machine={machine}", "--scheduler=baseline", "--json"]
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    if done.returncode:
        return done.stderr.strip().replace(str(recording), "the recording")
    found = json.loads(done.stdout)
    least, most = line["blocks"]
    if found["truncated"] or not least <= found["blocks"] <= most:
        return (f"its last {line['launches']} launches have {found['blocks']} blocks, and those "
                f"of the timed run {least} to {most}")
    return {"us": [found["bound_us"]], "critical_path_us": found["critical_path_us"],
            "area_us": found["area_us"]}
