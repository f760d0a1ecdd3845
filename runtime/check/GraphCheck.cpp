// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphCheck.h"

#include "Edges.h"
#include "KeptOrder.h"
#include "RelationPairs.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

using Writing = std::unique_lock<std::shared_mutex>;
using Reading = std::shared_lock<std::shared_mutex>;

/// One pair of nodes while it is compared.
struct GraphCheck::Comparison {
  Node &Producer;
  Node &Consumer;
  const Need *Known = nullptr;   ///< Null when called independent.
  BlockRow Claimed;              ///< Of the consumer block at hand.
  std::vector<uint64_t> Encoded; ///< Likewise; not where all are.
  bool AllEncoded = false;
  std::vector<BlockRow> True; ///< By consumer block, where implied by others.
  uint64_t TrueEdges = 0;
  uint64_t Edges = 0; ///< Of the encoding.
  uint64_t Missing = 0;
  uint64_t TooMany = 0; ///< Of the relation.
  uint64_t OneTooMany[2] = {0, 0};

  Comparison(Node &Producer, Node &Consumer)
      : Producer(Producer), Consumer(Consumer) {
    for (const Need &Each : Consumer.Expected.Needs)
      if (Each.Producer == Producer.Expected.Node)
        Known = &Each;
  }
};

namespace {

/// "block (1,0,0) of kernel 'k' (launch 7)"
std::string blockText(const ExpectedNode &Of, uint64_t Block) {
  if (!Of.What)
    return "a copy (node " + std::to_string(Of.Node) + ")";
  Dim3 At = blockOf(Block, Of.What->Grid);
  return "block (" + std::to_string(At.X) + "," + std::to_string(At.Y) + "," +
         std::to_string(At.Z) + ")" + nameOfBlock(*Of.What, Block) +
         " of kernel '" + Of.What->Kernel->Name + "' (launch " +
         std::to_string(Of.What->Id) + ")";
}

const std::string &nameOf(const ExpectedNode &Of) {
  static const std::string Copy = "copy";
  return Of.What ? Of.What->Kernel->Name : Copy;
}

/// One hazard of a set in words, with the sets of bytes it is about.
struct HazardWords {
  uint8_t Bit;
  const char *Consumer;
  const char *Producer;
  ByteSet BlockTouches::*Mine;
  ByteSet BlockTouches::*Theirs;
};
constexpr HazardWords HazardTexts[] = {
    {HazardRAW, "reads", "writes", &BlockTouches::Reads, &BlockTouches::Writes},
    {HazardWAW, "writes", "writes", &BlockTouches::Writes,
     &BlockTouches::Writes},
    {HazardWAR, "writes", "reads", &BlockTouches::Writes, &BlockTouches::Reads},
};

/// A byte about which two blocks have the hazard; atomics are apart.
uint64_t commonByte(const BlockTouches &Mine, const BlockTouches &Theirs,
                    const HazardWords &Is) {
  if (const auto Found = firstCommon(Mine.*(Is.Mine), Theirs.*(Is.Theirs)))
    return *Found;
  if (const auto Found = firstCommon(Mine.Atomics, Theirs.*(Is.Theirs)))
    return *Found;
  return firstCommon(Mine.*(Is.Mine), Theirs.Atomics).value();
}

/// Adds what the access touches, by its definition, to coordinates below number
/// \p Count being left, and the others at \p Address.
void addCoordinates(const BlockAccess &A, size_t Count, int64_t Address,
                    ByteSet &To) {
  if (Count == 0) {
    To.add(uint64_t(Address + A.ByteLow), uint64_t(A.ByteHigh - A.ByteLow + 1));
    return;
  }
  const Coordinate &C = A.Coordinates[Count - 1];
  int64_t High = std::min(C.ClipHigh, C.Base + C.Count - 1);
  for (int64_t U = std::max(C.ClipLow, C.Base); U <= High; ++U)
    addCoordinates(A, Count - 1, Address + C.Stride * U, To);
}

/// Adds what the only block of a grid of one touches.
void addAccess(const BlockAccess &A, ByteSet &To) {
  if (A.How == Reach::Coordinates)
    addCoordinates(A, A.Coordinates.size(), int64_t(A.Where.Base), To);
  else
    To.add(A.Where.Base, A.Where.Bytes);
}

Dim3 gridOf(const ExpectedNode &Of) { return Of.What ? Of.What->Grid : Dim3(); }

} // namespace

