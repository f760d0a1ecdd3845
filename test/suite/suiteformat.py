# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A lit format: every program of this folder is compiled at -O0 and -O3 and
run on the emulated device with one worker and with two. The second run of a
binary finds what the first has left in the disk cache."""

import os
import pathlib
import shutil

import lit.formats
import lit.Test
import lit.util

import programs

LEVELS = ("-O0", "-O3")
WORKERS = ("1", "2")
COMPILE_SECONDS = 900
RUN_SECONDS = 120


class SuiteFormat(lit.formats.FileBasedTest):
    def __init__(self, bin_folder, cuda):
        self.cuda = cuda
        self.compiler = [os.path.join(bin_folder, "bmclang++"), "-fblockmaestro"]
        self.c_compiler = [os.path.join(bin_folder, "bmclang"), "-x", "c",
                           f"-I{cuda}/include"]

    def execute(self, test, lit_config):
        if test.config.unsupported:
            return lit.Test.UNSUPPORTED, ""
        program = programs.Program(test.getSourcePath())
        levels = [level for level in LEVELS if level not in program.long
                  or lit_config.params.get("long")]
        if not levels:
            return lit.Test.UNSUPPORTED, "long: asked for by --param long=1"
        folder = pathlib.Path(test.getExecPath()).parent / "Output" / program.name
        shutil.rmtree(folder, ignore_errors=True)
        for level in levels:
            complaint = self.try_level(program, folder / level[1:], level,
                                       test.config.environment)
            if complaint:
                return lit.Test.FAIL, complaint
        return lit.Test.PASS, ""

    def try_level(self, program, folder, level, environment):
        """Builds at one level and runs with every number of workers; text of
        the first failure, or None."""
        folder.mkdir(parents=True)
        for command in program.build(self.compiler, self.c_compiler, [level],
                                     [], folder, self.cuda):
            status, output, errors = call(command, folder, environment,
                                          COMPILE_SECONDS)
            if program.compile_errors:
                complaint = ("compiled" if status == 0 else programs.missing(
                    program.compile_errors, errors, "stderr"))
                return complaint and report(command, complaint, output, errors)
            if status:
                return report(command, f"exit status {status}", output, errors)
        for workers in WORKERS:
            settings = dict(BLOCKMAESTRO_WORKERS=workers,
                            BLOCKMAESTRO_CACHE=str(folder / "cache"),
                            **program.environment)
            if "LD_PRELOAD" in environment:
                # A sanitizer stands between a program and dlopen(), which then
                # does not look where the program's own search path points.
                settings["LD_LIBRARY_PATH"] = str(folder)
            command = [str(folder / program.name), *program.arguments]
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
