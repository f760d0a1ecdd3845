// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose blocks may run several at once, and kernels that look as if
// they could; and what is done once for a row of threads.

#include "KernelFixture.h"

#include <functional>
#include <numeric>
#include <vector>

using namespace blockmaestro;

namespace {

class EmulatorStripTest : public KernelFixture {
protected:
  /// Runs all blocks in ranges that begin and end anywhere.
  void runRanges(const Launch &L, uint64_t Most) {
    Status Ready = Device->prepare(L);
    ASSERT_TRUE(Ready.ok()) << Ready.message();
    uint64_t Count = 1;
    for (uint64_t First = 0; First < L.Grid.count(); First += Count) {
      Count = std::min(First % Most + 1, L.Grid.count() - First);
      Status S = Device->runRange(L, First, Count, 0);
      ASSERT_TRUE(S.ok()) << S.message();
    }
  }
};

struct Picture {
  int W, H;
  Dim3 Block;
};

TEST_F(EmulatorStripTest, APictureComesOutWhateverRunsAtOnce) {
  const Picture Pictures[] = {{70, 37, {16, 16}}, {16, 16, {16, 16}},
                              {1, 1, {8, 8}},     {2, 9, {4, 4}},
                              {200, 5, {32, 2}},  {33, 20, {1, 16}},
                              {65, 9, {16, 1}},   {3000, 3, {64, 4}}};
  for (const Picture &P : Pictures)
    for (uint64_t Most : {1, 3, 7, 1000}) {
      std::vector<int> In(P.W * P.H), Out(P.W * P.H, -1), Want(P.W * P.H, -1);
      for (size_t K = 0; K < In.size(); ++K)
        In[K] = int(K * 7919 % 1009);
      for (int Y = 1; Y < P.H - 1; ++Y)
        for (int X = 1; X < P.W - 1; ++X) {
          const int *At = &In[Y * P.W + X];
          Want[Y * P.W + X] =
              At[-1] + 10 * At[1] + 100 * At[-P.W] + 1000 * At[P.W];
        }
      Dim3 Grid{(P.W + P.Block.X - 1) / P.Block.X,
                (P.H + P.Block.Y - 1) / P.Block.Y};
      runRanges(launch("cross", Grid, P.Block, In.data(), Out.data(), P.W, P.H),
                Most);
      ASSERT_EQ(Out, Want) << P.W << " x " << P.H << ", ranges of " << Most;
    }
}

struct Seer {
  const char *Kernel;
  /// What thread \p T of block \p B, of \p N threads, writes.
  std::function<int(int T, int B, int N)> Want;
};

TEST_F(EmulatorStripTest, EveryThreadSeesItsOwnPlace) {
  const Seer Seers[] = {
      {"sees", [](int T, int B, int) { return 1000 * B + T; }},
      {"seesParity",
       [](int T, int B, int N) {
         return B * N + T + (T & 1 ? 100 : 0) + (B & 1 ? 1000 : 0);
       }},
      {"seesGap", [](int T, int B, int N) { return B * (N + 1) + T; }},
      {"seesFirst",
       [](int T, int B, int N) { return T == 0 ? -1 : 3 * (B * N + T); }},
      {"seesWide", [](int T, int B, int N) { return 3 * (B * N + T); }},
      {"seesShared", [](int T, int B, int N) { return B * N + T + 1; }},
      {"seesMasks", [](int T, int B, int N) {
         int I = B * N + T;
         return I ^ (I >> 1) ^ (-I);
       }}};
  for (const Seer &Each : Seers)
    for (unsigned Threads : {1, 8, 24, 32})
      for (unsigned Blocks : {1, 2, 9}) {
        std::vector<int> Out(Threads * Blocks, -7), Want;
        for (unsigned K = 0; K < Out.size(); ++K)
          Want.push_back(Each.Want(K % Threads, K / Threads, Threads));
        runRanges(launch(Each.Kernel, {Blocks}, {Threads}, Out.data()), 100);
        ASSERT_EQ(Out, Want)
            << Each.Kernel << ", " << Blocks << " blocks of " << Threads;
      }
}

TEST_F(EmulatorStripTest, AThreadSeesItsOwnWrites) {
  std::vector<int> Data = {40}, Out(2);
  runAll(launch("increments", {1}, {1}, Data.data()));
  EXPECT_EQ(Data[0], 41);
  runAll(launch("loadsAfter", {1}, {1}, Data.data(), Out.data()));
  EXPECT_EQ(Out, (std::vector<int>{41, 7}));
  Data[0] = 1;
  runAll(launch("loadsInLoop", {1}, {1}, Data.data(), Out.data(), 4));
  EXPECT_EQ(Out[0], 1 + 1 + 3 + 7);
}

TEST_F(EmulatorStripTest, RowsThatDoNotPassLoadNothing) {
  const int W = 21, Rows = 8;
  const std::vector<int> Scale = {3, 5, 7, 11, 13, 17, 19, 23, 29};
  for (auto [First, Last] :
       {std::pair(0, 8), {2, 5}, {7, 100}, {-4, 1}, {5, 5}, {8, 9}}) {
    bool Any = std::max(First, 0) < std::min(Last, Rows);
    std::vector<int> Out(3 * Rows * W, -1), Want(3 * Rows * W, -1);
    for (int Z : {0, 2})
      for (int Y = std::max(First, 0); Y < std::min(Last, Rows); ++Y)
        for (int X = 0; X < W; ++X)
          if ((X & 3) != 3)
            Want[(Z * Rows + Y) * W + X] = X * Scale[0] + Y * Scale[1 + Y];
    runAll(launch("loadsBehindGuards", {3, 2}, {8, 4, 3},
                  Any ? Scale.data() : nullptr, Out.data(), W, First, Last));
    EXPECT_EQ(Out, Want) << First << " to " << Last;
  }
  std::vector<int> Out(3 * Rows * W, -1);
  runAll(launch("loadsBehindGuards", {3, 2}, {8, 4, 3},
                static_cast<const int *>(nullptr), Out.data(), 0, 0, 8));
  EXPECT_EQ(Out, std::vector<int>(3 * Rows * W, -1));
}

TEST_F(EmulatorStripTest, TheBlockThatFailsIsNamed) {
  int Right = 0;
  std::vector<int *> Wrong(400, &Right);
  Wrong[100] = nullptr;
  std::vector<int> Out(64);
  Launch L =
      launch("touches", {8}, {32}, Out.data(), Wrong.data(), int(Out.size()));
  ASSERT_TRUE(Device->prepare(L).ok());
  Status S = Device->runRange(L, 0, 8, 0);
  ASSERT_FALSE(S.ok());
  EXPECT_NE(S.message().find("block (5,0,0)"), std::string::npos)
      << S.message();
}

} // namespace
