// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: BlockMaestro's remarks in the files that
// -fsave-optimization-record writes.
// On the data's way: from clang's files, by LLVM's reader of them, to
// RemarksCommand. Invariants: by source line, each once, however many
// compilations of a file said it.
// Ownership and threads: plain values, no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_REMARKS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_REMARKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <compare>
#include <string>
#include <vector>

namespace blockmaestro {

struct SavedRemark {
  std::string File; ///< As the compiler was given it; empty: no place is known.
  unsigned Line = 0;
  unsigned Column = 0;  ///< From 1; 0: not known.
  std::string Kind;     ///< "passed", "missed", "analysis"
  std::string Name;     ///< "IndexLoaded"
  std::string Function; ///< As the linker knows it.
  std::string Message;

  auto operator<=>(const SavedRemark &) const = default;
};

/// Of all files together.
llvm::Expected<std::vector<SavedRemark>>
readRemarks(llvm::ArrayRef<std::string> Files);

} // namespace blockmaestro

#endif
