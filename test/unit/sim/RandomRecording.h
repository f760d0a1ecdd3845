// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recordings made at random: launches, copies, barriers and relations of all
// kinds. The same seed gives the same one.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_RANDOMRECORDING_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_RANDOMRECORDING_H

#include "Handmade.h"

#include <random>

namespace blockmaestro::sim {

class Dice {
public:
  explicit Dice(uint32_t Seed) : Random(Seed) {}
  uint32_t upTo(uint32_t Most) { return Random() % (Most + 1); }
  bool oneIn(uint32_t Sides) { return upTo(Sides - 1) == 0; }

private:
  std::mt19937 Random;
};

inline RecordedRelation &addFull(Recording &To, uint64_t Producer,
                                 bool ProducerIsCopy, uint64_t Consumer,
                                 bool ConsumerIsCopy) {
  RecordedRelation &R = To.CopyRelations.emplace_back();
  R.Producer = Producer;
  R.ProducerIsCopy = ProducerIsCopy;
  R.Consumer = Consumer;
  R.ConsumerIsCopy = ConsumerIsCopy;
  const Dim3 Grid = ProducerIsCopy ? Dim3{1, 1, 1} : To.Launches[Producer].Grid;
  R.Header = {uint32_t(RelationKind::Full), 0, {Grid.X, Grid.Y, Grid.Z}};
  return R;
}

inline void addRandomLaunch(Recording &To, Dice &Roll) {
  std::vector<uint64_t> Ns(1 + Roll.upTo(20));
  for (uint64_t &Each : Ns)
    Each = 1 + Roll.upTo(50);
  const auto Id = uint32_t(To.Launches.size());
  addLaunch(To, Ns);
  To.Launches.back().SharedBytes = Roll.upTo(4) * 2500;
  To.Launches.back().Registers = Roll.oneIn(3) ? 0 : Roll.upTo(128);
  To.Launches.back().Block = {32 + 32 * Roll.upTo(31), 1, 1};
  for (uint32_t P = Id > To.Window ? Id - To.Window : 0; P < Id; ++P)
    if (Roll.oneIn(8)) {
      addRelation(To, P, Id, RelationKind::Full);
    } else if (Roll.oneIn(2)) {
      const int32_t Low = -int32_t(Roll.upTo(8));
      addDelta(To, P, Id, Low, Low + int32_t(Roll.upTo(9)));
    }
}

inline void addRandomCopy(Recording &To, Dice &Roll) {
  const bool Reads = Roll.oneIn(2);
  const bool Both = Roll.oneIn(4);
  const uint64_t Bytes = 1 + Roll.upTo(900);
  RecordedCopy &C = addCopy(To, "cudaMemcpyAsync", Reads || Both ? Bytes : 0,
                            Reads && !Both ? 0 : Bytes);
  if (Roll.oneIn(8))
    C.From = C.To = MemoryPlace(Roll.upTo(5));
  C.HostWaits = Roll.oneIn(3);
  if (!To.Launches.empty() && Roll.oneIn(2))
    addFull(To, To.Launches.size() - 1, false, C.Id, true);
}

/// When one of two threads asks for something, which computes before.
class RandomHost {
public:
  HostTime asks(Dice &Roll) {
    const uint32_t Thread = Roll.oneIn(4);
    Ns[Thread] += Roll.upTo(2) * Roll.upTo(40);
    return {Thread, Ns[Thread]};
  }

private:
  uint64_t Ns[2] = {};
};

inline Recording randomRecording(uint32_t Seed) {
  Dice Roll(Seed);
  Recording R;
  R.Window = 1 + Roll.upTo(3);
  RandomHost Host;
  for (int I = 0; I < 10; ++I) {
    if (Roll.oneIn(3)) {
      addRandomCopy(R, Roll);
      R.Copies.back().Asked = Host.asks(Roll);
    }
    if (Roll.oneIn(5))
      R.Barriers.push_back({R.Launches.size(), "call", R.Copies.size(),
                            Roll.oneIn(2), Host.asks(Roll)});
    if (Roll.oneIn(5))
      R.Waits.push_back(
          {R.Launches.size(), R.Copies.size(), "call",
           Roll.upTo(uint32_t(R.Launches.size() + R.Copies.size())),
           Host.asks(Roll)});
    addRandomLaunch(R, Roll);
    R.Launches.back().Asked = Host.asks(Roll);
    if (!R.Copies.empty() && Roll.oneIn(4))
      addFull(R, R.Copies.size() - 1, true, R.Launches.size() - 1, false);
  }
  return R;
}

} // namespace blockmaestro::sim

#endif
