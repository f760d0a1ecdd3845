// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFixture.h"

#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

using namespace blockmaestro;

namespace {

class EmulatorTest : public KernelFixture {};

TEST_F(EmulatorTest, GuardKeepsTheLastBlockInside) {
  const int N = 1000;
  std::vector<float> A(N), B(N), C(N + 24, -1);
  std::iota(A.begin(), A.end(), 0.f);
  std::iota(B.begin(), B.end(), 0.5f);
  runAll(launch("addGuarded", {4}, {256}, A.data(), B.data(), C.data(), N));
  for (int I = 0; I < N; ++I)
    ASSERT_EQ(C[I], 2 * I + 0.5f);
  for (int I = N; I < N + 24; ++I)
    EXPECT_EQ(C[I], -1);
}

TEST_F(EmulatorTest, EveryIndexIsSeenInThreeDimensions) {
  const Dim3 Grid{2, 3, 4}, Block{5, 2, 3};
  std::vector<int> Out(Grid.count() * Block.count() * 12, -1);
  runAll(launch("indices", Grid, Block, Out.data()));
  for (uint64_t B = 0; B < Grid.count(); ++B)
    for (uint64_t T = 0; T < Block.count(); ++T) {
      Dim3 InGrid = blockOf(B, Grid), InBlock = blockOf(T, Block);
      const int *Mine = &Out[12 * (B * Block.count() + T)];
      for (unsigned D = 0; D < 3; ++D) {
        ASSERT_EQ(Mine[D], int(InBlock[D]));
        ASSERT_EQ(Mine[3 + D], int(InGrid[D]));
        ASSERT_EQ(Mine[6 + D], int(Block[D]));
        ASSERT_EQ(Mine[9 + D], int(Grid[D]));
      }
    }
}

TEST_F(EmulatorTest, TransposeThroughASharedTile) {
  const int Width = 24, Height = 16;
  std::vector<float> In(Width * Height), Out(Width * Height);
  std::iota(In.begin(), In.end(), 1.f);
  runAll(launch("transpose", {3, 2}, {8, 8}, In.data(), Out.data(), Width,
                Height));
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X)
      ASSERT_EQ(Out[X * Height + Y], In[Y * Width + X]);
}

TEST_F(EmulatorTest, AnIndexThatWrapsWithinARow) {
  std::vector<int> Row(3 * 32), Out(2 * 32);
  runAll(launch("rotate", {2}, {32}, Row.data(), Out.data()));
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(Out[I], 100 + (I + 19) % 32);
}

TEST_F(EmulatorTest, BarrierInALoop) {
  std::vector<int> In(3 * 256), Out(3);
  std::iota(In.begin(), In.end(), 0);
  Launch L = launch("reduce", {3}, {256}, In.data(), Out.data());
  L.DynamicSharedBytes = 256 * sizeof(int);
  runAll(L);
  for (int B = 0; B < 3; ++B)
    EXPECT_EQ(Out[B], 256 * 256 * B + 255 * 128);
}

TEST_F(EmulatorTest, ABarrierCountsTheThreadsThatArrive) {
  std::vector<int> Out(96);
  for (int T = 0; T < 96; ++T)
    Out[T] = T % 3 == 0 ? 7 : 0;
  runAll(launch("barrierCount", {1}, {96}, Out.data()));
  for (int T = 0; T < 96; ++T)
    EXPECT_EQ(Out[T], 32);
}

TEST_F(EmulatorTest, ThreadsThatReturnCountAsArrived) {
  std::vector<int> Out(64, -1);
  Launch L = launch("earlyExit", {1}, {64}, Out.data(), 40);
  L.DynamicSharedBytes = 40 * sizeof(int);
  runAll(L);
  for (int T = 0; T < 40; ++T)
    EXPECT_EQ(Out[T], 10 * (39 - T) + 100 * (T % 3));
  for (int T = 40; T < 64; ++T)
    EXPECT_EQ(Out[T], -1);
}

TEST_F(EmulatorTest, AStructByValueIsEachThreadsOwn) {
  struct Scaled {
    float *Data;
    int N;
    double Factor;
  };
  std::vector<float> Data(8, 2.f);
  runAll(launch("byValue", {1}, {8}, Scaled{Data.data(), 6, 10.0}));
  for (int I = 0; I < 8; ++I)
    EXPECT_EQ(Data[I], I < 6 ? 2.f * (10 + I) : 2.f);
}

TEST_F(EmulatorTest, DeviceGlobalsLiveInHostMemory) {
  Result<Allocation> Total = Device->findGlobal("Total", nullptr);
  Result<Allocation> Weights = Device->findGlobal("Weights", nullptr);
  ASSERT_TRUE(Total.ok()) << Total.status().message();
  ASSERT_TRUE(Weights.ok());
  EXPECT_EQ(Total->Bytes, sizeof(int));
  int *TotalAt = reinterpret_cast<int *>(Total->Base);
  EXPECT_EQ(*TotalAt, 5);
  reinterpret_cast<float *>(Weights->Base)[2] = 30;
  std::vector<float> Out(8);
  runAll(launch("globals", {2}, {8}, Out.data()));
  EXPECT_EQ(*TotalAt, 5 + 16);
  EXPECT_EQ(Out, (std::vector<float>{12, 13, 41, 15, 12, 13, 41, 15}));
  EXPECT_EQ(Device->findGlobal("Total", nullptr)->Base, Total->Base);
}

