// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies and fills as nodes among launches: what they wait for, what waits for
// them, and for how much of it the host waits.

#include "FrontEnd.h"
#include "Reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <unistd.h>
#include <vector>

using namespace blockmaestro;

namespace {

constexpr size_t Bytes = Elements * sizeof(int);

/// Device memory that holds 0, 1 and so on, and what does copies with it.
class CopyNodes : public RuntimeTest {
protected:
  void SetUp() override {
    for (int *&Each : Area)
      ASSERT_EQ(heap().allocate(HeapKind::Device, Bytes, at(Each)),
                cudaSuccess);
    ASSERT_EQ(heap().allocate(HeapKind::Host, Bytes, at(Pinned)), cudaSuccess);
  }
  void TearDown() override {
    (void)Front->drain("end");
    (void)engineState().Runs->waitAll();
    Front.reset();
    for (int *Each : Area)
      (void)heap().release(HeapKind::Device, Each);
    (void)heap().release(HeapKind::Host, Pinned);
  }

  static DeviceHeap &heap() { return memoryState().Heap; }
  static void **at(int *&Each) { return reinterpret_cast<void **>(&Each); }

  void start(uint64_t Seed = 0) {
    begin(Seed);
    Machine.Runner.Ran.clear();
    for (int *Each : Area) {
      std::fill_n(Each, Elements, 0);
      Front->allocated(Each, Bytes);
    }
    std::fill_n(Pinned, Elements, 0);
    Front->allocated(Pinned, Bytes);
  }

  cudaError_t step(int *From, int *To, cudaStream_t Stream = nullptr) {
    void *Args[] = {&From, &To};
    return Front->launch(
        {&Known, nullptr, dim3(Blocks), dim3(Threads), Args, 0, Stream});
  }
  cudaError_t copy(void *To, const void *From, size_t Count,
                   cudaMemcpyKind Kind = cudaMemcpyDefault) {
    return Front->copy(
        "cudaMemcpy",
        [=](const RuntimeCalls &Calls) {
          return Calls.cudaMemcpy(To, From, Count, Kind);
        },
        [=](const FindSymbol &, Request &Out) {
          Out = {CopyCommand{linearCopy(To, From, Count, Kind)}, nullptr,
                 Asker::Call};
          return cudaSuccess;
        },
        &Executor::drain);
  }
  cudaError_t copyAsync(void *To, const void *From, size_t Count,
                        cudaStream_t Stream = nullptr) {
    return Front->copy(
        "cudaMemcpyAsync",
        [=](const RuntimeCalls &Calls) {
          return Calls.cudaMemcpyAsync(To, From, Count, cudaMemcpyDefault,
                                       Stream);
        },
        [=](const FindSymbol &, Request &Out) {
          Out = {CopyCommand{linearCopy(To, From, Count, cudaMemcpyDefault)},
                 Stream, Asker::AsyncCall};
          return cudaSuccess;
        },
        &Executor::fence);
  }
  cudaError_t fill(void *Where, int Value, size_t Count) {
    return Front->copy(
        "cudaMemset",
        [=](const RuntimeCalls &Calls) {
          return Calls.cudaMemset(Where, Value, Count);
        },
        [=](const FindSymbol &Find, Request &Out) {
          return requestOf("cudaMemset", Find,
                           std::make_tuple(Where, Value, Count), Out);
        },
        &Executor::fence);
  }
  unsigned ran(uint64_t Launch) { return Machine.Runner.Ran[Launch]; }

