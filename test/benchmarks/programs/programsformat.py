# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A lit format: every program of benchmarks/ is a test. It is compiled with
-fblockmaestro, its host reference checked, its tiny case run on the emulated
device, the relations computed there compared with those by hand, and then broken as its cases.json says, which its check must find (the
first way; all of them with --param long=1)."""

import os
import pathlib

import lit.formats
import lit.Test
import lit.util

import headers

SECONDS = 280
# As benchmarks/programs compiles.
FLAGS = ("-O3", "-std=c++17")


class ProgramsFormat(lit.formats.TestFormat):
    def __init__(self, source, build):
        self.programs = pathlib.Path(source) / "benchmarks"
        self.build = build
        self.headers = headers.environment(build, *FLAGS)

    def getTestsInDirectory(self, suite, path, lit_config, local):
        for found in sorted(self.programs.glob("*/cases.json")):
            yield lit.Test.Test(suite, (*path, found.parent.name), local)

    def execute(self, test, lit_config):
        name = test.path_in_suite[-1]
        mutants = [] if lit_config.params.get("long") else ["--mutant", "0"]
        for step in (["run", "--cases", "tiny"], ["reference", "--built"],
                     ["graphs", "--built"], ["mutants", *mutants]):
            command = [str(self.programs / "programs"), step[0], name, "--build",
                       self.build, *step[1:]]
            try:
                output, errors, status = lit.util.executeCommand(
                    command, env=dict(os.environ, **test.config.environment, **self.headers),
                    timeout=SECONDS)
            except lit.util.ExecuteCommandTimeoutException:
                output, errors, status = "", f"not ended after {SECONDS} s", 1
            if status:
                return lit.Test.FAIL, " ".join(command) + "\n" + output + errors
        return lit.Test.PASS, ""