GraphCheck::NodeRef GraphCheck::launched(uint64_t Id) const {
  Reading Guard(Lock);
  auto Known = Running.find(Id);
  return Known == Running.end() ? nullptr : Known->second;
}

uint64_t GraphCheck::nextNumber() {
  static std::atomic<uint64_t> Last = 0;
  return ++Last;
}

/// Where the touches of a block that has not ended are kept; null where nobody
/// expects its launch. A thread asks for the same block again and again.
BlockTouches *GraphCheck::touchesOf(const Launch &What, uint64_t Block) const {
  struct Answer {
    uint64_t Number = 0, Launch = 0, Block = 0;
    BlockTouches *Touches = nullptr;
  };
  thread_local Answer Last;
  if (Last.Number == Number && Last.Launch == What.Id && Last.Block == Block)
    return Last.Touches;
  NodeRef Of = launched(What.Id);
  if (!Of)
    return nullptr;
  Last = {Number, What.Id, Block, &Of->Blocks[Block]};
  return Last.Touches;
}

/// What a node that is no launch touches is what it was expected to.
void GraphCheck::touchAccesses(Node &Of) {
  BlockTouches &Only = Of.Blocks[0];
  for (const BlockAccess &Each : Of.Expected.Touched->Accesses) {
    if (reads(Each.Kind))
      addAccess(Each, Only.Reads);
    if (writes(Each.Kind))
      addAccess(Each, Only.Writes);
  }
  (void)Only.Reads.ranges();
  (void)Only.Writes.ranges();
}

void GraphCheck::expect(ExpectedNode Next) {
  auto New = std::make_shared<Node>();
  New->Expected = std::move(Next);
  const ExpectedNode &Of = New->Expected;
  New->Blocks.resize(gridOf(Of).count());
  New->Left = Of.What ? New->Blocks.size() : 0;
  for (BlockTouches &Each : New->Blocks)
    Each.IsTask = Of.AreTasks;
  if (!Of.What)
    touchAccesses(*New);
  std::lock_guard<std::mutex> Judge(Judging);
  {
    Writing Guard(Lock);
    std::map<uint64_t, NodeRef> Kept;
    for (uint64_t Each : Of.InFlight)
      if (auto Known = InFlight.find(Each); Known != InFlight.end()) {
        New->Earlier.push_back(Known->second);
        Kept.insert(*Known);
      }
    InFlight = std::move(Kept);
    InFlight[Of.Node] = New;
    if (Of.What)
      Running[Of.What->Id] = New;
  }
  Unjudged[Of.Node] = New;
  expectEarlier(New);
  if (New->Left == 0)
    end(New);
}

void GraphCheck::touches(const ObservedAccess &What) {
  if (What.Space != AccessSpace::Global)
    return;
  BlockTouches *Mine = touchesOf(*What.What, What.Block);
  if (!Mine)
    return;
  if (Mine->IsTask && What.Bits & AccessSynchronizes)
    return Mine->Atomics.add(What.Address, What.Bytes);
  if (What.Bits & AccessReads)
    Mine->Reads.add(What.Address, What.Bytes);
  if (What.Bits & AccessWrites)
    Mine->Writes.add(What.Address, What.Bytes);
}

void GraphCheck::ends(const Launch &What, uint64_t Block) {
  NodeRef Of = launched(What.Id);
  if (!Of)
    return;
  (void)Of->Blocks[Block].Reads.ranges();
  (void)Of->Blocks[Block].Writes.ranges();
  (void)Of->Blocks[Block].Atomics.ranges();
  if (Of->Left.fetch_sub(1) != 1)
    return;
  {
    Writing Guard(Lock);
    Running.erase(What.Id);
  }
  std::lock_guard<std::mutex> Judge(Judging);
  end(Of);
}

/// Has the node and those of its earlier ones that run wait for their ends; the
/// caller holds Judging.
void GraphCheck::expectEarlier(const NodeRef &New) {
  New->Running = 1;
  for (const NodeRef &Each : New->Earlier)
    if (!Each->Ended) {
      ++New->Running;
      Each->Later.push_back(New);
    }
}

/// The node has ended: judges what waited for that; the caller holds Judging.
void GraphCheck::end(const NodeRef &Of) {
  Of->Ended = true;
  std::vector<NodeRef> Ready;
  auto Count = [&Ready](NodeRef Each) {
    if (Each && --Each->Running == 0)
      Ready.push_back(std::move(Each));
  };
  Count(Of);
  for (const std::weak_ptr<Node> &Each : std::exchange(Of->Later, {}))
    Count(Each.lock());
  for (const NodeRef &Each : Ready) {
    judge(*Each);
    Each->Earlier.clear();
    Unjudged.erase(Each->Expected.Node);
  }
}

