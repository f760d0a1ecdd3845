// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the program orders, against paths in the graph of all it has issued.

#include "StreamOrder.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

using namespace blockmaestro;

namespace {

const cudaStream_t First = reinterpret_cast<cudaStream_t>(0x100);
const cudaStream_t Second = reinterpret_cast<cudaStream_t>(0x200);
const cudaStream_t Apart = reinterpret_cast<cudaStream_t>(0x300);
const cudaEvent_t Event = reinterpret_cast<cudaEvent_t>(0x10);

bool isBlocking(cudaStream_t Stream) { return Stream != Apart; }

struct StreamOrderTest : testing::Test {
  /// Issues a node, which comes behind \p Other of stream \p On or not.
  bool issue(cudaStream_t Stream, uint64_t Other, cudaStream_t On) {
    Order.arrive(Stream);
    const bool Behind = Order.isBefore(Other, On, Stream);
    Order.issued(Next++, Stream, ++Works);
    return Behind;
  }
  void issue(cudaStream_t Stream) {
    Order.arrive(Stream);
    Order.issued(Next++, Stream, ++Works);
  }
  void record(cudaStream_t Stream) {
    Order.arrive(Stream);
    Order.recorded(Event, Stream);
  }
  void wait(cudaStream_t Stream) {
    Order.arrive(Stream);
    Order.waits(Stream, Event);
  }

  StreamOrderTest() { Order.made(Apart, false); }

  StreamOrder Order;
  uint64_t Next = 0;
  uint64_t Works = 0;
};

TEST_F(StreamOrderTest, StreamsAreApartUntilAnEventJoinsThem) {
  issue(First);
  EXPECT_FALSE(issue(Second, 0, First));
  record(First);
  issue(First);
  wait(Second);
  EXPECT_TRUE(issue(Second, 0, First));
  EXPECT_FALSE(issue(Second, 2, First)) << "issued behind the record";
  EXPECT_TRUE(issue(First, 0, First));
}

TEST_F(StreamOrderTest, TheLegacyStreamComesBetweenBlockingOnes) {
  issue(First);
  issue(Apart);
  EXPECT_TRUE(issue(nullptr, 0, First));
  EXPECT_TRUE(issue(cudaStreamLegacy, 0, First));
  EXPECT_FALSE(issue(nullptr, 1, Apart));
  EXPECT_TRUE(issue(Second, 0, First));
  EXPECT_FALSE(issue(Apart, 2, nullptr));
  EXPECT_TRUE(issue(cudaStreamPerThread, 2, cudaStreamLegacy));
}

TEST_F(StreamOrderTest, AHandleMayComeBackAsAnotherStream) {
  issue(Apart);
  Order.clear();
  Order.made(Apart, true);
  issue(Apart);
  EXPECT_TRUE(issue(nullptr, 1, Apart));
}

TEST_F(StreamOrderTest, AnEventThatIsGoneJoinsNothing) {
  issue(First);
  record(First);
  Order.forget(Event);
  wait(Second);
  EXPECT_FALSE(issue(Second, 0, First));
}

/// Everything the program has issued, with what each comes directly behind.
class Program {
public:
  size_t add(cudaStream_t Stream) {
    std::set<size_t> Behind = Waited;
    auto Add = [&](cudaStream_t Other) {
      if (auto Found = Last.find(Other); Found != Last.end())
        Behind.insert(Found->second);
    };
    Add(Stream);
    if (Stream == nullptr)
      for (cudaStream_t Each : {First, Second})
        Add(Each);
    else if (isBlocking(Stream))
      Add(nullptr);
    for (size_t Each : std::set<size_t>(Behind))
      Behind.insert(Before[Each].begin(), Before[Each].end());
    Before.push_back(Behind);
    return Last[Stream] = Before.size() - 1;
  }
  /// The operation comes behind one more.
  void addEdge(size_t Of, size_t To) {
    Before[Of].insert(To);
    Before[Of].insert(Before[To].begin(), Before[To].end());
  }
  void hostWaitsFor(cudaStream_t Stream) {
    if (auto Found = Last.find(Stream); Found != Last.end())
      Waited.insert(Found->second);
  }
  void hostWaitsForOperation(size_t Which) { Waited.insert(Which); }
  bool isBefore(size_t A, size_t B) const { return Before[B].contains(A); }

private:
  std::vector<std::set<size_t>> Before;
  std::map<cudaStream_t, size_t> Last;
  std::set<size_t> Waited;
};

/// Nodes that are no works count for the order, and not as works.
TEST_F(StreamOrderTest, AnEventStandsForSoManyWorks) {
  EXPECT_EQ(Order.worksUntil(Event), 0u);
  issue(First);
  Order.issued(Next++, Second, Works);
  Order.issued(Next++, Second, Works);
  record(Second);
  EXPECT_EQ(Order.worksUntil(Event), 1u);
  issue(Second);
  issue(First);
  EXPECT_EQ(Order.worksUntil(Event), 1u);
  wait(First);
  record(First);
  EXPECT_EQ(Order.worksUntil(Event), 3u);
  record(Second);
  EXPECT_EQ(Order.worksUntil(Event), 2u) << "the stream's last, long ago";
  Order.forget(Event);
  EXPECT_EQ(Order.worksUntil(Event), 0u);
}

/// Precisely the paths, whatever is issued.
TEST_F(StreamOrderTest, IsThatOfAllPaths) {
  const cudaStream_t Streams[] = {nullptr, First, Second, Apart};
  const cudaEvent_t Events[] = {Event, reinterpret_cast<cudaEvent_t>(0x20)};
  std::mt19937 Random(11);
  unsigned Ordered = 0, Unordered = 0;
  for (int Round = 0; Round < 300; ++Round) {
    StreamOrder Mine;
    Mine.made(Apart, false);
    Program Model;
    struct Node {
      size_t Operation;
      cudaStream_t Stream;
    };
    std::vector<Node> Nodes;
    std::map<cudaEvent_t, size_t> Records;
    for (int Step = 0; Step < 30; ++Step) {
      const cudaStream_t Stream = Streams[Random() % std::size(Streams)];
      const cudaEvent_t Each = Events[Random() % std::size(Events)];
      const unsigned What = Random() % 16;
      if (What == 0) {
        Mine.hostWaitedFor(Stream);
        Model.hostWaitsFor(Stream);
        continue;
      }
      if (What == 1) {
        Mine.hostWaitedFor(Each);
        if (auto Found = Records.find(Each); Found != Records.end())
          Model.hostWaitsForOperation(Found->second);
        continue;
      }
      const size_t Operation = Model.add(Stream);
      Mine.arrive(Stream);
      if (What < 5) {
        Mine.recorded(Each, Stream);
        Records[Each] = Operation;
      } else if (What < 9) {
        Mine.waits(Stream, Each);
        if (auto Found = Records.find(Each); Found != Records.end())
          Model.addEdge(Operation, Found->second);
      } else {
        for (size_t I = 0; I < Nodes.size(); ++I) {
          const bool Wanted = Model.isBefore(Nodes[I].Operation, Operation);
          ++(Wanted ? Ordered : Unordered);
          ASSERT_EQ(Mine.isTotal() || Mine.isBefore(I, Nodes[I].Stream, Stream),
                    Wanted)
              << "round " << Round << ", node " << I << " of " << Nodes.size();
        }
        Mine.issued(Nodes.size(), Stream, Nodes.size() + 1);
        Nodes.push_back({Operation, Stream});
      }
    }
  }
  EXPECT_GT(Ordered, 1000u);
  EXPECT_GT(Unordered, 1000u);
}

} // namespace
