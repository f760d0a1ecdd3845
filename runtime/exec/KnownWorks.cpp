// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnownWorks.h"

#include <utility>

namespace blockmaestro {

/// The same work on no stream.
static GpuWork withoutStream(GpuWork What) {
  std::visit([](auto &Each) { Each.Stream = nullptr; }, What);
  return What;
}

/// Works of one hash stand at the numbers that follow it.
KnownWork &KnownWorks::lookUp(const GpuWork &What) {
  Next.copy(withoutStream(What));
  const NodeKind Kind = kindOf(What);
  uint64_t Hash = Next.hash(reinterpret_cast<uintptr_t>(Kind.Kernel));
  for (;; ++Hash) {
    auto Found = Works.find(Hash);
    if (Found == Works.end())
      break;
    const HeldWork &Kept = Found->second->Kept;
    if (kindOf(Kept.work()) == Kind && Next.costAfter(Kept) == 0)
      return *Found->second;
  }
  auto Made = std::make_unique<KnownWork>();
  Made->Kept = std::exchange(Next, HeldWork());
  return *Works.emplace(Hash, std::move(Made)).first->second;
}

KnownWork &KnownWorks::find(const GpuWork &What, WorkRelations &By) {
  KnownWork &Out = lookUp(What);
  if (Out.Number == 0 || Out.Version != By.version()) {
    Out.Touches = By.touchedBy(Out.Kept.work());
    Out.Version = By.version();
    Out.Number = ++Numbers;
  }
  return Out;
}

bool KnownWorks::meet(KnownWork &Earlier, KnownWork &Later, WorkRelations &By) {
  constexpr unsigned Half = 32;
  if (!Earlier.Touches || !Later.Touches)
    return true;
  if (Meets.size() >= MostPairs)
    Meets.clear();
  auto [Found, New] =
      Meets.try_emplace(Earlier.Number << Half | Later.Number, true);
  if (New)
    Found->second = By.meet(*Earlier.Touches, *Later.Touches);
  return Found->second;
}

void KnownWorks::forget() {
  Works.clear();
  Meets.clear();
  Next = HeldWork();
}

} // namespace blockmaestro
