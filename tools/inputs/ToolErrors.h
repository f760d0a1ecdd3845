// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what went wrong, as the errors that tools print.
// On the data's way: from the runtime's Status, and from output streams, to a
// tool's one line. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_TOOLERRORS_H
#define BLOCKMAESTRO_TOOLS_INPUTS_TOOLERRORS_H

#include "blockmaestro/Status.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace blockmaestro {

llvm::Error toError(const Status &Of);

/// What went wrong while writing; the stream forgets it.
llvm::Error writingError(llvm::raw_fd_ostream &Out, llvm::StringRef File);

} // namespace blockmaestro

#endif
