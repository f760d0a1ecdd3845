// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which GPUs code is made for, as nvcc says it and as clang does.
// On the data's way: filled by Options, asked by Plan.
// Invariants: code is made for the virtual architecture that was named, whose
// number programs see in __CUDA_ARCH__; its PTX goes along where nvcc would
// have it, or where its machine code would not run on the GPU that was named.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_ARCHITECTURES_H
#define BLOCKMAESTRO_TOOLS_NVCC_ARCHITECTURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace blockmaestro::nvcc {

/// The plain ones that code is made for, the oldest first: 75, 80, ...
llvm::ArrayRef<llvm::StringLiteral> knownArchitectures();

class Targets {
public:
  /// -arch: sm_90, compute_90, lto_90, native, all, all-major.
  llvm::Error addArchitecture(llvm::StringRef Name);
  /// -code: a list, for what -arch names.
  llvm::Error addCodes(llvm::StringRef List);
  /// -gencode: arch=compute_90,code=[sm_90,compute_90].
  llvm::Error addSpecification(llvm::StringRef Text);
  /// Puts -arch and -code together; once all options are read.
  llvm::Error finish();

  /// --offload-arch= and what goes with it; relocatable code has no PTX.
  std::vector<std::string> flags(bool Relocatable) const;
  /// The names in flags(): sm_90.
  std::vector<std::string> names() const;
  /// What was left out: older than CUDA 13 knows.
  const std::vector<std::string> &leftOut() const { return TooOld; }

private:
  llvm::Error add(llvm::StringRef Virtual, llvm::StringRef Code);

  std::string Architecture;
  std::string Codes;
  std::map<std::string, bool> WithPtx; ///< 90 -> its PTX goes along.
  std::vector<std::string> TooOld;
};

} // namespace blockmaestro::nvcc

#endif
