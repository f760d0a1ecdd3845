// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Losses.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

/// More positions are only summed up.
static constexpr size_t MostRows = 1000;

/// What each launch takes.
static std::vector<int64_t> takenIn(const std::vector<LaunchTimes> &Launches,
                                    const std::vector<uint32_t> &PlaceOf) {
  std::vector<int64_t> Out;
  int64_t Before = 0;
  for (uint32_t Place : PlaceOf) {
    const auto Completed = int64_t(Launches[Place].Completed);
    Out.push_back(Completed - Before);
    Before = Completed;
  }
  return Out;
}

std::vector<PositionTimes> positionTimes(const RecordingFacts &Of,
                                         const Simulation &Ran) {
  std::vector<std::vector<int64_t>> Taken;
  for (const Run &Each : Ran.Runs)
    Taken.push_back(takenIn(Each.Report->Launches, Ran.PlaceOf));
  Taken.push_back(takenIn(Ran.Free, Ran.PlaceOf));
  std::vector<PositionTimes> Out;
  std::vector<size_t> Known(Of.Motifs.size(), ~size_t(0));
  for (size_t Launch = 0; Launch < Ran.PlaceOf.size(); ++Launch) {
    const uint32_t Position = Of.Positions[Launch];
    if (Known[Position] == ~size_t(0)) {
      Known[Position] = Out.size();
      Out.push_back({Position, Launch, 0, std::vector<int64_t>(Taken.size())});
    }
    PositionTimes &To = Out[Known[Position]];
    ++To.Times;
    for (size_t I = 0; I < Taken.size(); ++I)
      To.Takes[I] += Taken[I][Launch];
  }
  return Out;
}

static void writePlace(json::OStream &Out, const PositionTimes &Of) {
  Out.attribute("position", Of.Position);
  Out.attribute("launch", Of.Launch);
  Out.attribute("previous", int64_t(Of.Launch) - 1);
  Out.attribute("times", Of.Times);
}

namespace {

class LossWriter {
public:
  LossWriter(json::OStream &Out, RecordingFacts &Of, const Simulation &Ran)
      : Out(Out), Of(Of), Ran(Ran),
        Kernel(Ran.numberOf(*Ran.find(KernelLevelRun))),
        Block(Ran.numberOf(*Ran.find(BlockLevelRun))), Free(Ran.Runs.size()) {}

  void write(std::vector<PositionTimes> Times);

private:
  int64_t lost(const PositionTimes &Each) const {
    return Each.Takes[Kernel] - Each.Takes[Free];
  }
  int64_t lost(ArrayRef<PositionTimes> All) const;
  void writeRow(const PositionTimes &Each);

  json::OStream &Out;
  RecordingFacts &Of;
  const Simulation &Ran;
  const size_t Kernel, Block, Free; ///< Numbers of runs.
};

} // namespace

int64_t LossWriter::lost(ArrayRef<PositionTimes> All) const {
  int64_t Sum = 0;
  for (const PositionTimes &Each : All)
    Sum += lost(Each);
  return Sum;
}

void LossWriter::writeRow(const PositionTimes &Each) {
  Out.object([&] {
    writePlace(Out, Each);
    Out.attribute("kernel_level_ns", Each.Takes[Kernel]);
    Out.attribute("block_level_ns", Each.Takes[Block]);
    Out.attribute("free_ns", Each.Takes[Free]);
    Out.attribute("lost_ns", lost(Each));
    Out.attribute("regained_ns", Each.Takes[Kernel] - Each.Takes[Block]);
    Out.attribute("still_lost_ns", Each.Takes[Block] - Each.Takes[Free]);
    Out.attributeBegin("causes");
    writeCauses(Out, causesOf(Each.Launch, Of), Of);
    Out.attributeEnd();
  });
}

void LossWriter::write(std::vector<PositionTimes> Times) {
  sort(Times, [&](const PositionTimes &A, const PositionTimes &B) {
    return std::make_pair(-lost(A), A.Launch) <
           std::make_pair(-lost(B), B.Launch);
  });
  const ArrayRef<PositionTimes> All = Times;
  const size_t Rows = std::min(All.size(), MostRows);
  Out.object([&] {
    Out.attribute("kernel_level", KernelLevelRun);
    Out.attribute("block_level", BlockLevelRun);
    Out.attribute("free_us", double(Ran.FreeNs) / 1000);
    Out.attribute("lost_ns", lost(All));
    Out.attributeObject("left_out", [&] {
      Out.attribute("positions", All.size() - Rows);
      Out.attribute("lost_ns", lost(All.drop_front(Rows)));
    });
    Out.attributeArray("rows", [&] {
      for (const PositionTimes &Each : All.take_front(Rows))
        writeRow(Each);
    });
  });
}

void writeLosses(json::OStream &Out, RecordingFacts &Of, const Simulation &Ran,
                 std::vector<PositionTimes> Times) {
  LossWriter(Out, Of, Ran).write(std::move(Times));
}

} // namespace blockmaestro
