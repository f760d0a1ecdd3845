// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostConstants.h"

#include <link.h>

namespace blockmaestro::openmp {
namespace {

/// Of a segment, or of what is written by the loader only.
bool isReadOnly(const ElfW(Phdr) & Part) {
  return Part.p_type == PT_GNU_RELRO ||
         (Part.p_type == PT_LOAD && !(Part.p_flags & PF_W));
}

int findConstant(dl_phdr_info *Object, size_t, void *Where) {
  const HostAddress Byte = *static_cast<HostAddress *>(Where);
  for (size_t I = 0; I < Object->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Part = Object->dlpi_phdr[I];
    if (isReadOnly(Part) &&
        Byte - (Object->dlpi_addr + Part.p_vaddr) < Part.p_memsz)
      return 1;
  }
  return 0;
}

} // namespace

bool isConstant(HostAddress Where) {
  return dl_iterate_phdr(findConstant, &Where) != 0;
}

} // namespace blockmaestro::openmp
