# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A lit format: every program of this folder is compiled at -O0 and -O3 and
run on the emulated device with one worker, with two, and in the order of a
simulated scheduler. The second run of a binary finds what the first has left in
the disk cache.

--param built=TREE runs what TREE's run of the suite has compiled against this
tree's runtime: programs are the same under every preset, and the sanitized
compiler is slow."""

import os
import pathlib
import shutil

import lit.formats
import lit.Test
import lit.util

import headers
import programs

LEVELS = ("-O0", "-O3")
RUNS = (("1", "auto"), ("2", "auto"), ("1", "sim:consumer4"))  # Workers, executor.
COMPILE_SECONDS = 900
RUN_SECONDS = 120


class SuiteFormat(lit.formats.FileBasedTest):
    def __init__(self, bin_folder, cuda):
        self.cuda = cuda
        self.build_folder = os.path.dirname(bin_folder)
        self.runtime = os.path.join(self.build_folder, "lib")
        self.compiler = [os.path.join(bin_folder, "bmclang++"), "-fblockmaestro"]
        self.c_compiler = [os.path.join(bin_folder, "bmclang"), "-x", "c",
                           f"-I{cuda}/include"]

    def execute(self, test, lit_config):
        if test.config.unsupported:
            return lit.Test.UNSUPPORTED, ""
        program = programs.Program(test.getSourcePath())
        lacking = program.lacks(self.cuda)
        if lacking:
            return lit.Test.UNSUPPORTED, f"there is no {lacking}"
        levels = [level for level in LEVELS if level not in program.long
                  or lit_config.params.get("long")]
        if not levels:
            return lit.Test.UNSUPPORTED, "long: asked for by --param long=1"
        folder = pathlib.Path(test.getExecPath()).parent / "Output" / program.name
        shutil.rmtree(folder, ignore_errors=True)
        built = lit_config.params.get("built")
        if built and program.compile_errors:
            return lit.Test.UNSUPPORTED, "does not compile, so is not built"
        for level in levels:
            place = folder / level[1:]
            place.mkdir(parents=True)
            if built:
                binaries = pathlib.Path(built).resolve() / folder.relative_to(
                    pathlib.Path(test.config.test_exec_root).parent) / level[1:]
                complaint = None
            else:
                binaries = place
                complaint = self.build(program, place, level,
                                       test.config.environment)
            if not complaint and not program.compile_errors:
                complaint = self.run(program, binaries, place,
                                     test.config.environment)
            if complaint:
                return lit.Test.FAIL, complaint
        return lit.Test.PASS, ""

    def build(self, program, folder, level, environment):
        """Builds at one level; text of what went wrong, or None."""
        compiler = self.compiler if program.libraries else (
            self.compiler + headers.arguments(self.build_folder, [level], program.flags))
        for command in program.build(compiler, self.c_compiler, [level],
                                     [], folder, self.cuda):
            status, output, errors = call(command, folder, environment,
                                          COMPILE_SECONDS)
            if program.compile_errors:
                complaint = ("compiled" if status == 0 else programs.missing(
                    program.compile_errors, errors, "stderr"))
                return complaint and report(command, complaint, output, errors)
            if status:
                return report(command, f"exit status {status}", output, errors)
        return None

    def run(self, program, binaries, folder, environment):
        """Runs in every way; text of the first failure, or None."""
        for workers, executor in RUNS:
            settings = dict(BLOCKMAESTRO_WORKERS=workers,
                            BLOCKMAESTRO_EXECUTOR=executor,
                            BLOCKMAESTRO_CACHE=str(folder / "cache"),
                            **program.environment)
            if "LD_PRELOAD" in environment:
                # A sanitizer stands between a program and dlopen(), which then
                # does not look where the program's own search path points.
                settings["LD_LIBRARY_PATH"] = f"{self.runtime}:{binaries}"
            command = [str(binaries / program.name), *program.arguments]
            status, output, errors = call(
                command, folder, dict(environment, **settings), RUN_SECONDS)
            complaint = program.complaint(status, output, errors)
            if complaint:
                words = [f"{key}={value}" for key, value in settings.items()]
                return report(["env", *words, *command], complaint, output,
                              errors)
        return None


def call(command, folder, environment, seconds):
    """(exit status, stdout, stderr); the status of a run that took too long is
    text."""
    try:
        output, errors, status = lit.util.executeCommand(
            command, cwd=str(folder), env=environment, timeout=seconds)
        return status, output, errors
    except lit.util.ExecuteCommandTimeoutException as late:
        return f"none after {seconds} seconds", late.out, late.err


def report(command, complaint, output, errors):
    return "\n".join([" ".join(command), complaint, "-- stdout", output,
                      "-- stderr", errors])
