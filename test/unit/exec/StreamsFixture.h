// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the tests of Streams share: works whose effects a test says,
// and a memory that shows in which order they have had them.

#ifndef BLOCKMAESTRO_TEST_UNIT_EXEC_STREAMSFIXTURE_H
#define BLOCKMAESTRO_TEST_UNIT_EXEC_STREAMSFIXTURE_H

#include "FakeStreams.h"
#include "Streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace blockmaestro {

inline void *streamNamed(intptr_t Number) {
  return reinterpret_cast<void *>(Number);
}
inline void *const One = streamNamed(1);
inline void *const Two = streamNamed(2);

/// What a work does to memory, which has one number in each place.
struct Effect {
  std::set<int> Reads, Writes;
  bool KeepsPlace = false;
};

/// Works whose effects a test says, and a memory that shows in which order they
/// have had them.
class StreamsTest : public testing::Test, public WorkRelations {
protected:
  StreamsTest() {
    Kernel.Parameters = {{0, 4, 4, false, false}};
    Kernel.ArgumentBytes = 4;
    Kernel.Name = "kernel";
    start(1);
  }

  /// A new GPU and executor.
  void start(uint64_t Seed, size_t Lanes = 8, size_t Window = 32,
             Streams::Policy When = Streams::Policy::Always) {
    Runs.reset();
    Gpu = std::make_unique<FakeStreams>(Seed);
    Gpu->Begin = [this](int Work) { Seen[Work] = look(Work); };
    Gpu->End = [this](int Work) { write(Work); };
    Runs = std::make_unique<Streams>(
        *Gpu, Lanes, Window, [this](void *) { return MaySpread; }, When);
    Runs->relateBy(this);
    Memory.assign(16, 1);
  }

  uint64_t version() const override { return Version; }
  OrderFinder orderOf(std::span<const GpuWork>,
                      const std::vector<bool> &) override {
    return {};
  }
  NeedsFinder needsOf(std::span<const GpuWork>) override { return {}; }

  struct TouchedPlaces final : Touched {
    explicit TouchedPlaces(int Work) : Work(Work) {}
    int Work;
  };
  static int numberOf(const GpuWork &What) {
    if (const auto *Copy = std::get_if<GpuCopy>(&What))
      return int(Copy->Bytes);
    if (const auto *Fill = std::get_if<GpuFill>(&What))
      return int(Fill->Bytes);
    return *static_cast<int *>(std::get<GpuLaunch>(What).Arguments[0]);
  }
  void describe(const GpuWork &What, std::vector<uint64_t> &Key) override {
    Key.push_back(uint64_t(numberOf(What)));
  }
  std::unique_ptr<Touched> touchedBy(const GpuWork &What) override {
    ++Asked;
    const int Work = numberOf(What);
    if (Effects.at(size_t(Work)).KeepsPlace)
      return nullptr;
    return std::make_unique<TouchedPlaces>(Work);
  }
  bool meet(Touched &A, Touched &B) override {
    ++Compared;
    const int Earlier = static_cast<TouchedPlaces &>(A).Work;
    const int Later = static_cast<TouchedPlaces &>(B).Work;
    return std::pair(Earlier, Later) != Forgotten &&
           conflict(Effects[size_t(Earlier)], Effects[size_t(Later)]);
  }
  static bool conflict(const Effect &A, const Effect &B) {
    const auto Share = [](const std::set<int> &X, const std::set<int> &Y) {
      return std::any_of(X.begin(), X.end(),
                         [&](int Each) { return Y.count(Each) != 0; });
    };
    return Share(A.Writes, B.Writes) || Share(A.Writes, B.Reads) ||
           Share(A.Reads, B.Writes);
  }

  /// A number of what the work finds.
  uint64_t look(int Work) const {
    const Effect &Mine = Effects[size_t(Work)];
    uint64_t Sum = uint64_t(Work) + 7;
    for (const std::set<int> *Each : {&Mine.Reads, &Mine.Writes})
      for (int Place : *Each)
        Sum = Sum * 0x9e3779b97f4a7c15 + Memory[size_t(Place)];
    return Sum;
  }
  /// It has looked all the time.
  void write(int Work) {
    const uint64_t Found = Seen[Work] * 31 + look(Work);
    for (int Place : Effects[size_t(Work)].Writes)
      Memory[size_t(Place)] = Found;
  }
  void runOnHost(int Work) {
    Seen[Work] = look(Work);
    write(Work);
  }

  /// The number of a work with this effect.
  int work(Effect What) {
    Effects.push_back(std::move(What));
    return int(Effects.size()) - 1;
  }
  Status run(int Work, void *Stream = One) {
    switch (Work % 8) {
    case 6:
      return Runs->run(GpuCopy{&Kernel, &Kernel, size_t(Work), Stream});
    case 7:
      return Runs->run(GpuFill{&Kernel, 0, size_t(Work), Stream});
    default:
      void *Arguments[] = {&Work};
      GpuLaunch Out;
      Out.Kernel = &Kernel;
      Out.Stream = Stream;
      Out.Arguments = Arguments;
      return Runs->run(Out);
    }
  }
  void runAll(const std::vector<int> &Works, void *Stream = One) {
    for (int Each : Works)
      ASSERT_TRUE(run(Each, Stream).ok());
  }
  /// A call of the program's that comes behind all.
  void call(int Work, void *Stream = One) {
    ASSERT_TRUE(Runs->fence().ok());
    Gpu->give(Stream, Work);
  }
  /// So many streams have the works of the last run.
  size_t streamsUsed() const {
    std::set<void *> All;
    for (const FakeStreams::Given &Each : Gpu->Works)
      All.insert(Each.Stream);
    return All.size();
  }
  void *streamOf(int Work) const {
    for (const FakeStreams::Given &Each : Gpu->Works)
      if (Each.Number == Work)
        return Each.Stream;
    return nullptr;
  }

  KernelRecord Kernel;
  std::deque<Effect> Effects;
  std::map<int, uint64_t> Seen;
  std::vector<uint64_t> Memory;
  std::pair<int, int> Forgotten{-1, -1};
  uint64_t Version = 1;
  unsigned Asked = 0, Compared = 0;
  bool MaySpread = true;
  std::unique_ptr<FakeStreams> Gpu;
  std::unique_ptr<Streams> Runs;
};

} // namespace blockmaestro

#endif
