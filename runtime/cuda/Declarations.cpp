// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Declarations.h"

#define BLOCKMAESTRO_ANNOTATE_DEFINE
#include "blockmaestro/annotate.h"

namespace blockmaestro {

static_assert(Declaration::Most == BLOCKMAESTRO_MOST_RANGES);

static thread_local constinit Declaration Pending;

static int broken(int Why) {
  Pending.Broken = true;
  return Why;
}

int declare(AccessKind Kind, const void *Address, size_t Bytes) {
  const auto Base = reinterpret_cast<uint64_t>(Address);
  Pending.Made = true;
  if (Base == 0 && Bytes > 0)
    return broken(BLOCKMAESTRO_NULL_RANGE);
  if (Bytes > 0 && Base + (Bytes - 1) < Base)
    return broken(BLOCKMAESTRO_RANGE_WRAPS);
  if (Bytes == 0)
    return BLOCKMAESTRO_DECLARED;
  if (Pending.Count == Declaration::Most)
    return broken(BLOCKMAESTRO_TOO_MANY_RANGES);
  Pending.Ranges[Pending.Count++] = {Kind, {Base, Bytes}};
  return BLOCKMAESTRO_DECLARED;
}

void forgetDeclaration() {
  Pending.Made = Pending.Broken = false;
  Pending.Count = 0;
}

std::unique_ptr<const Declaration> takeDeclaration() {
  if (!Pending.Made)
    return nullptr;
  auto Mine = std::make_unique<const Declaration>(Pending);
  forgetDeclaration();
  return Mine;
}

/// Every block may touch all of the range; as part of the allocation it lies
/// in, where there is one.
static BlockAccess accessOf(const DeclaredRange &What, Dim3 Grid,
                            const AllocationMap &Known) {
  BlockAccess Out;
  Out.Kind = What.Kind;
  Out.How = Reach::Range;
  Out.Where = What.Where;
  Out.Reason = "declared by the program for the launch as a whole";
  for (unsigned D = 0; D < 3; ++D)
    Out.BlockHigh[D] = int64_t(Grid[D]) - 1;
  const Allocation *Found = Known.find(What.Where.Base);
  if (!Found ||
      What.Where.Bytes > Found->Bytes - (What.Where.Base - Found->Base))
    return Out;
  Out.How = Reach::Coordinates;
  Out.Where = *Found;
  Out.Coordinates.resize(1);
  Out.Coordinates[0].Base = int64_t(What.Where.Base - Found->Base);
  Out.Coordinates[0].Count = int64_t(What.Where.Bytes);
  return Out;
}

LaunchAccesses declaredAccesses(LaunchAccesses Evaluated,
                                const Declaration &Declared,
                                const AllocationMap &Known) {
  std::erase_if(Evaluated.Accesses, [](const BlockAccess &Each) {
    return Each.How != Reach::Coordinates;
  });
  for (size_t I = 0; I < Declared.Count; ++I)
    Evaluated.Accesses.push_back(
        accessOf(Declared.Ranges[I], Evaluated.Grid, Known));
  return Evaluated;
}

} // namespace blockmaestro
