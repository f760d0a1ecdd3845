// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Losses.h"

#include "RecordJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {
namespace {

/// What can be done about waiting, and the run that says what it gains.
struct Mechanism {
  const char *Name;
  const char *Run;
  /// Of a kernel with a record, whether it has what the mechanism needs.
  bool (*Has)(const KernelRecord &);
  /// Which causes stand in its way, and which only make it gain less.
  bool (*Stops)(CauseKind);
  bool (*Limits)(CauseKind);
};

bool waitsOfHost(CauseKind Kind) {
  return Kind == CauseKind::Barrier || Kind == CauseKind::Copy;
}

bool limitsBlocks(CauseKind Kind) {
  return Kind == CauseKind::NotExact || Kind == CauseKind::Full ||
         Kind == CauseKind::Fence;
}

bool nothing(CauseKind) { return false; }

const Mechanism Mechanisms[] = {
    {"CUDA graph", "ideal", [](const KernelRecord &) { return true; },
     waitsOfHost, nothing},
    {"programmatic launch", "prelaunch",
     [](const KernelRecord &K) { return !K.PdlSymbol.empty(); }, waitsOfHost,
     nothing},
    {"block-level waits", "producer",
     [](const KernelRecord &K) { return !K.PrelaunchSymbol.empty(); },
     waitsOfHost, limitsBlocks},
    {"persistent kernel", "wireframe",
     [](const KernelRecord &K) { return K.PersistentCase >= 0; }, waitsOfHost,
     limitsBlocks},
};

struct Advice {
  const PositionTimes *Where = nullptr;
  const Mechanism *How = nullptr;
  int64_t GainNs = 0;
};

/// Less than this part of the time is not worth a row.
constexpr double LeastPart = 0.001;
constexpr size_t MostRows = 500;

class AdviceWriter {
public:
  AdviceWriter(json::OStream &Out, RecordingFacts &Of, const Simulation &Ran)
      : Out(Out), Of(Of), Ran(Ran) {}

  void write(const std::vector<PositionTimes> &Times);

private:
  std::vector<Advice> find(const std::vector<PositionTimes> &Times) const;
  void writeRow(const Advice &Row);
  int64_t kernelOf(int64_t Launch) const {
    return Launch < 0 ? -1 : Of.KernelOf[size_t(Launch)];
  }
  std::string missingVariant(const Advice &Row) const;
  std::string textOf(const Advice &Row, bool Applies) const;

  json::OStream &Out;
  RecordingFacts &Of;
  const Simulation &Ran;
};

} // namespace

std::vector<Advice>
AdviceWriter::find(const std::vector<PositionTimes> &Times) const {
  std::vector<Advice> Found;
  const Run *const Base = Ran.find(KernelLevelRun);
  const double Least = double(Base->Ns) * LeastPart;
  for (const PositionTimes &Each : Times)
    for (const Mechanism &How : Mechanisms) {
      const Run *const With = Ran.find(How.Run);
      if (!With)
        continue;
      const int64_t Gain =
          Each.Takes[Ran.numberOf(*Base)] - Each.Takes[Ran.numberOf(*With)];
      if (Gain > 0 && double(Gain) >= Least)
        Found.push_back({&Each, &How, Gain});
    }
  sort(Found, [](const Advice &A, const Advice &B) {
    return std::tie(B.GainNs, A.Where->Launch, A.How) <
           std::tie(A.GainNs, B.Where->Launch, B.How);
  });
  if (Found.size() > MostRows)
    Found.resize(MostRows);
  return Found;
}

/// Why the kernel has no form of its own for the mechanism; empty where it has,
/// or where its record is not known.
std::string AdviceWriter::missingVariant(const Advice &Row) const {
  const auto Kernel = size_t(kernelOf(int64_t(Row.Where->Launch)));
  const KernelRecord *const Record = Of.KernelRecords[Kernel].Kernel;
  if (!Record || Row.How->Has(*Record))
    return "";
  return Record->NoVariantReason.empty() ? "the program has no variant of it"
                                         : Record->NoVariantReason;
}

/// "CUDA graph: 100 launches of stencil take 12.3 us less, 4.5 % of all"
std::string AdviceWriter::textOf(const Advice &Row, bool Applies) const {
  std::string Text;
  raw_string_ostream To(Text);
  const double Part = 100 * double(Row.GainNs) / double(Ran.All.BaselineNs);
  To << Row.How->Name << (Applies ? ": " : " is held up: ") << Row.Where->Times
     << (Row.Where->Times == 1 ? " launch of " : " launches of ")
     << Of.What.Launches[Row.Where->Launch].Kernel
     << (Applies ? " would take " : " would then take ")
     << format("%.3f us less, %.1f %% of all", double(Row.GainNs) / 1000, Part);
  if (const std::string Why = missingVariant(Row); !Why.empty())
    To << "; the kernel has no variant for it: " << Why;
  return Text;
}

void AdviceWriter::writeRow(const Advice &Row) {
  std::vector<Cause> Causes = causesOf(Row.Where->Launch, Of);
  const bool IsStopped =
      any_of(Causes, [&](const Cause &C) { return Row.How->Stops(C.What); });
  const bool Applies = !IsStopped && missingVariant(Row).empty();
  erase_if(Causes, [&](const Cause &C) {
    return !Row.How->Stops(C.What) && !Row.How->Limits(C.What);
  });
  const auto Launch = int64_t(Row.Where->Launch);
  Out.object([&] {
    Out.attribute("position", Row.Where->Position);
    Out.attribute("launch", Launch);
    Out.attribute("previous", Launch - 1);
    Out.attribute("times", Row.Where->Times);
    Out.attribute("kernel", kernelOf(Launch));
    Out.attribute("previous_kernel", kernelOf(Launch - 1));
    Out.attribute("mechanism", Row.How->Name);
    Out.attribute("run", Row.How->Run);
    Out.attribute("gain_ns", Row.GainNs);
    Out.attribute("gain_percent", std::round(1e6 * double(Row.GainNs) /
                                             double(Ran.All.BaselineNs)) /
                                      1e4);
    Out.attribute("applies", Applies);
    Out.attributeBegin("obstacles");
    writeCauses(Out, Causes, Of);
    Out.attributeEnd();
    Out.attribute("text", utf8(textOf(Row, Applies)));
  });
}

void AdviceWriter::write(const std::vector<PositionTimes> &Times) {
  Out.array([&] {
    for (const Advice &Each : find(Times))
      writeRow(Each);
  });
}

void writeAdvice(json::OStream &Out, RecordingFacts &Of, const Simulation &Ran,
                 const std::vector<PositionTimes> &Times) {
  AdviceWriter(Out, Of, Ran).write(Times);
}

} // namespace blockmaestro
