// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostBlock.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <sys/mman.h>

using namespace blockmaestro;

namespace {

using Outcome = ThreadScheduler::Outcome;

/// Something the compiler takes for an address like any other.
volatile int *volatile Wild = reinterpret_cast<int *>(16);

/// Uses stack without end.
BM_SWITCHES __attribute__((noinline)) int descend(volatile int *Above,
                                                  int Depth) {
  volatile int Here[64];
  Here[Depth % 64] = *Above + Depth;
  return Depth < 0 ? 0 : descend(Here, Depth + 1) + Here[0];
}

class FaultsTest : public testing::Test {
protected:
  void SetUp() override { claimFaults(); }
};

TEST_F(FaultsTest, AWildAccessEndsTheBlockAndNothingElse) {
  HostBlock B(64, [&](BlockContext *C, uint32_t T) {
    bm_barrier(C, 1, 0, 0);
    if (T == 40)
      *Wild = 1;
    bm_barrier(C, 1, 0, 0);
  });
  ASSERT_EQ(B.run(), Outcome::Failed);
  EXPECT_EQ(B.status().code(), StatusCode::IllegalAddress);
  EXPECT_EQ(B.sentence(), "kernel 'k' accessed an illegal address 0x10: block "
                          "(0,0,0), thread (40,0,0)");
  HostBlock Next(64,
                 [&](BlockContext *C, uint32_t) { bm_barrier(C, 1, 0, 0); });
  Next.runToEnd();
}

TEST_F(FaultsTest, AnAddressOfNoMachineIsIllegalToo) {
  Wild = reinterpret_cast<int *>(0x123456789abcdef0);
  HostBlock B(1, [&](BlockContext *, uint32_t) { *Wild = 1; });
  ASSERT_EQ(B.run(), Outcome::Failed);
  EXPECT_EQ(B.status().code(), StatusCode::IllegalAddress);
  EXPECT_EQ(B.sentence(), "kernel 'k' accessed an illegal address: block "
                          "(0,0,0), thread (0,0,0)");
  Wild = reinterpret_cast<int *>(16);
}

TEST_F(FaultsTest, RecursionWithoutEndRunsOutOfStack) {
  for (int Again = 0; Again < 3; ++Again) {
    HostBlock B(
        2,
        [&](BlockContext *C, uint32_t T) {
          volatile int Start = 1;
          bm_barrier(C, 1, 0, 0);
          if (T == 1)
            descend(&Start, 0);
        },
        /*Guarded=*/true);
    ASSERT_EQ(B.run(), Outcome::Failed);
    EXPECT_EQ(B.status().code(), StatusCode::StackOverflow);
    EXPECT_EQ(B.sentence(),
              "kernel 'k' ran out of stack: block (0,0,0), thread (1,0,0)");
  }
}

TEST_F(FaultsTest, CodeOfAKernelSaysWhatItDiesOf) {
  struct Row {
    FaultKind Kind;
    StatusCode Code;
  };
  for (Row R : {Row{FaultKind::Trap, StatusCode::Trap},
                Row{FaultKind::Assertion, StatusCode::Assertion},
                Row{FaultKind::Misaligned, StatusCode::Misaligned},
                Row{FaultKind::Stuck, StatusCode::Stuck}}) {
    HostBlock B(8, [&](BlockContext *C, uint32_t T) {
      if (T == 5)
        bm_fault(C, T, uint32_t(R.Kind), 2);
    });
    ASSERT_EQ(B.run(), Outcome::Failed);
    EXPECT_EQ(B.status().code(), R.Code);
    EXPECT_NE(B.sentence().find("thread (5,0,0), at a.cu:2"),
              std::string::npos);
  }
}

TEST_F(FaultsTest, CodeOnTheWorkersOwnStackIsGivenUpTheSameWay) {
  for (int Again = 0; Again < 3; ++Again) {
    Fault Died;
    RunningCode Code(Died, nullptr);
    bool Ended =
        bm_guarded_call(&Code.Below, [](void *) { *Wild = 1; }, nullptr);
    EXPECT_FALSE(Ended);
    EXPECT_TRUE(Code.GivenUp);
    EXPECT_EQ(Died.Kind, FaultKind::IllegalAddress);
    EXPECT_EQ(Died.Thread, Fault::UnknownThread);
    int Called = 0;
    Ended = bm_guarded_call(
        &Code.Below, [](void *N) { ++*static_cast<int *>(N); }, &Called);
    EXPECT_TRUE(Ended);
    EXPECT_EQ(Called, 1);
    Code.Below = nullptr;
  }
}

TEST_F(FaultsTest, WithoutMemoryForStacksTheBlockFails) {
  HostBlock B(64, [&](BlockContext *C, uint32_t) { bm_barrier(C, 1, 0, 0); });
  StackPool Impossible(size_t(1) << 46, /*Guarded=*/false);
  B.Scheduler.release();
  B.Scheduler.begin(
      B.Context, [](BlockContext *, uint32_t, uint32_t, uint32_t) {},
      Impossible);
  ASSERT_EQ(B.run(), Outcome::Failed);
  EXPECT_EQ(B.status().code(), StatusCode::OutOfMemory);
  EXPECT_NE(B.sentence().find("has no memory"), std::string::npos);
  B.Scheduler.release();
}

sigjmp_buf Back;
std::atomic<int> Handled{0};

TEST_F(FaultsTest, TheProgramsOwnHandlerGetsTheProgramsFaults) {
  struct sigaction Own{}, Before{};
  Own.sa_handler = [](int) {
    ++Handled;
    siglongjmp(Back, 1);
  };
  sigaction(SIGSEGV, &Own, &Before);
  claimFaults();
  if (sigsetjmp(Back, 1) == 0)
    *Wild = 1;
  EXPECT_EQ(Handled, 1);
  HostBlock B(4, [&](BlockContext *, uint32_t) { *Wild = 1; });
  EXPECT_EQ(B.run(), Outcome::Failed);
  EXPECT_EQ(B.status().code(), StatusCode::IllegalAddress);
  EXPECT_EQ(Handled, 1);
  if (sigsetjmp(Back, 1) == 0)
    *Wild = 1;
  EXPECT_EQ(Handled, 2);
  sigaction(SIGSEGV, &Before, nullptr);
}

struct sigaction Found;

// A handler that was put over ours and hands on to it must not go in circles.
TEST_F(FaultsTest, AHandlerThatHandsOnReachesTheOneBefore) {
  struct sigaction First{}, Second{}, Before{};
  First.sa_handler = [](int) {
    ++Handled;
    siglongjmp(Back, 1);
  };
  sigaction(SIGSEGV, &First, &Before);
  claimFaults();
  Second.sa_flags = SA_SIGINFO;
  Second.sa_sigaction = [](int Signal, siginfo_t *Info, void *Context) {
    Found.sa_sigaction(Signal, Info, Context);
  };
  sigaction(SIGSEGV, &Second, &Found);
  claimFaults();
  Handled = 0;
  if (sigsetjmp(Back, 1) == 0)
    *Wild = 1;
  EXPECT_EQ(Handled, 1);
  sigaction(SIGSEGV, &Before, nullptr);
}

TEST_F(FaultsTest, WithoutAHandlerTheProgramDiesOfItsFault) {
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_DFL);
        claimFaults();
        *Wild = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

} // namespace