  int *Area[4] = {};
  int *Pinned = nullptr;
};

TEST_F(CopyNodes, ARecordingSaysWhereTheirBytesAre) {
  Asked.RecordPath = testing::TempDir() + "bm-copy-nodes-test-" +
                     std::to_string(::getpid()) + ".bmr";
  start();
  std::vector<int> Pageable(Elements);
  int *Managed = nullptr;
  ASSERT_EQ(heap().allocate(HeapKind::Managed, Bytes, at(Managed)),
            cudaSuccess);
  EXPECT_EQ(copy(Area[0], Pageable.data(), Bytes), cudaSuccess);
  EXPECT_EQ(copyAsync(Pinned, Area[0], Bytes), cudaSuccess);
  EXPECT_EQ(copy(Area[1], Area[0], Bytes), cudaSuccess);
  EXPECT_EQ(copy(Managed, Area[0], Bytes), cudaSuccess);
  EXPECT_EQ(fill(Area[0], 1, 64), cudaSuccess);
  EXPECT_EQ(Front->releasing("cudaFree", Area[1]), cudaSuccess);
  EXPECT_TRUE(Front->finish().ok());
  const Result<Recording> Read = readRecording(Asked.RecordPath);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  std::string Places;
  for (const RecordedCopy &Each : Read->Copies)
    Places += std::string(MemoryPlaceNames[size_t(Each.From)]) + " to " +
              MemoryPlaceNames[size_t(Each.To)] + "; ";
  EXPECT_EQ(Places, "pageable to device; device to pinned; device to device; "
                    "device to managed; none to device; none to none; ");
  EXPECT_EQ(heap().release(HeapKind::Managed, Managed), cudaSuccess);
  EXPECT_EQ(std::remove(Asked.RecordPath.c_str()), 0);
}

TEST_F(CopyNodes, WaitForWhatTheyReadAndOverwrite) {
  start();
  step(Area[0], Area[1]);
  step(Area[2], Area[3]);
  EXPECT_EQ(copy(Area[0], Area[3], Bytes), cudaSuccess);
  step(Area[0], Area[2]);
  EXPECT_EQ(fill(Area[3], 1, 64), cudaSuccess);
  // The copy overwrites what launch 0 reads and reads what launch 1 writes;
  // launch 2 overwrites what launch 1 reads, which the copy implies.
  EXPECT_EQ(Trace, (Lines{"launch 0", "launch 1", "cudaMemcpy after 0 after 1",
                          "launch 2 after 2", "cudaMemset after 2"}));
  EXPECT_TRUE(Machine.Runner.Ran.empty());
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Area[2][0], 2);
  EXPECT_EQ(Area[3][15], 0x01010101);
  EXPECT_EQ(Area[3][16], 1);
}

TEST_F(CopyNodes, OnlyTheBytesTheyTouchCount) {
  start();
  step(Area[0], Area[1]);
  EXPECT_EQ(fill(Area[1] + Threads, 7, 4 * Threads), cudaSuccess);
  std::vector<int> Host(Threads);
  EXPECT_EQ(copy(Host.data(), Area[1] + Threads, 4 * Threads), cudaSuccess);
  EXPECT_EQ(Host, std::vector<int>(Threads, 0x07070707));
  EXPECT_LE(ran(0), 2u);
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Area[1][0], 1);
  EXPECT_EQ(Area[1][Threads], 0x07070707);
}

TEST_F(CopyNodes, PageableBytesAreTakenAtOnce) {
  start();
  std::vector<int> Host(Elements, 5);
  step(Area[0], Area[1]);
  for (bool Async : {false, true}) {
    EXPECT_EQ(Async ? copyAsync(Area[0], Host.data(), Bytes)
                    : copy(Area[0], Host.data(), Bytes),
              cudaSuccess);
    std::fill(Host.begin(), Host.end(), 6);
  }
  std::fill(Host.begin(), Host.end(), 9);
  EXPECT_TRUE(Machine.Runner.Ran.empty());
  step(Area[0], Area[2]);
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Area[1][7], 1);
  EXPECT_EQ(Area[2][7], 7);
}

TEST_F(CopyNodes, TheHostWaitsForWhatItReads) {
  start();
  step(Area[2], Area[3]);
  step(Area[0], Area[1]);
  std::vector<int> Host(Elements);
  EXPECT_EQ(copy(Host.data(), Area[1], Bytes), cudaSuccess);
  EXPECT_EQ(Host, std::vector<int>(Elements, 1));
  EXPECT_EQ(ran(0), 0u);
  EXPECT_EQ(ran(1), Blocks);
}

