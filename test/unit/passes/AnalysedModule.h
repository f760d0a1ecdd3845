// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: kernels written as IR text, and what the device analysis records
// of them, for its tests.

#ifndef BLOCKMAESTRO_TEST_UNIT_PASSES_ANALYSEDMODULE_H
#define BLOCKMAESTRO_TEST_UNIT_PASSES_ANALYSEDMODULE_H

#include "Footprints.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace blockmaestro::test {

struct Analysed {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  ModuleRecord Record;
};

/// Analyses one module and checks that it is as it was. Body needs no triple,
/// no layout and no declaration of threadIdx.x.
std::unique_ptr<Analysed> analyse(const std::string &Body,
                                  bool Relocatable = false);

} // namespace blockmaestro::test

#endif
