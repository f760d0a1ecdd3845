# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the comment at the head of a program of this folder says, and the
commands that build it. README.md has the directives."""

import ctypes
import pathlib
import shlex

SUITE = pathlib.Path(__file__).resolve().parent
DIRECTIVES = ("Feature", "Flags", "Files", "Libraries", "Arguments",
              "Environment", "Expect-stdout", "Expect-stderr", "Exit",
              "Compile-error", "Emulated-only", "Long", "Needs")

# What a program may need that is not everywhere: a header of the toolkit, and
# libraries that the emulated device stands on.
NEEDS = {"cublas": ("cublas_v2.h", ("libopenblas.so.0",)),
         "cufft": ("cufftXt.h", ("libfftw3.so.3", "libfftw3f.so.3"))}


class Program:
    """One program: its name, group and sentence, and its directives."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        self.directives = {name: [] for name in DIRECTIVES}
        for name, text in head(self.path):
            self.directives[name].append(text)
        self.group, colon, self.sentence = (
            " ".join(self.directives["Feature"]).partition(": "))
        if not colon:
            raise ValueError(f"{path}: no '// Feature: GROUP: SENTENCE'")
        self.flags = self.words("Flags")
        self.files = [SUITE / word for word in self.words("Files")]
        self.libraries = [SUITE / word for word in self.words("Libraries")]
        self.arguments = self.words("Arguments")
        self.environment = dict(
            word.split("=", 1) for word in self.words("Environment"))
        self.output = self.directives["Expect-stdout"]
        self.errors = self.directives["Expect-stderr"]
        self.status = int((self.directives["Exit"] or ["0"])[-1])
        self.compile_errors = self.directives["Compile-error"]
        self.long = self.words("Long")
        self.needs = self.words("Needs")
        self.emulated_only = bool(self.compile_errors) or bool(self.directives["Emulated-only"])

    def lacks(self, cuda):
        """What this machine has not that the program needs, or None."""
        for need in self.needs:
            header, libraries = NEEDS[need]
            if not (pathlib.Path(cuda) / "include" / header).exists():
                return header
            for library in libraries:
                try:
                    ctypes.CDLL(library)
                except OSError:
                    return library
        return None

    def words(self, name):
        return [word for text in self.directives[name]
                for word in shlex.split(text)]

    def build(self, compiler, c_compiler, flags, link, folder, cuda):
        """The commands that make folder/NAME. `compiler` and `c_compiler` are
        lists of words, `link` what the end of a line that links needs, `cuda`
        the toolkit."""
        commands = []
        own = [word.replace("%cuda", str(cuda)) for word in self.flags]
        objects = []
        libraries = []
        for source in self.libraries:
            libraries.append(folder / f"lib{source.stem}.so")
            commands.append(compiler + flags + own + [
                "-shared", "-fPIC", source, "-o", libraries[-1]] + link)
        for source in (f for f in self.files if f.suffix == ".c"):
            objects.append(folder / f"{source.stem}.o")
            commands.append(
                c_compiler + flags + ["-c", source, "-o", objects[-1]])
        sources = [f for f in self.files if f.suffix != ".c"]
        line = compiler + flags + own
        commands.append(line + [self.path, *sources, *objects, *libraries,
                                "-o", folder / self.name, "-Wl,-rpath,$ORIGIN"]
                        + link)
        return [[str(word) for word in command] for command in commands]

    def complaint(self, status, output, errors):
        """What is wrong with a run, or None."""
        if status != self.status:
            return f"exit status {status}, expected {self.status}"
        if status == 0 and output.splitlines()[-1:] != ["ok"]:
            return "the last line of stdout is not 'ok'"
        return (missing(self.output, output, "stdout")
                or missing(self.errors, errors, "stderr"))


def missing(expected, text, stream):
    """The first of the expected texts that does not follow the one before."""
    place = 0
    for part in expected:
        found = text.find(part, place)
        if found < 0:
            return f"{stream} lacks '{part}'"
        place = found + len(part)
    return None


def head(path):
    """(directive, text) of the comment that the file opens with; a line that
    opens with no directive continues the one before."""
    found = []
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        text = line[2:].strip()
        name, colon, rest = text.partition(":")
        if colon and name in DIRECTIVES:
            found.append((name, rest.strip()))
        elif text and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {text}")
    return found


def all_programs():
    return [Program(path) for path in sorted(SUITE.glob("*.cu"))]
