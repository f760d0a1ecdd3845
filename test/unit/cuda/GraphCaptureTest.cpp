// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Captures: which streams belong to them, what they allow and what ruins them.

#include "emulated/graphs/GraphState.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace blockmaestro;
using namespace blockmaestro::emulated;

namespace {

/// Streams and events are only names here.
class CaptureTest : public testing::Test {
protected:
  static StreamName stream(uintptr_t Number, bool Blocking = false) {
    return {reinterpret_cast<const void *>(Number), Blocking, false};
  }
  static cudaEvent_t event(uintptr_t Number) {
    return reinterpret_cast<cudaEvent_t>(Number);
  }
  cudaError_t begin(const StreamName &Stream,
                    cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal) {
    return All.begin(Stream, Mode, nullptr, {});
  }
  /// Ends the capture and keeps its graph until the test ends.
  cudaError_t end(const StreamName &Stream) {
    std::unique_ptr<Graph> Gone;
    Graph *Out = nullptr;
    cudaError_t Error = All.end(Stream, Out, Gone);
    Kept.emplace_back(Out);
    return Error;
  }
  /// Some work on the stream: a node of the capture's graph.
  GraphNode *work(const StreamName &Stream) {
    cudaError_t Error = cudaSuccess;
    Capture *In = All.taker(Stream, Error);
    if (!In)
      return nullptr;
    GraphNode *Node =
        In->Into->add(EmptyCommand{}, In->Streams[Stream.Key].Needs);
    EXPECT_EQ(Captures::advance(*In, Stream, Node), cudaSuccess);
    return Node;
  }
  cudaError_t record(const StreamName &Stream, cudaEvent_t Event) {
    cudaError_t Error = cudaSuccess;
    (void)All.record(Stream, Event, Error);
    return Error;
  }
  cudaError_t wait(const StreamName &Stream, cudaEvent_t Event) {
    cudaError_t Error = cudaSuccess;
    (void)All.wait(Stream, Event, Error);
    return Error;
  }
  bool wrong(const StreamName &Stream) { return All.of(Stream)->Spoiled; }

