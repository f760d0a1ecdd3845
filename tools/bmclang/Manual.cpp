// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Manual.h"

#include "CommandLine.h"

namespace blockmaestro {

Manual manual() {
  Manual Out;
  Out.Tool = "bmclang";
  Out.Aliases = {"bmclang++"};
  Out.Summary = "clang with BlockMaestro's passes and runtime behind one flag";
  Out.Usage = {"bmclang [options] FILE...", "bmclang++ [options] FILE..."};
  Out.Description = {
      "With -fblockmaestro a CUDA program runs with its thread blocks as "
      "tasks: each starts as soon as the blocks it needs have finished. All of "
      "clang's arguments work; without a flag of BlockMaestro's clang gets "
      "them "
      "as they are.",
      "-Rpass=blockmaestro, -Rpass-missed=blockmaestro and "
      "-Rpass-analysis=blockmaestro say which kernels were understood, which "
      "accesses were not and why. With -fblockmaestro options of nvcc may "
      "stand "
      "beside clang's.",
      "The program runs on an emulated device with "
      "BLOCKMAESTRO_DEVICE=emulated, and writes a recording of its run with "
      "BLOCKMAESTRO_RECORD=FILE."};
  Out.Groups = {flagGroup()};
  Out.SeeAlso = {"bmnvcc", "bm-dump", "bm-sim", "clang"};
  Out.CompletesItself = true;
  return Out;
}

} // namespace blockmaestro
