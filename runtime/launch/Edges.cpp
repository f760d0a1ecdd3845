// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Edges.h"

#include <algorithm>
#include <numeric>

namespace blockmaestro {

static Dim3 producerGrid(const EncodedRelation &Of) {
  return {Of.ProducerGrid[0], Of.ProducerGrid[1], Of.ProducerGrid[2]};
}

static bool isKind(const EncodedRelation &Of, RelationKind Kind) {
  return Of.Kind == uint32_t(Kind);
}

/// Appends the blocks of Box; whether there are any.
static bool appendBlocks(const ProducerBox &Box, Dim3 Grid,
                         std::vector<uint64_t> &Out) {
  const size_t Before = Out.size();
  for (int32_t Z = Box.Low[2]; Z <= Box.High[2]; ++Z)
    for (int32_t Y = Box.Low[1]; Y <= Box.High[1]; ++Y)
      for (int32_t X = Box.Low[0]; X <= Box.High[0]; ++X)
        Out.push_back(linearOf({uint32_t(X), uint32_t(Y), uint32_t(Z)}, Grid));
  return Out.size() != Before;
}

static void appendRuns(const BlockList &From, uint64_t Consumer,
                       std::vector<uint64_t> &Out) {
  for (BlockRun Run : producersOf(From.lists(), uint32_t(Consumer)))
    for (uint64_t P = Run.First; P <= Run.Last; ++P)
      Out.push_back(P);
}

void producersOfBlock(const EncodingView &Of, uint64_t Consumer,
                      std::vector<uint64_t> &Out) {
  Out.clear();
  const Dim3 Grid = producerGrid(Of.Header);
  if (isKind(Of.Header, RelationKind::Full)) {
    Out.resize(Grid.count());
    std::iota(Out.begin(), Out.end(), 0);
    return;
  }
  if (isKind(Of.Header, RelationKind::Listed))
    return appendRuns(*Of.List, Consumer, Out);
  const Dim3 Block = blockOf(Consumer, Of.ConsumerGrid);
  const int32_t C[3] = {int32_t(Block.X), int32_t(Block.Y), int32_t(Block.Z)};
  unsigned Boxes = 0;
  for (const EncodedPiece &Piece : Of.Pieces)
    Boxes += appendBlocks(producersOf(Piece, C), Grid, Out);
  if (Boxes < 2)
    return;
  std::sort(Out.begin(), Out.end());
  Out.erase(std::unique(Out.begin(), Out.end()), Out.end());
}

uint64_t edgeCount(const EncodingView &Of) {
  if (isKind(Of.Header, RelationKind::Full))
    return producerGrid(Of.Header).count() * Of.ConsumerGrid.count();
  uint64_t Edges = 0;
  std::vector<uint64_t> Producers;
  for (uint64_t C = 0; C < Of.ConsumerGrid.count(); ++C) {
    producersOfBlock(Of, C, Producers);
    Edges += Producers.size();
  }
  return Edges;
}

namespace {

/// What a pattern's name depends on.
struct Degrees {
  uint64_t Edges = 0;
  uint64_t MostProducers = 0; ///< Of one consumer.
  uint64_t MostConsumers = 0; ///< Of one producer.
  bool Grouped = true;        ///< Sharing one producer means sharing all.
  bool NeighboursShare = false;
};

} // namespace

static constexpr uint64_t NoBlock = ~uint64_t(0);

static bool share(const std::vector<uint64_t> &A,
                  const std::vector<uint64_t> &B) {
  for (size_t I = 0, J = 0; I < A.size() && J < B.size();) {
    if (A[I] == B[J])
      return true;
    A[I] < B[J] ? ++I : ++J;
  }
  return false;
}

/// Whether a neighbour of block C, one further in some dimension, shares a
/// producer with it.
static bool sharesWithNeighbour(const EncodingView &Of, Dim3 C,
                                const std::vector<uint64_t> &Mine) {
  const Dim3 Grid = Of.ConsumerGrid;
  std::vector<uint64_t> Theirs;
  const Dim3 Neighbours[] = {
      {C.X + 1, C.Y, C.Z}, {C.X, C.Y + 1, C.Z}, {C.X, C.Y, C.Z + 1}};
  for (Dim3 N : Neighbours) {
    if (N.X >= Grid.X || N.Y >= Grid.Y || N.Z >= Grid.Z)
      continue;
    producersOfBlock(Of, linearOf(N, Grid), Theirs);
    if (share(Mine, Theirs))
      return true;
  }
  return false;
}

static Degrees degreesOf(const EncodingView &Of) {
  Degrees D;
  const uint64_t ProducerCount = producerGrid(Of.Header).count();
  std::vector<uint64_t> Consumers(ProducerCount, 0);
  std::vector<uint64_t> FirstConsumer(ProducerCount, NoBlock);
  std::vector<uint64_t> Mine, Theirs;
  for (uint64_t C = 0; C < Of.ConsumerGrid.count(); ++C) {
    producersOfBlock(Of, C, Mine);
    D.Edges += Mine.size();
    D.MostProducers = std::max<uint64_t>(D.MostProducers, Mine.size());
    uint64_t Leader = Mine.empty() ? NoBlock : FirstConsumer[Mine[0]];
    for (uint64_t P : Mine) {
      D.MostConsumers = std::max(D.MostConsumers, ++Consumers[P]);
      D.Grouped &= FirstConsumer[P] == Leader;
      FirstConsumer[P] = std::min(FirstConsumer[P], C);
    }
    if (D.Grouped && Leader != NoBlock) {
      producersOfBlock(Of, Leader, Theirs);
      D.Grouped = Mine.size() == Theirs.size();
    }
    D.NeighboursShare =
        D.NeighboursShare ||
        sharesWithNeighbour(Of, blockOf(C, Of.ConsumerGrid), Mine);
  }
  return D;
}

PatternFacts patternOf(const EncodingView &Of) {
  const uint64_t P = producerGrid(Of.Header).count();
  const uint64_t C = Of.ConsumerGrid.count();
  if (isKind(Of.Header, RelationKind::Full) && P > 1 && C > 1)
    return {"full", P * C, P};
  const Degrees D = degreesOf(Of);
  const struct {
    bool Holds;
    const char *Name;
  } Names[] = {
      {D.Edges == 0, "independent"},
      {D.MostProducers == 1 && D.MostConsumers == 1, "1-to-1"},
      {D.MostProducers == 1, "1-to-n"},
      {D.MostConsumers == 1, "n-to-1"},
      {D.Edges == P * C, "full"},
      {D.Grouped, "n-group"},
      {D.NeighboursShare, "overlapped"},
      {true, "irregular"},
  };
  const auto *First = std::find_if(std::begin(Names), std::end(Names),
                                   [](const auto &Each) { return Each.Holds; });
  return {First->Name, D.Edges, D.MostProducers};
}

const char *patternName(const EncodingView &Of) { return patternOf(Of).Name; }

} // namespace blockmaestro