TEST_F(EmulatorTest, ResetGivesVariablesTheirInitialValues) {
  std::vector<float> Out(8);
  runAll(launch("globals", {2}, {8}, Out.data()));
  Result<Allocation> Total = Device->findGlobal("Total", nullptr);
  Result<Allocation> Weights = Device->findGlobal("Weights", nullptr);
  ASSERT_TRUE(Total.ok() && Weights.ok());
  reinterpret_cast<float *>(Weights->Base)[2] = 30;
  const std::vector<float> First = Out;
  Device->reset();
  EXPECT_EQ(*reinterpret_cast<int *>(Total->Base), 5);
  EXPECT_EQ(Device->findGlobal("Total", nullptr)->Base, Total->Base);
  runAll(launch("globals", {2}, {8}, Out.data()));
  EXPECT_EQ(Out, First);
}

TEST_F(EmulatorTest, AnUnknownGlobalIsNotFound) {
  Result<Allocation> None = Device->findGlobal("Missing", nullptr);
  ASSERT_FALSE(None.ok());
  EXPECT_EQ(None.status().code(), StatusCode::NotFound);
}

TEST_F(EmulatorTest, MathIsTheHosts) {
  const int N = 16;
  std::vector<float> In(N), Out(8 * N);
  std::vector<double> Wide(2 * N);
  std::vector<unsigned> Whole(2 * N);
  for (int I = 0; I < N; ++I)
    In[I] = 0.25f * (I + 1);
  runAll(launch("math", {1}, {N}, In.data(), Out.data(), Wide.data(),
                Whole.data()));
  for (int I = 0; I < N; ++I) {
    float X = In[I];
    const float *F = &Out[8 * I];
    EXPECT_FLOAT_EQ(F[0], std::sqrt(X));
    EXPECT_FLOAT_EQ(F[1], std::exp(X));
    EXPECT_FLOAT_EQ(F[2], std::sin(X) + std::fmin(X, 1.f));
    EXPECT_FLOAT_EQ(F[3], 1 / std::sqrt(X));
    EXPECT_FLOAT_EQ(F[4], std::pow(X, 1.5f));
    EXPECT_FLOAT_EQ(F[5], std::erf(X));
    EXPECT_FLOAT_EQ(F[6], X * X + 1);
    EXPECT_FLOAT_EQ(F[7], X / 3);
    EXPECT_DOUBLE_EQ(Wide[2 * I], std::log(double(X)) + std::sqrt(double(X)));
    EXPECT_DOUBLE_EQ(Wide[2 * I + 1], std::atan2(double(X), 2.0));
    EXPECT_EQ(Whole[2 * I], (0x80000000ull + I) * 6 >> 32);
    EXPECT_EQ(int(Whole[2 * I + 1]),
              __builtin_popcount(I) + __builtin_clz(1 + I));
  }
}

TEST_F(EmulatorTest, TwoWorkersRunBlocksOfOneLaunch) {
  const int Blocks = 64, Threads = 128;
  std::vector<int> In(Blocks * Threads), Bins(4), Largest(1);
  std::vector<float> Sum(1);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = I % 4;
  Launch L = launch("histogram", {Blocks}, {Threads}, In.data(), Bins.data(),
                    Largest.data(), Sum.data());
  Status Seen[2];
  auto Half = [&](unsigned Worker) {
    for (unsigned B = Worker; B < Blocks && Seen[Worker].ok(); B += 2)
      Seen[Worker] = Device->run(L, B, Worker, nullptr);
  };
  std::thread Other(Half, 1);
  Half(0);
  Other.join();
  EXPECT_TRUE(Seen[0].ok() && Seen[1].ok());
  EXPECT_EQ(Bins, std::vector<int>(4, Blocks * Threads / 4));
  EXPECT_EQ(Largest[0], 3);
  EXPECT_EQ(Sum[0], 0.5f * Blocks * Threads);
}

TEST_F(EmulatorTest, TwoWorkersHaveSharedMemoryOfTheirOwn) {
  const int Blocks = 200;
  std::vector<int> In(Blocks * 64), Out(Blocks);
  std::iota(In.begin(), In.end(), 0);
  Launch L = launch("reduce", {Blocks}, {64}, In.data(), Out.data());
  L.DynamicSharedBytes = 64 * sizeof(int);
  auto Half = [&](unsigned Worker) {
    for (unsigned B = Worker; B < Blocks; B += 2)
      EXPECT_TRUE(Device->run(L, B, Worker, nullptr).ok());
  };
  std::thread Other(Half, 1);
  Half(0);
  Other.join();
  for (int B = 0; B < Blocks; ++B)
    ASSERT_EQ(Out[B], 64 * 64 * B + 63 * 32);
}

TEST_F(EmulatorTest, AModuleAddedLaterIsFound) {
  std::unique_ptr<Emulator> Fresh(blockmaestroMakeEmulator());
  std::vector<float> A(4, 1), B(4, 2), C(4);
  Launch L = launch("addGuarded", {1}, {4}, A.data(), B.data(), C.data(), 4);
  EXPECT_EQ(Fresh->prepare(L).code(), StatusCode::NotFound);
  ASSERT_TRUE(Fresh->addModules({&Module}).ok());
  EXPECT_TRUE(Fresh->prepare(L).ok());
  EXPECT_TRUE(Fresh->run(L, 0, 0, nullptr).ok());
  EXPECT_EQ(C, std::vector<float>(4, 3));
}

TEST_F(EmulatorTest, TheFirstModuleWithTheKernelIsUsed) {
  ModuleRecord Broken = Module;
  Broken.Bitcode.resize(100);
  ASSERT_TRUE(Device->addModules({&Broken}).ok());
  std::vector<float> A(4, 1), B(4, 2), C(4);
  runAll(launch("addGuarded", {1}, {4}, A.data(), B.data(), C.data(), 4));
  EXPECT_EQ(C, std::vector<float>(4, 3));
}

} // namespace