  Captures All;
  std::vector<std::unique_ptr<Graph>> Kept;
  const StreamName One = stream(1), Two = stream(2), Three = stream(3);
  const StreamName Legacy{reinterpret_cast<const void *>(4), true, true};
};

TEST_F(CaptureTest, WorkOfOneStreamIsAChain) {
  EXPECT_TRUE(All.idle());
  ASSERT_EQ(begin(One), cudaSuccess);
  EXPECT_FALSE(All.idle());
  EXPECT_EQ(begin(One), cudaErrorIllegalState);
  GraphNode *A = work(One), *B = work(One);
  EXPECT_EQ(work(Two), nullptr) << "another stream's work is the device's";
  EXPECT_TRUE(A->Needs.empty());
  ASSERT_EQ(B->Needs.size(), 1u);
  EXPECT_EQ(B->Needs[0].Other, A);
  EXPECT_EQ(end(One), cudaSuccess);
  EXPECT_EQ(Kept[0]->size(), 2u);
  EXPECT_TRUE(All.idle());
  EXPECT_EQ(end(One), cudaErrorIllegalState);
}

TEST_F(CaptureTest, EventsForkAndJoin) {
  ASSERT_EQ(begin(One), cudaSuccess);
  GraphNode *A = work(One);
  EXPECT_EQ(record(One, event(1)), cudaSuccess);
  EXPECT_EQ(wait(Two, event(1)), cudaSuccess);
  GraphNode *B = work(One), *C = work(Two);
  EXPECT_EQ(record(Two, event(2)), cudaSuccess);
  EXPECT_EQ(wait(One, event(2)), cudaSuccess);
  GraphNode *D = work(One);
  EXPECT_EQ(B->Needs[0].Other, A);
  EXPECT_EQ(C->Needs[0].Other, A);
  ASSERT_EQ(D->Needs.size(), 2u);
  EXPECT_EQ(D->Needs[0].Other, B);
  EXPECT_EQ(D->Needs[1].Other, C);
  EXPECT_EQ(end(Two), cudaErrorStreamCaptureUnmatched);
}

TEST_F(CaptureTest, AForkThatIsNotJoined) {
  ASSERT_EQ(begin(One), cudaSuccess);
  (void)work(One);
  ASSERT_EQ(record(One, event(1)), cudaSuccess);
  ASSERT_EQ(wait(Two, event(1)), cudaSuccess);
  (void)work(Two);
  EXPECT_EQ(end(One), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(Kept[0], nullptr);
  EXPECT_EQ(All.of(Two), nullptr) << "it is over for all streams";
}

TEST_F(CaptureTest, AForkWithoutWorkNeedsNoJoin) {
  ASSERT_EQ(begin(One), cudaSuccess);
  (void)work(One);
  ASSERT_EQ(record(One, event(1)), cudaSuccess);
  ASSERT_EQ(wait(Two, event(1)), cudaSuccess);
  EXPECT_EQ(end(One), cudaSuccess);
}

TEST_F(CaptureTest, ADestroyedStreamStillHasToBeJoined) {
  ASSERT_EQ(begin(One), cudaSuccess);
  ASSERT_EQ(record(One, event(1)), cudaSuccess);
  ASSERT_EQ(wait(Two, event(1)), cudaSuccess);
  (void)work(Two);
  EXPECT_EQ(All.forget(Two), nullptr);
  EXPECT_EQ(end(One), cudaErrorStreamCaptureUnjoined);
  ASSERT_EQ(begin(One), cudaSuccess);
  EXPECT_NE(All.forget(One), nullptr) << "nobody can end it any more";
  EXPECT_EQ(All.of(One), nullptr);
}

TEST_F(CaptureTest, DependenceOnTheOutside) {
  ASSERT_EQ(begin(One), cudaSuccess);
  EXPECT_EQ(wait(One, event(7)), cudaErrorStreamCaptureIsolation);
  EXPECT_TRUE(wrong(One));
  cudaError_t Error = cudaSuccess;
  EXPECT_EQ(All.taker(One, Error), nullptr);
  EXPECT_EQ(Error, cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(end(One), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(Kept[0], nullptr);
}

TEST_F(CaptureTest, TwoCapturesDoNotMerge) {
  ASSERT_EQ(begin(One), cudaSuccess);
  ASSERT_EQ(begin(Two), cudaSuccess);
  ASSERT_EQ(record(One, event(1)), cudaSuccess);
  EXPECT_EQ(wait(Two, event(1)), cudaErrorStreamCaptureMerge);
  EXPECT_TRUE(wrong(One));
  EXPECT_TRUE(wrong(Two));
}

TEST_F(CaptureTest, ACapturedEventCannotBeWaitedFor) {
  ASSERT_EQ(begin(One), cudaSuccess);
  ASSERT_EQ(record(One, event(1)), cudaSuccess);
  EXPECT_EQ(All.mayWait(event(2)), cudaSuccess);
  EXPECT_EQ(All.mayWait(event(1)), cudaErrorCapturedEvent);
  EXPECT_EQ(end(One), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(All.mayWait(event(1)), cudaErrorCapturedEvent);
  EXPECT_EQ(wait(Two, event(1)), cudaErrorCapturedEvent);
  EXPECT_EQ(record(Two, event(1)), cudaSuccess);
  EXPECT_EQ(All.mayWait(event(1)), cudaSuccess) << "recorded elsewhere";
  EXPECT_TRUE(All.idle());
}

TEST_F(CaptureTest, QuestionsThatRuinACapture) {
  ASSERT_EQ(begin(One), cudaSuccess);
  EXPECT_EQ(All.mayWait(Two), cudaSuccess);
  EXPECT_FALSE(wrong(One));
  EXPECT_EQ(All.mayWait(One), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(wrong(One));
  ASSERT_EQ(begin(Two), cudaSuccess);
  EXPECT_EQ(All.mayWaitForAll(), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(wrong(Two));
}

TEST_F(CaptureTest, TheLegacyStreamIsTiedToBlockingStreams) {
  EXPECT_EQ(begin(Legacy), cudaErrorStreamCaptureUnsupported);
  ASSERT_EQ(begin(One), cudaSuccess);
  EXPECT_EQ(All.mayUseLegacy(), cudaSuccess);
  EXPECT_EQ(All.mayWait(Legacy), cudaSuccess);
  ASSERT_EQ(begin(stream(5, true)), cudaSuccess);
  cudaError_t Error = cudaSuccess;
  EXPECT_EQ(All.taker(Legacy, Error), nullptr);
  EXPECT_EQ(Error, cudaErrorStreamCaptureImplicit);
  EXPECT_TRUE(wrong(stream(5)));
  EXPECT_FALSE(wrong(One));
}

TEST_F(CaptureTest, UnsafeCallsByMode) {
  auto Elsewhere = [&] {
    cudaError_t Out = cudaErrorUnknown;
    std::thread([&] { Out = All.mayCallUnsafely(); }).join();
    return Out;
  };
  ASSERT_EQ(begin(One, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(All.mayCallUnsafely(), cudaSuccess);
  EXPECT_EQ(Elsewhere(), cudaSuccess);
  ASSERT_EQ(begin(Two, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(Elsewhere(), cudaSuccess);
  EXPECT_EQ(All.mayCallUnsafely(), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(wrong(Two));
  EXPECT_FALSE(wrong(One));
  ASSERT_EQ(begin(Three, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(Elsewhere(), cudaErrorStreamCaptureUnsupported);
  threadCaptureMode() = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(All.mayCallUnsafely(), cudaSuccess);
  threadCaptureMode() = cudaStreamCaptureModeGlobal;
}

TEST_F(CaptureTest, OnlyARelaxedCaptureEndsOnAnotherThread) {
  ASSERT_EQ(begin(One), cudaSuccess);
  ASSERT_EQ(begin(Two, cudaStreamCaptureModeRelaxed), cudaSuccess);
  std::thread([&] {
    EXPECT_EQ(end(One), cudaErrorStreamCaptureWrongThread);
    EXPECT_EQ(end(Two), cudaSuccess);
  }).join();
  EXPECT_EQ(end(One), cudaErrorIllegalState) << "the attempt ended it";
}

TEST_F(CaptureTest, IntoAGraphOfTheProgram) {
  Graph Own;
  GraphNode *Before = Own.add(EmptyCommand{}, {});
  ASSERT_EQ(All.begin(One, cudaStreamCaptureModeGlobal, &Own, {{Before, {}}}),
            cudaSuccess);
  EXPECT_TRUE(Own.Capturing);
  GraphNode *Next = work(One);
  EXPECT_EQ(Next->Needs[0].Other, Before);
  Graph *Out = nullptr;
  std::unique_ptr<Graph> Gone;
  EXPECT_EQ(All.end(One, Out, Gone), cudaSuccess);
  EXPECT_EQ(Out, &Own);
  EXPECT_EQ(Gone, nullptr);
  EXPECT_FALSE(Own.Capturing);
}

TEST_F(CaptureTest, ComesAfterWhatTheProgramSays) {
  ASSERT_EQ(begin(One), cudaSuccess);
  GraphNode *A = work(One), *B = work(One);
  CapturedStream &Its = All.of(One)->Streams[One.Key];
  Captures::comeAfter(Its, {{A, {}}, {B, {}}}, false);
  EXPECT_EQ(Its.Needs.size(), 2u) << "B was there";
  Captures::comeAfter(Its, {{A, {}}}, true);
  GraphNode *C = work(One);
  ASSERT_EQ(C->Needs.size(), 1u);
  EXPECT_EQ(C->Needs[0].Other, A);
  EXPECT_EQ(end(One), cudaSuccess) << "B was given up on purpose";
}

} // namespace
