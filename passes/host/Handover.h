// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how records, and names for the linker, get from the device's
// compilation of a source file to the host's, which is another process: files
// in a private folder that the driver makes and removes. On the data's way:
// between passes/device and Embed. Invariants: one file of each kind per source
// file and architecture; a reader sees a file whole or not at all. Threads: no
// state; processes may write at the same time.

#ifndef BLOCKMAESTRO_PASSES_HOST_HANDOVER_H
#define BLOCKMAESTRO_PASSES_HOST_HANDOVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace blockmaestro {

/// Source is the name both compilations know the main file by.
llvm::Error writeHandover(llvm::StringRef Folder, llvm::StringRef Source,
                          llvm::StringRef Architecture,
                          llvm::ArrayRef<uint8_t> Record);

/// The records of all architectures of Source, the newest architecture first
/// (sm_100 before sm_90); empty when there are none.
llvm::Expected<std::vector<uint8_t>> readHandover(llvm::StringRef Folder,
                                                  llvm::StringRef Source);

/// What the device code of Source offers to other files, and what it takes from
/// them: names as embedLinkNames() has them.
llvm::Error writeLinkNames(llvm::StringRef Folder, llvm::StringRef Source,
                           llvm::StringRef Architecture,
                           llvm::ArrayRef<std::string> Offered,
                           llvm::ArrayRef<std::string> Wanted);

struct LinkNames {
  std::set<std::string> Offered;
  std::set<std::string> Wanted;
};

/// Those of all architectures of Source together.
llvm::Expected<LinkNames> readLinkNames(llvm::StringRef Folder,
                                        llvm::StringRef Source);

/// What the device's compilation of Source says of its tasks, as text.
llvm::Error writeTaskLayout(llvm::StringRef Folder, llvm::StringRef Source,
                            llvm::StringRef Architecture, llvm::StringRef Text);

/// Those of all architectures.
llvm::Expected<std::vector<std::string>>
readTaskLayouts(llvm::StringRef Folder, llvm::StringRef Source);

} // namespace blockmaestro

#endif