void GraphCheck::judge(Node &Consumer) {
  const std::vector<uint64_t> &Unordered = Consumer.Expected.Unordered;
  for (const NodeRef &Each : Consumer.Earlier)
    if (!std::ranges::binary_search(Unordered, Each->Expected.Node))
      compare(*Each, Consumer);
  if (Consumer.Expected.AreTasks)
    compareTasks(Consumer);
}

/// Tasks of one launch, which nothing orders.
void GraphCheck::compareTasks(Node &Of) {
  if (!Of.Edges)
    Of.Edges = std::make_unique<TrueEdges>(Of.Blocks);
  Comparison What(Of, Of);
  for (uint64_t Block = 0; Block < Of.Blocks.size(); ++Block) {
    const BlockRow &True = Of.Edges->row(Of.Blocks[Block]);
    RowReader Truth(True);
    for (uint64_t P = 0; P < Block; ++P) {
      if (!True.All)
        P = Truth.next(P);
      if (P >= Block)
        break;
      reportMissing(What, Block, P, Truth.at(P), "nothing orders these tasks");
    }
  }
  Counts.Missing += What.Missing;
}

void GraphCheck::compare(Node &Producer, Node &Consumer) {
  if (!Producer.Edges)
    Producer.Edges = std::make_unique<TrueEdges>(Producer.Blocks);
  Comparison What(Producer, Consumer);
  if (What.Known && What.Known->Implied)
    What.True.resize(Consumer.Blocks.size());
  What.AllEncoded = What.Known && What.Known->How->Form.Header.Kind ==
                                      uint32_t(RelationKind::Full);
  for (uint64_t Block = 0; Block < Consumer.Blocks.size(); ++Block)
    compareBlock(What, Block);
  if (What.Known && What.Known->Implied && What.TrueEdges != 0)
    checkKept(What);
  if (What.Known && What.Known->How->What.Exact && What.TooMany != 0)
    Found.add("graph exact " + nameOf(Producer.Expected) + "/" +
                  nameOf(Consumer.Expected),
              "graph: " + blockText(Consumer.Expected, What.OneTooMany[0]) +
                  " does not depend on " +
                  blockText(Producer.Expected, What.OneTooMany[1]) +
                  ", but their relation, called exact but with " +
                  std::to_string(What.TooMany) + " pairs too many, says so");
  tell(What);
}

void GraphCheck::compareBlock(Comparison &What, uint64_t Block) {
  const BlockRow &True = What.Producer.Edges->row(What.Consumer.Blocks[Block]);
  const size_t Blocks = What.Producer.Blocks.size();
  What.Claimed.clear();
  What.Encoded.clear();
  if (What.Known) {
    const Related &How = *What.Known->How;
    hazardsOfBlock(How.What, Block, What.Claimed);
    if (!What.AllEncoded)
      producersOfBlock(viewOf(How.Form, gridOf(What.Consumer.Expected)), Block,
                       What.Encoded);
  }
  What.Edges += What.AllEncoded ? Blocks : What.Encoded.size();
  What.TrueEdges += True.count(Blocks);
  if (!What.True.empty())
    What.True[Block] = True;
  const bool Lacking = True.hazards() & ~What.Claimed.All;
  if (What.AllEncoded && What.Claimed.All && !Lacking)
    countTooMany(What, Block, True);
  else
    comparePairs(What, Block, True);
}

/// The relation has every pair, and all that True has.
void GraphCheck::countTooMany(Comparison &What, uint64_t Block,
                              const BlockRow &True) {
  const size_t Blocks = What.Producer.Blocks.size();
  const size_t Count = Blocks - True.count(Blocks);
  if (Count != 0 && What.TooMany == 0) {
    uint64_t P = 0;
    for (RowReader Row(True); Row.at(P) != 0;)
      ++P;
    What.OneTooMany[0] = Block;
    What.OneTooMany[1] = P;
  }
  What.TooMany += Count;
}

