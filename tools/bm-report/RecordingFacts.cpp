// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace blockmaestro {

RecordingFacts::RecordingFacts(const Recording &What,
                               const ProgramRecords &Program)
    : What(What), Program(Program), Sums(launchSums(What)), Forms(What) {
  numberKernels();
  numberReasons();
  findOwn();
  findMotifsOf();
}

void RecordingFacts::numberKernels() {
  for (const RecordedLaunch &Each : What.Launches)
    KernelOf.push_back(KernelNames(Each.Kernel));
  for (const std::string &Name : KernelNames.values())
    KernelRecords.push_back(Program.find(Name));
}

void RecordingFacts::numberReasons() {
  for (const RecordedLaunch &Each : What.Launches) {
    std::vector<int64_t> Set;
    for (const std::string &Why : Each.Degraded)
      Set.push_back(Reasons({Why, KernelOf[Each.Id]}));
    ReasonSetOf.push_back(ReasonSets(Set));
  }
  for (const RecordedRelation &Each : What.Relations)
    RelationReasons.push_back(reasonOf(Each));
  for (const RecordedRelation &Each : What.CopyRelations)
    CopyRelationReasons.push_back(reasonOf(Each));
  for (size_t I = 0; I < KernelRecords.size(); ++I)
    if (const KernelRecord *Kernel = KernelRecords[I].Kernel)
      for (const Access &Each : Kernel->Bytes.Accesses)
        if (!Each.Reason.empty())
          Reasons({Each.Reason, int64_t(I)});
}

/// The cause is the end that has an access which is not exact for this reason.
int64_t RecordingFacts::reasonOf(const RecordedRelation &R) {
  if (R.Reason.empty())
    return -1;
  const std::pair<uint64_t, bool> Ends[] = {{R.Consumer, R.ConsumerIsCopy},
                                            {R.Producer, R.ProducerIsCopy}};
  for (const auto &[Number, IsCopy] : Ends)
    if (!IsCopy && is_contained(What.Launches[Number].Degraded, R.Reason))
      return Reasons({R.Reason, KernelOf[Number]});
  return Reasons({R.Reason, -1});
}

const Access *RecordingFacts::accessOf(const ReasonOfKernel &Why) const {
  if (Why.second < 0 || !KernelRecords[size_t(Why.second)].Kernel)
    return nullptr;
  for (const Access &Each :
       KernelRecords[size_t(Why.second)].Kernel->Bytes.Accesses)
    if (Each.Reason == Why.first)
      return &Each;
  return nullptr;
}

/// For each of Launches, and behind the last, the first of All that is not
/// before it; they are in the order of launches.
template <typename T, typename LaunchOf>
static std::vector<size_t> firstOfEach(const std::vector<T> &All,
                                       size_t Launches, LaunchOf Of) {
  std::vector<size_t> Out;
  size_t Next = 0;
  for (size_t I = 0; I <= Launches; ++I) {
    while (Next < All.size() && Of(All[Next]) < I)
      ++Next;
    Out.push_back(Next);
  }
  return Out;
}

void RecordingFacts::findOwn() {
  const size_t Count = What.Launches.size();
  RelationsFrom =
      firstOfEach(What.Relations, Count,
                  [](const RecordedRelation &R) { return R.Consumer; });
  CopiesFrom = firstOfEach(What.Copies, Count,
                           [](const RecordedCopy &C) { return C.Before; });
  BarriersFrom =
      firstOfEach(What.Barriers, Count,
                  [](const RecordedBarrier &B) { return B.BeforeLaunch; });
}

/// Equal for launches that repeat each other.
std::vector<int64_t> RecordingFacts::kindOf(const RecordedLaunch &L) {
  std::vector<int64_t> Out = {KernelOf[L.Id], L.SharedBytes};
  for (Dim3 Size : {L.Grid, L.Block})
    for (unsigned I = 0; I < 3; ++I)
      Out.push_back(Size[I]);
  for (size_t I = BarriersFrom[L.Id]; I < BarriersFrom[L.Id + 1]; ++I)
    Out.insert(Out.end(),
               {-1, Calls(What.Barriers[I].What), What.Barriers[I].HostWaits});
  for (size_t I = CopiesFrom[L.Id]; I < CopiesFrom[L.Id + 1]; ++I) {
    const RecordedCopy &C = What.Copies[I];
    Out.insert(Out.end(), {-2, Calls(C.Call), int64_t(C.Bytes), C.HostWaits});
  }
  for (size_t I = RelationsFrom[L.Id]; I < RelationsFrom[L.Id + 1]; ++I) {
    const RecordedRelation &R = What.Relations[I];
    if (!R.Implied)
      Out.insert(Out.end(),
                 {-3, int64_t(R.Consumer - R.Producer), Forms.ofLaunches(I),
                  R.Hazards, R.Exact, RelationReasons[I]});
  }
  return Out;
}

void RecordingFacts::findMotifsOf() {
  Numbered<std::vector<int64_t>> Kinds;
  std::vector<uint32_t> KindOf;
  for (const RecordedLaunch &Each : What.Launches)
    KindOf.push_back(uint32_t(Kinds(kindOf(Each))));
  Motifs = findMotifs(KindOf);
  Positions = motifPositions(Motifs);
}

} // namespace blockmaestro
