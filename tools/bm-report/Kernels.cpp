// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

#include "Causes.h"
#include "FootprintText.h"
#include "Reasons.h"
#include "RecordJson.h"

#include <map>
#include <utility>

using namespace llvm;

namespace blockmaestro {
namespace {

/// All launches of one kernel.
struct KernelSum {
  uint64_t Launches = 0, Blocks = 0, Ns = 0;
  int64_t ModelledNs = 0;
  LaunchSum Sum;
  std::map<int64_t, uint64_t> Reasons; ///< How many launches have each.
};

void add(KernelSum &To, const LaunchSum &Of) {
  To.Ns += Of.ns();
  To.Sum.Events += Of.Events;
  To.Sum.BlockNs += Of.BlockNs;
  To.Sum.Costs += Of.Costs;
  for (const CostField &Field : CostFields)
    To.Sum.Cost.*Field.Value += Of.Cost.*Field.Value;
}

std::vector<KernelSum> kernelSums(const RecordingFacts &Of,
                                  const Run *Baseline) {
  std::vector<KernelSum> Out(Of.KernelNames.values().size());
  for (const RecordedLaunch &Each : Of.What.Launches) {
    KernelSum &To = Out[size_t(Of.KernelOf[Each.Id])];
    ++To.Launches;
    To.Blocks += Each.Grid.count();
    add(To, Of.Sums[Each.Id]);
    if (Baseline && Baseline->Launches.Start[Each.Id] >= 0)
      To.ModelledNs +=
          Baseline->Launches.End[Each.Id] - Baseline->Launches.Start[Each.Id];
    for (int64_t Why : Of.ReasonSets.values()[size_t(Of.ReasonSetOf[Each.Id])])
      ++To.Reasons[Why];
  }
  return Out;
}

/// An access as bm-dump has it, with its set and the number of its reason.
json::Value accessJson(json::Value &As, const Access &A, const Footprint &F,
                       const SymbolNames &Names, int64_t Reason) {
  json::Object Out = std::move(*As.getAsObject());
  Out["set"] = utf8(setText(A, F, Names));
  Out["reason_index"] = Reason;
  return Out;
}

json::Array accessesJson(json::Array &As, const Footprint &F, int64_t Kernel,
                         Numbered<ReasonOfKernel> &Reasons) {
  const SymbolNames Names(F);
  json::Array Out;
  for (size_t I = 0; I < F.Accesses.size(); ++I) {
    const Access &A = F.Accesses[I];
    const int64_t Reason = A.Reason.empty() ? -1 : Reasons({A.Reason, Kernel});
    Out.push_back(accessJson(As[I], A, F, Names, Reason));
  }
  return Out;
}

json::Value footprintJson(const FoundKernel &Of, int64_t Kernel,
                          Numbered<ReasonOfKernel> &Reasons) {
  if (!Of.Kernel)
    return nullptr;
  const KernelRecord &K = *Of.Kernel;
  json::Object As = toJson(K, *Of.Module);
  json::Object Out{{"summary", summaryText(K.Bytes)},
                   {"pdl", !K.PdlSymbol.empty()},
                   {"prelaunch", !K.PrelaunchSymbol.empty()},
                   {"persistent", K.PersistentCase >= 0}};
  for (StringRef Key : {"source", "symbol", "architecture", "counters",
                        "quotients", "powers", "values"})
    Out[Key] = std::move(As[Key]);
  json::Object &Attributes = *As["attributes"].getAsObject();
  for (StringRef Key : {"features", "no_variant_reason"})
    Out[Key] = std::move(Attributes[Key]);
  Out["accesses"] =
      accessesJson(*As["accesses"].getAsArray(), K.Bytes, Kernel, Reasons);
  return Out;
}

void writeSum(json::OStream &Out, const KernelSum &Of, bool IsModelled) {
  const BlockCost &Cost = Of.Sum.Cost;
  Out.attribute("launches", Of.Launches);
  Out.attribute("blocks", Of.Blocks);
  Out.attribute("events", Of.Sum.Events);
  Out.attribute("ns", Of.Ns);
  Out.attribute("block_ns", Of.Sum.BlockNs);
  if (IsModelled)
    Out.attribute("modelled_ns", Of.ModelledNs);
  else
    Out.attribute("modelled_ns", nullptr);
  Out.attribute("costs", Of.Sum.Costs);
  Out.attribute("instructions", Cost.instructions());
  Out.attribute("global_accesses", Cost.globalAccesses());
  Out.attribute("global_sectors", Cost.globalSectors());
  Out.attribute("shared_accesses", Cost.sharedAccesses());
  Out.attribute("shared_wavefronts", Cost.SharedWavefronts);
  Out.attributeObject("cost", [&] {
    for (const CostField &Field : CostFields)
      Out.attribute(Field.Name, Cost.*Field.Value);
  });
  Out.attributeArray("not_exact", [&] {
    for (const auto &[Why, Launches] : Of.Reasons)
      Out.value(json::Object{{"reason", Why}, {"launches", Launches}});
  });
}

} // namespace

void writeKernels(json::OStream &Out, RecordingFacts &Of, const Run *Baseline) {
  const std::vector<KernelSum> Sums = kernelSums(Of, Baseline);
  Out.array([&] {
    for (size_t I = 0; I < Sums.size(); ++I)
      Out.object([&] {
        Out.attribute("name", utf8(Of.KernelNames.values()[I]));
        writeSum(Out, Sums[I], Baseline);
        Out.attribute("footprint", footprintJson(Of.KernelRecords[I],
                                                 int64_t(I), Of.Reasons));
      });
  });
}

void writeReasons(json::OStream &Out, const RecordingFacts &Of) {
  Out.array([&] {
    for (const ReasonOfKernel &Each : Of.Reasons.values())
      Out.object([&] {
        const ReasonText *const Row = findReason(Each.first);
        Out.attribute("text", utf8(Each.first));
        Out.attribute("remark", Row ? json::Value(Row->Name) : nullptr);
        Out.attribute("advice", Row ? json::Value(Row->Advice) : nullptr);
        Out.attribute("kernel", Each.second);
        writeLocation(Out, Of.accessOf(Each));
      });
  });
}

} // namespace blockmaestro