/// Of a consumer block, pair by pair: those that are true or claimed.
void GraphCheck::comparePairs(Comparison &What, uint64_t Block,
                              const BlockRow &True) {
  RowReader Truth(True), Claims(What.Claimed);
  auto Encoded = What.Encoded.begin();
  const bool Every = True.All || What.Claimed.All;
  for (uint64_t P = 0; P < What.Producer.Blocks.size(); ++P) {
    if (!Every)
      P = std::min(Truth.next(P), Claims.next(P));
    if (P == RowReader::None)
      return;
    const uint8_t Is = Truth.at(P), Claimed = Claims.at(P);
    if (Is == 0 && Claimed != 0 && What.TooMany++ == 0) {
      What.OneTooMany[0] = Block;
      What.OneTooMany[1] = P;
    }
    if (Is == 0)
      continue;
    while (Encoded != What.Encoded.end() && *Encoded < P)
      ++Encoded;
    if (const uint8_t Lacks = Is & ~Claimed)
      reportMissing(What, Block, P, Lacks,
                    !What.Known ? "nothing relates the launches"
                    : !Claimed  ? "the relation lacks the pair"
                                : "the relation lacks the hazard");
    else if (!What.AllEncoded &&
             (Encoded == What.Encoded.end() || *Encoded != P))
      reportMissing(What, Block, P, Is, "the encoding lacks the pair");
  }
}

/// See KeptOrder.h: the relation is left out, those that are kept must do.
void GraphCheck::checkKept(Comparison &What) {
  std::vector<OrderedNode> Nodes;
  for (const NodeRef &Each : What.Consumer.Earlier)
    if (Each->Expected.Node >= What.Producer.Expected.Node)
      Nodes.push_back(
          {Each->Expected.Node, gridOf(Each->Expected), &Each->Expected.Needs});
  Nodes.push_back({What.Consumer.Expected.Node, gridOf(What.Consumer.Expected),
                   &What.Consumer.Expected.Needs});
  forEachUnordered(Nodes, What.True, [&](uint64_t C, uint64_t P) {
    const uint8_t Hazards = RowReader(What.True[C]).at(P);
    reportMissing(What, C, P, Hazards,
                  "the relation is left out as implied by others, and those do "
                  "not order them");
    return true;
  });
}

void GraphCheck::reportMissing(Comparison &What, uint64_t ConsumerBlock,
                               uint64_t ProducerBlock, uint8_t Hazards,
                               const std::string &Why) {
  ++What.Missing;
  const HazardWords &Is = *std::ranges::find_if(
      HazardTexts, [&](const HazardWords &Each) { return Each.Bit & Hazards; });
  const BlockTouches &Mine = What.Consumer.Blocks[ConsumerBlock];
  const BlockTouches &Theirs = What.Producer.Blocks[ProducerBlock];
  const ExpectedNode &C = What.Consumer.Expected, &P = What.Producer.Expected;
  Found.add("graph " + nameOf(P) + "/" + nameOf(C) + "/" + Is.Consumer +
                Is.Producer + "/" + Why,
            "graph: " + blockText(C, ConsumerBlock) + " " + Is.Consumer +
                " the byte at " + hexadecimal(commonByte(Mine, Theirs, Is)) +
                " that " + blockText(P, ProducerBlock) + " " + Is.Producer +
                ", and " + Why);
}

/// Counts the pair, and tells who watches.
void GraphCheck::tell(const Comparison &What) {
  ++Counts.Pairs;
  Counts.Related += What.Known != nullptr;
  Counts.Implied += What.Known && What.Known->Implied;
  Counts.Exactly +=
      What.Known && What.Edges == What.TrueEdges && What.Missing == 0;
  Counts.Missing += What.Missing;
  Counts.TrueEdges += What.TrueEdges;
  Counts.Edges += What.Edges;
  const auto &Producer = What.Producer.Expected.What;
  const auto &Consumer = What.Consumer.Expected.What;
  if (Watcher && Producer && Consumer && (What.Known || What.TrueEdges != 0))
    Watcher({Producer->Id, Consumer->Id, What.TrueEdges,
             std::min(What.Missing, What.TrueEdges)});
}

std::string GraphCheck::summary() const {
  std::lock_guard<std::mutex> Judge(Judging);
  if (Counts.Pairs == 0)
    return "";
  auto Text = [](uint64_t Count) { return std::to_string(Count); };
  return "pairs of launches in flight together: " + Text(Counts.Pairs) +
         ", related: " + Text(Counts.Related) +
         ", by exactly the true pairs of blocks: " + Text(Counts.Exactly) +
         ", implied by others: " + Text(Counts.Implied) +
         "; true pairs of blocks: " + Text(Counts.TrueEdges) +
         ", in relations: " + Text(Counts.Edges) +
         ", missing: " + Text(Counts.Missing);
}

} // namespace blockmaestro