/// After a call that waits the program may look at memory of its own that an
/// earlier launch wrote, and write memory that one read.
TEST_F(CopyNodes, AWaitingCallFinishesWhatTouchesTheHostsMemory) {
  start();
  step(Area[0], Area[1]);
  step(Area[0], Pinned);
  std::vector<int> Host(Elements);
  EXPECT_EQ(copy(Area[2], Host.data(), Bytes), cudaSuccess);
  EXPECT_EQ(Pinned[Elements - 1], 1);
  EXPECT_EQ(ran(0), 0u);
  EXPECT_EQ(copyAsync(Area[3], Pinned, Bytes), cudaSuccess);
  EXPECT_EQ(copy(Host.data(), Area[2], Bytes), cudaSuccess);
  std::fill_n(Pinned, Elements, 8);
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Area[3][0], 1);
}

TEST_F(CopyNodes, PinnedMemoryIsReadInItsTurn) {
  start();
  EXPECT_EQ(copyAsync(Area[0], Pinned, Bytes), cudaSuccess);
  EXPECT_EQ(Trace, Lines{"cudaMemcpyAsync"});
  step(Area[1], Pinned);
  EXPECT_EQ(Trace.back(), "launch 0 after 0");
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Area[0][0], 0);
  EXPECT_EQ(Pinned[0], 1);
}

