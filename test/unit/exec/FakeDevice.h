// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the executors' tests share: a runner that notes what ran
// when, and tasks made of a few kinds of encoded relations.

#ifndef BLOCKMAESTRO_TEST_UNIT_EXEC_FAKEDEVICE_H
#define BLOCKMAESTRO_TEST_UNIT_EXEC_FAKEDEVICE_H

#include "Executor.h"

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace blockmaestro {

using Ran = std::pair<uint64_t, uint64_t>; ///< Launch and block.

class FakeRunner : public BlockRunner {
public:
  Status prepare(const Launch &What) override {
    Prepared.push_back(What.Id);
    return Refuse;
  }
  Status run(const Launch &What, uint64_t Block, unsigned Worker,
             BlockCost *Cost) override {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Cost)
      Cost->Other = 100 * What.Id + Block;
    Order.push_back({What.Id, Block});
    Workers.push_back(Worker);
    if (Ran(What.Id, Block) == FailAt)
      return Status(StatusCode::Device, "block failed");
    if (Body)
      Body(What.Id, Block);
    return Status();
  }

  std::vector<uint64_t> Prepared;
  std::vector<Ran> Order;
  std::vector<unsigned> Workers;
  std::function<void(uint64_t Launch, uint64_t Block)> Body;
  Ran FailAt{~0ull, ~0ull};
  Status Refuse;

private:
  std::mutex Lock;
};

class FakeSink : public EventSink {
public:
  void blockRan(const Event &What, const BlockCost *Cost) override {
    std::lock_guard<std::mutex> Guard(Lock);
    Events.push_back(What);
    Costs.push_back(Cost ? Cost->Other : ~0ull);
  }
  std::vector<Event> Events;
  std::vector<uint64_t> Costs;

private:
  std::mutex Lock;
};

inline const KernelRecord &fakeKernel() {
  static const KernelRecord Kernel = [] {
    KernelRecord K;
    K.Symbol = K.Name = "fake";
    return K;
  }();
  return Kernel;
}

inline Task makeTask(uint64_t Id, Dim3 Grid,
                     std::vector<Dependence> Needs = {}) {
  auto L = std::make_shared<Launch>();
  L->Id = Id;
  L->Kernel = &fakeKernel();
  L->Grid = Grid;
  return {L, std::move(Needs), nullptr, Id};
}

/// All blocks of \p Producer.
inline Dependence needAll(uint64_t Producer, Dim3 Grid) {
  Dependence D;
  D.Producer = Producer;
  D.Header = {uint32_t(RelationKind::Full), 0, {Grid.X, Grid.Y, Grid.Z}};
  return D;
}

/// Consumer (x,y) waits for (x+LowX..x+HighX, y) of \p Producer where that
/// exists; grids are alike.
inline EncodedPiece neighbours(Dim3 Grid, int32_t LowX, int32_t HighX) {
  EncodedPiece P{};
  for (int D = 0; D < 3; ++D) {
    P.ConsumerHigh[D] = P.ProducerHigh[D] = int32_t(Grid[D]) - 1;
    P.Rows[D].A[D] = 1;
    P.Rows[D].D = 1;
  }
  P.Rows[0].Low = LowX;
  P.Rows[0].High = HighX;
  return P;
}

inline Dependence need(uint64_t Producer, Dim3 Grid,
                       std::vector<EncodedPiece> Pieces) {
  Dependence D;
  D.Producer = Producer;
  D.Header = {uint32_t(RelationKind::Closed),
              uint32_t(Pieces.size()),
              {Grid.X, Grid.Y, Grid.Z}};
  D.Pieces = std::move(Pieces);
  return D;
}

} // namespace blockmaestro

#endif
