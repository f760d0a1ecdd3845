// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Causes.h"

#include "FootprintText.h"
#include "Reasons.h"
#include "RecordJson.h"

#include "llvm/ADT/STLExtras.h"

#include <string>
#include <tuple>

using namespace llvm;

namespace blockmaestro {

/// More causes of one launch are not told.
static constexpr size_t MostCauses = 8;

static const char *nameOf(CauseKind Kind) {
  static constexpr const char *Names[] = {"barrier",  "copy",  "not exact",
                                          "full",     "fence", "dependence",
                                          "launching"};
  return Names[size_t(Kind)];
}

/// "launch 3 (stencil)"
static std::string launchText(uint64_t Launch, const RecordingFacts &In) {
  return "launch " + std::to_string(Launch) + " (" +
         In.What.Launches[Launch].Kernel + ")";
}

static Cause barrierCause(const RecordedBarrier &Of, RecordingFacts &In) {
  Cause Out;
  Out.What = Of.HostWaits ? CauseKind::Barrier : CauseKind::Fence;
  Out.Call = In.Calls(Of.What);
  Out.Text =
      Of.HostWaits
          ? "the host waits for everything before it: " + Of.What
          : "the device keeps it behind everything before it: " + Of.What;
  return Out;
}

static Cause copyCause(const RecordedCopy &Of, RecordingFacts &In) {
  Cause Out;
  Out.What = CauseKind::Copy;
  Out.Call = In.Calls(Of.Call);
  Out.Text = "the host waits for copy " + std::to_string(Of.Id) + " (" +
             Of.Call + ", " + std::to_string(Of.Bytes) +
             " bytes) before it issues this launch";
  return Out;
}

/// ": the index is itself read from memory, at a.cu:3:5; to help, ..."
static std::string reasonText(int64_t Reason, const RecordingFacts &In) {
  if (Reason < 0)
    return "";
  const ReasonOfKernel &Why = In.Reasons.values()[size_t(Reason)];
  std::string Out = ": " + Why.first;
  if (const Access *At = In.accessOf(Why); At && !At->Where.File.empty())
    Out += ", at " + toText(At->Where);
  if (const ReasonText *Row = findReason(Why.first))
    Out += std::string("; to help, ") + Row->Advice;
  return Out;
}

static Cause relationCause(size_t Number, const RecordingFacts &In) {
  const RecordedRelation &R = In.What.Relations[Number];
  const char *const Pattern =
      In.Forms.all()[In.Forms.ofLaunches(Number)].Pattern;
  const std::string Producer = launchText(R.Producer, In);
  Cause Out;
  Out.Relation = int64_t(Number);
  Out.Reason = In.RelationReasons[Number];
  if (!R.Exact) {
    Out.What = CauseKind::NotExact;
    Out.Text = std::string("it waits for more than it must of ") + Producer +
               ", " + Pattern + reasonText(Out.Reason, In);
  } else if (StringRef(Pattern) == "full") {
    Out.What = CauseKind::Full;
    Out.Text = "every block needs every block of " + Producer;
  } else {
    Out.What = CauseKind::Dependence;
    Out.Text =
        "blocks need blocks of " + Producer + ": " + std::string(Pattern);
  }
  return Out;
}

static void addCopyCauses(uint64_t Launch, RecordingFacts &In,
                          std::vector<Cause> &To) {
  for (size_t I = In.CopiesFrom[Launch]; I < In.CopiesFrom[Launch + 1]; ++I)
    if (In.What.Copies[I].HostWaits)
      To.push_back(copyCause(In.What.Copies[I], In));
}

std::vector<Cause> causesOf(uint64_t Launch, RecordingFacts &In) {
  std::vector<Cause> Out;
  for (size_t I = In.BarriersFrom[Launch]; I < In.BarriersFrom[Launch + 1]; ++I)
    Out.push_back(barrierCause(In.What.Barriers[I], In));
  addCopyCauses(Launch, In, Out);
  for (size_t I = In.RelationsFrom[Launch]; I < In.RelationsFrom[Launch + 1];
       ++I)
    if (!In.What.Relations[I].Implied)
      Out.push_back(relationCause(I, In));
  sort(Out, [](const Cause &A, const Cause &B) {
    return std::tie(A.What, A.Relation, A.Text) <
           std::tie(B.What, B.Relation, B.Text);
  });
  if (Out.size() > MostCauses)
    Out.resize(MostCauses);
  if (Out.empty())
    Out.push_back({CauseKind::Launching, -1, -1, -1,
                   "nothing holds it but the cost of a launch, and how many "
                   "launches may be in flight"});
  return Out;
}

void writeLocation(json::OStream &Out, const Access *Of) {
  Out.attribute("location", Of ? toJson(Of->Where) : nullptr);
}

static void writeIndex(json::OStream &Out, StringRef Name, int64_t Index) {
  if (Index < 0)
    Out.attribute(Name, nullptr);
  else
    Out.attribute(Name, Index);
}

static void writeRelation(json::OStream &Out, int64_t Number,
                          const RecordingFacts &In) {
  writeIndex(Out, "relation", Number);
  if (Number < 0) {
    Out.attribute("producer", nullptr);
    Out.attribute("pattern", nullptr);
    return;
  }
  const uint32_t Form = In.Forms.ofLaunches(size_t(Number));
  Out.attribute("producer", In.What.Relations[size_t(Number)].Producer);
  Out.attribute("pattern", In.Forms.all()[Form].Pattern);
}

void writeCauses(json::OStream &Out, ArrayRef<Cause> Causes,
                 const RecordingFacts &In) {
  Out.array([&] {
    for (const Cause &Each : Causes)
      Out.object([&] {
        Out.attribute("what", nameOf(Each.What));
        writeIndex(Out, "call", Each.Call);
        writeRelation(Out, Each.Relation, In);
        writeIndex(Out, "reason", Each.Reason);
        writeLocation(
            Out, Each.Reason < 0
                     ? nullptr
                     : In.accessOf(In.Reasons.values()[size_t(Each.Reason)]));
        Out.attribute("text", utf8(Each.Text));
      });
  });
}

} // namespace blockmaestro