TEST_F(CopyNodes, ErrorsAreTheDevicesOwn) {
  start();
  step(Area[0], Area[1]);
  int Host = 0;
  const RuntimeCalls &Direct = Machine.calls();
  auto Same = [&](void *To, const void *From, size_t Count, int Kind) {
    const auto Which = static_cast<cudaMemcpyKind>(Kind);
    cudaError_t Expected = Direct.cudaMemcpy(To, From, Count, Which);
    EXPECT_NE(Expected, cudaSuccess);
    EXPECT_EQ(copy(To, From, Count, Which), Expected);
  };
  Same(Area[0], nullptr, 4, cudaMemcpyDefault);
  Same(Area[0], Area[1], Bytes + 1, cudaMemcpyDeviceToDevice);
  Same(Area[0], &Host, 4, cudaMemcpyDeviceToDevice);
  Same(Area[0], &Host, 4, 17);
  EXPECT_EQ(fill(&Host, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(copyAsync(Area[0], &Host, 4,
                      reinterpret_cast<cudaStream_t>(uintptr_t(77))),
            cudaErrorInvalidResourceHandle);
  // Each came behind what was in flight, as every call that is no node.
  EXPECT_EQ(Trace, (Lines{"launch 0", "drain", "drain", "drain", "drain",
                          "fence", "fence"}));
  EXPECT_EQ(copy(Area[0], Area[1], 0), cudaSuccess);
  EXPECT_EQ(Trace.back(), "drain");
}

TEST_F(CopyNodes, AFailureInFlightIsTheAnswerOfALaterCall) {
  start();
  Machine.Runner.Fail = true;
  step(Area[0], Area[1]);
  std::vector<int> Host(Elements);
  EXPECT_EQ(copy(Area[2], Host.data(), Bytes), cudaSuccess);
  EXPECT_EQ(copy(Host.data(), Area[1], Bytes), cudaErrorLaunchFailure);
  EXPECT_EQ(copy(Area[2], Host.data(), Bytes), cudaErrorLaunchFailure);
}

TEST_F(CopyNodes, ReleasedMemoryIsWaitedFor) {
  start();
  step(Area[2], Area[3]);
  step(Area[0], Area[1]);
  EXPECT_EQ(Front->releasing("cudaFree", Area[1]), cudaSuccess);
  EXPECT_EQ(ran(1), Blocks);
  EXPECT_EQ(ran(0), 0u);
  // Nobody knows this one.
  EXPECT_EQ(Front->releasing("cudaFree", Area[1]), cudaSuccess);
  EXPECT_EQ(ran(0), Blocks);
}

/// Memory that is only read may not go away under its reader either.
TEST_F(CopyNodes, ReleasedMemoryIsStillRead) {
  start();
  step(Area[2], Area[3]);
  step(Area[0], Area[1]);
  EXPECT_EQ(Front->releasing("cudaFree", Area[0]), cudaSuccess);
  EXPECT_EQ(ran(1), Blocks);
  EXPECT_EQ(ran(0), 0u);
}

TEST_F(CopyNodes, AnotherStreamIsRelatedToo) {
  start();
  step(Area[0], Area[1]);
  EXPECT_EQ(copyAsync(Area[1], Area[3], Bytes, cudaStreamPerThread),
            cudaSuccess);
  EXPECT_EQ(Trace, (Lines{"launch 0", "cudaMemcpyAsync after 0"}));
}

TEST_F(CopyNodes, InThePapersWindowTheyAreFences) {
  Asked.Paper = true;
  start();
  step(Area[0], Area[1]);
  EXPECT_EQ(copyAsync(Area[2], Area[3], Bytes), cudaSuccess);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence"}));
}

/// Launches that print come one after another.
TEST_F(CopyNodes, WhatIsPrintedComesInOrder) {
  KernelRecord Loud = Record;
  Loud.add(Feature::Prints);
  start();
  step(Area[2], Area[3]);
  Known.Record = &Loud;
  step(Area[0], Area[1]);
  step(Area[2], Area[3]);
  EXPECT_EQ(Trace, (Lines{"launch 0", "finish", "launch 1", "finish 1",
                          "launch 2 after 0"}));
  Known.Record = &Record;
}

/// The oldest that may still run is one more than what a new one runs beside.
TEST_F(CopyNodes, WhatIsPrintedComesInOrderHoweverManyCameBetween) {
  KernelRecord Loud = Record;
  Loud.add(Feature::Prints);
  Asked.Window = 1;
  start();
  Known.Record = &Loud;
  step(Area[0], Area[1]);
  Known.Record = &Record;
  step(Area[2], Area[3]);
  Known.Record = &Loud;
  step(Area[0], Area[1]);
  EXPECT_EQ(Trace,
            (Lines{"finish", "launch 0", "launch 1", "finish 0", "launch 2"}));
  Known.Record = &Record;
}

/// What the host notices without memory is done when a call that waits returns.
TEST_F(CopyNodes, AWaitingCallFinishesWhatPrintsOrAsserts) {
  for (Feature Noticed : {Feature::Prints, Feature::Asserts}) {
    KernelRecord Loud = Record;
    Loud.add(Noticed);
    start();
    step(Area[2], Area[3]);
    Known.Record = &Loud;
    step(Area[0], Area[1]);
    Known.Record = &Record;
    std::vector<int> Host(Elements);
    EXPECT_EQ(copy(Area[2], Host.data(), Bytes), cudaSuccess);
    EXPECT_EQ(ran(0), 0u);
    EXPECT_EQ(ran(1), Blocks);
  }
}

/// Copies in the middle of a loop, over whole areas and over parts, forwards
/// and backwards. Gives all the memory at the end.
class CopyLoops : public CopyNodes {
protected:
  std::vector<int> run(uint64_t Seed, bool Forgets) {
    Machine.Forgets = Forgets;
    start(Seed);
    std::vector<int> Host(Elements), Seen;
    for (int Round = 0; Round < 6; ++Round) {
      std::fill(Host.begin(), Host.end(), Round);
      copyAsync(Area[0], Host.data(), Bytes / 2);
      step(Area[0], Area[1]);
      copyAsync(Area[2] + 40, Area[1] + 8, 400);
      fill(Area[1] + 100, Round, 128);
      step(Area[2], Area[3]);
      copy(Area[0] + 128, Area[3], Bytes / 2);
      if (Round % 2)
        copy(Host.data(), Area[1], Bytes);
      Seen.insert(Seen.end(), Host.begin(), Host.end());
    }
    EXPECT_EQ(Front->drain("end"), cudaSuccess);
    for (const int *Each : Area)
      Seen.insert(Seen.end(), Each, Each + Elements);
    return Seen;
  }
};

/// The same, one thing after another.
std::vector<int> oneByOne() {
  std::vector<int> Area[4], Host(Elements), Seen;
  for (std::vector<int> &Each : Area)
    Each.assign(Elements, 0);
  auto Step = [](const std::vector<int> &From, std::vector<int> &To) {
    for (size_t I = 0; I < Elements; ++I)
      To[I] = From[I] + 1;
  };
  for (int Round = 0; Round < 6; ++Round) {
    std::fill(Host.begin(), Host.end(), Round);
    std::copy_n(Host.begin(), Elements / 2, Area[0].begin());
    Step(Area[0], Area[1]);
    std::copy_n(Area[1].begin() + 8, 100, Area[2].begin() + 40);
    std::fill_n(Area[1].begin() + 100, 32, Round * 0x01010101);
    Step(Area[2], Area[3]);
    std::copy_n(Area[3].begin(), Elements / 2, Area[0].begin() + 128);
    if (Round % 2)
      Host = Area[1];
    Seen.insert(Seen.end(), Host.begin(), Host.end());
  }
  for (const std::vector<int> &Each : Area)
    Seen.insert(Seen.end(), Each.begin(), Each.end());
  return Seen;
}

TEST_F(CopyLoops, LostRelationsShow) {
  const std::vector<int> Right = oneByOne();
  int Wrong[2] = {0, 0};
  for (bool Forgets : {false, true})
    for (uint64_t Seed = 0; Seed < 30; ++Seed)
      Wrong[Forgets] += run(Seed, Forgets) != Right;
  EXPECT_EQ(Wrong[false], 0);
  EXPECT_GT(Wrong[true], 20);
}

/// Boxes of rows and slices as accesses, against the bytes themselves.
TEST(PreparedWork, BoxesAreExactlyTheirBytes) {
  AllocationMap Known;
  Known.add({4096, 100000});
  const TouchedBox Boxes[] = {
      {4096, 64, 1, 0, 1, 0, true, false},            // A row.
      {4100, 20, 5, 80, 1, 0, false, false},          // Rows.
      {4096 + 81 * 16, 16, 3, 16, 1, 0, true, false}, // Rows without gaps.
      {4096 + 330, 12, 3, 32, 4, 320, true, false},   // Slices.
      {4096 + 24, 20, 4, 32, 1, 0, true, false}, // Rows over the pitch's end.
      {77, 12, 3, 32, 1, 0, true, false},        // Memory nobody knows.
  };
  for (const TouchedBox &Box : Boxes) {
    const BlockAccess Made = accessesOf({Box}, Known).Accesses.at(0);
    std::set<uint64_t> Expected, Touched;
    for (size_t Z = 0; Z < Box.Slices; ++Z)
      for (size_t Y = 0; Y < Box.Rows; ++Y)
        for (size_t X = 0; X < Box.Width; ++X)
          Expected.insert(Box.Address + Z * Box.SlicePitch + Y * Box.Pitch + X);
    std::vector<uint64_t> At = {Made.Where.Base};
    for (const Coordinate &Each : Made.Coordinates) {
      std::vector<uint64_t> Next;
      for (uint64_t Base : At)
        for (int64_t I = 0; I < Each.Count; ++I)
          Next.push_back(Base + uint64_t(Each.Stride * (Each.Base + I)));
      At = std::move(Next);
    }
    Touched.insert(At.begin(), At.end());
    EXPECT_EQ(Made.Kind, Box.Writes ? AccessKind::Write : AccessKind::Read);
    EXPECT_EQ(Touched.size(), At.size()) << "an address twice";
    if (Made.Exact)
      EXPECT_EQ(Touched, Expected) << Box.Address;
    else
      EXPECT_TRUE(std::includes(Touched.begin(), Touched.end(),
                                Expected.begin(), Expected.end()));
    EXPECT_EQ(Made.Exact, Box.Address != 4096 + 24);
    EXPECT_EQ(Made.Where.Base, Box.Address == 77 ? 77u : 4096u);
  }
}

} // namespace
