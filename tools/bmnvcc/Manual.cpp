// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Manual.h"

#include "Options.h"

namespace blockmaestro {

Manual manual() {
  Manual Out;
  Out.Tool = "bmnvcc";
  Out.Summary = "nvcc's command line with BlockMaestro's compiler behind it";
  Out.Usage = {"bmnvcc [options] <inputfile>"};
  Out.Description = {
      "Each option of nvcc 13 means the same, is ignored because it cannot "
      "matter, or is refused by name. BlockMaestro's own flags "
      "(-fblockmaestro, "
      "-fblockmaestro-cuda-compat and others, see bmclang) and clang's -Rpass "
      "are taken too.",
      "Words of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS stand around those of "
      "the command line."};
  Out.Groups = nvcc::optionGroups();
  Out.SeeAlso = {"bmclang", "bm-dump", "bm-sim"};
  return Out;
}

} // namespace blockmaestro
