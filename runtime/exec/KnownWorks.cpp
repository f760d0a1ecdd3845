// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnownWorks.h"

#include "HeldWork.h"

#include <numeric>

namespace blockmaestro {

static uint64_t hashOf(const std::vector<uint64_t> &Key) {
  return std::accumulate(Key.begin(), Key.end(), uint64_t(Key.size()), mix);
}

static bool areApart(const WorkRelations::Touched &A,
                     const WorkRelations::Touched &B) {
  return (A.Writes & (B.Writes | B.Reads)) == 0 && (A.Reads & B.Writes) == 0;
}

/// The work with this key; null where it has not come. Works of one hash stand
/// at the numbers that follow it: Hash becomes the place of the work.
KnownWork *KnownWorks::lookUp(uint64_t &Hash) {
  for (;; ++Hash) {
    auto Found = Works.find(Hash);
    if (Found == Works.end())
      return nullptr;
    if (Found->second->Key == Key)
      return Found->second.get();
  }
}

/// Whether to find out what a new work touches may be of use.
bool KnownWorks::mayLook(WorkUse &Of) {
  if (Of.InVain < MostInVain)
    return true;
  if (++Of.Skipped < SkippedBetween)
    return false;
  Of.Skipped = 0;
  Of.InVain = MostInVain - Tries;
  return true;
}

/// A work with this key, which has not come before.
KnownWork &KnownWorks::add(uint64_t Hash, WorkUse &Use) {
  ++Use.InVain;
  auto Made = std::make_unique<KnownWork>();
  Made->Key = Key;
  Made->Use = &Use;
  if (Use.Newest) {
    Made->Marks = Use.Newest->Marks;
    Made->Forks = Use.Newest->Forks;
  }
  Use.Newest = Made.get();
  return *Works.emplace(Hash, std::move(Made)).first->second;
}

KnownWork *KnownWorks::find(const GpuWork &What, WorkRelations &By) {
  Key.clear();
  By.describe(What, Key);
  KnownWork *Out = Last ? Last->Next : nullptr;
  if (!Out || Out->Key != Key) {
    uint64_t Hash = hashOf(Key);
    Out = lookUp(Hash);
    const auto *Launch = std::get_if<GpuLaunch>(&What);
    WorkUse &Use = Uses[Launch ? Launch->Kernel : nullptr];
    if (!Out && !mayLook(Use))
      return nullptr;
    if (!Out)
      Out = &add(Hash, Use);
  }
  if (Out->Number == 0 || Out->Version != By.version()) {
    Out->Touches = By.touchedBy(What);
    Out->Version = By.version();
    Out->Number = ++Numbers;
  }
  if (Last)
    Last->Next = Out;
  return Last = Out;
}

bool KnownWorks::meet(KnownWork &Earlier, KnownWork &Later, WorkRelations &By) {
  constexpr unsigned Half = 32;
  if (!Earlier.Touches || !Later.Touches)
    return true;
  if (Earlier.Version == Later.Version &&
      areApart(*Earlier.Touches, *Later.Touches))
    return false;
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
  Last = nullptr;
  for (auto &[Kernel, Use] : Uses)
    Use.Newest = nullptr;
}

void KnownWorks::forgetKernels() {
  forget();
  Uses.clear();
}

} // namespace blockmaestro
