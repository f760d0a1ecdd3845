// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: any bytes as a file given to `bm-dump footprints`: an object, an
// archive or neither. All its records, or one error.

#include "ObjectMetadata.h"
#include "Require.h"

using namespace blockmaestro;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  llvm::Expected<std::vector<ModuleRecord>> Read =
      readObject(llvm::MemoryBufferRef(Bytes, "input"));
  if (!Read)
    require(!llvm::toString(Read.takeError()).empty(), "an error has a text");
  else
    require(!Read->empty(), "no records are an error");
  return 0;
}
