// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of annotate.h.

#define BLOCKMAESTRO_ANNOTATE_DEFINE
#include "blockmaestro/annotate.h"

#include "Declarations.h"

using namespace blockmaestro;

extern "C" {

int blockmaestro_reads(const void *Address, size_t Bytes) {
  return declare(AccessKind::Read, Address, Bytes);
}

int blockmaestro_writes(const void *Address, size_t Bytes) {
  return declare(AccessKind::Write, Address, Bytes);
}

void blockmaestro_forget(void) { forgetDeclaration(); }

} // extern "C"
