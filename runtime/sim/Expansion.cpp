// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expansion.h"

#include <algorithm>
#include <iterator>

namespace blockmaestro::sim {

/// Appends the parents one piece gives to block Child; false when there are
/// more than Limit.
static bool addParents(const EncodedPiece &P, Dim3 Child, Dim3 Grid,
                       uint64_t Limit, std::vector<uint32_t> &Parents) {
  const int32_t C[3] = {int32_t(Child.X), int32_t(Child.Y), int32_t(Child.Z)};
  ProducerBox Box = producersOf(P, C);
  uint64_t Volume = 1;
  for (int J = 0; J < 3; ++J) {
    if (Box.Low[J] > Box.High[J])
      return true;
    Volume *= uint64_t(int64_t(Box.High[J]) - Box.Low[J] + 1);
    if (Volume > Limit)
      return false;
  }
  for (int32_t Z = Box.Low[2]; Z <= Box.High[2]; ++Z)
    for (int32_t Y = Box.Low[1]; Y <= Box.High[1]; ++Y)
      for (int32_t X = Box.Low[0]; X <= Box.High[0]; ++X)
        Parents.push_back(
            uint32_t(linearOf({uint32_t(X), uint32_t(Y), uint32_t(Z)}, Grid)));
  return true;
}

/// Appends the parents a list gives to block Child; false when there are more
/// than Limit.
static bool addListed(const BlockList &List, uint32_t Child, uint64_t Limit,
                      std::vector<uint32_t> &Parents) {
  for (BlockRun Run : producersOf(List.lists(), Child)) {
    if (Parents.size() + (Run.Last - Run.First) + 1 > Limit)
      return false;
    for (uint64_t P = Run.First; P <= Run.Last; ++P)
      Parents.push_back(uint32_t(P));
  }
  return true;
}

/// The distinct parents of one block, ascending; false when more than Limit.
static bool parentsOf(const RecordedRelation &What, uint32_t Number,
                      Dim3 ConsumerGrid, Dim3 Grid, uint64_t Limit,
                      std::vector<uint32_t> &Parents) {
  Parents.clear();
  if (What.List)
    return addListed(*What.List, Number, Limit, Parents);
  const Dim3 Child = blockOf(Number, ConsumerGrid);
  for (const EncodedPiece &P : What.Pieces)
    if (!addParents(P, Child, Grid, Limit, Parents))
      return false;
  std::sort(Parents.begin(), Parents.end());
  Parents.erase(std::unique(Parents.begin(), Parents.end()), Parents.end());
  return Parents.size() <= Limit;
}

/// Along dimensions in which the piece has more than one consumer.
static int slopesOf(const EncodedRow &Row, const EncodedPiece &Of) {
  int Slopes = 0;
  for (int I = 0; I < 3; ++I)
    Slopes += Row.A[I] != 0 && Of.ConsumerLow[I] != Of.ConsumerHigh[I];
  return Slopes;
}

/// Whether the children of a parent are boxes, one for each piece.
static bool decodesFromParents(const RecordedRelation &What) {
  return !What.List &&
         std::all_of(What.Pieces.begin(), What.Pieces.end(), [](const auto &P) {
           return std::all_of(
               std::begin(P.Rows), std::end(P.Rows),
               [&](const EncodedRow &Row) { return slopesOf(Row, P) <= 1; });
         });
}

/// Adds the rows of a box to the runs from Begin on; rows that meet are one.
static void addRows(const ProducerBox &Box, Dim3 Grid, size_t Begin,
                    size_t Most, std::vector<BlockRun> &Runs) {
  for (int32_t Z = Box.Low[2]; Z <= Box.High[2]; ++Z)
    for (int32_t Y = Box.Low[1]; Y <= Box.High[1]; ++Y) {
      if (Box.Low[0] > Box.High[0])
        return;
      const auto At = [&](int32_t X) {
        return uint32_t(
            linearOf({uint32_t(X), uint32_t(Y), uint32_t(Z)}, Grid));
      };
      const BlockRun Row = {At(Box.Low[0]), At(Box.High[0])};
      if (Runs.size() > Begin && Runs.back().Last + 1 == Row.First)
        Runs.back().Last = Row.Last;
      else if (Runs.size() - Begin < Most)
        Runs.push_back(Row);
      else
        return;
    }
}

/// Adds the parents of one block as runs.
static void addRuns(const RecordedRelation &What, uint32_t Number,
                    Dim3 ConsumerGrid, Dim3 Grid, size_t Most,
                    std::vector<BlockRun> &Runs) {
  const size_t Begin = Runs.size();
  if (What.List) {
    for (BlockRun Run : producersOf(What.List->lists(), Number))
      if (Runs.size() - Begin < Most)
        Runs.push_back(Run);
    return;
  }
  const Dim3 Child = blockOf(Number, ConsumerGrid);
  const int32_t C[3] = {int32_t(Child.X), int32_t(Child.Y), int32_t(Child.Z)};
  for (const EncodedPiece &P : What.Pieces)
    addRows(producersOf(P, C), Grid, Begin, Most, Runs);
}

/// The parents of every block as runs, of which there may be many.
static Expansion inRuns(const RecordedRelation &What, Dim3 ConsumerGrid,
                        Dim3 Grid) {
  Expansion Out;
  Out.KernelLevel = true;
  const uint64_t Children = ConsumerGrid.count();
  const size_t Most = std::max<size_t>(1, Expansion::MaxRuns / Children);
  for (uint64_t Child = 0; Child < Children; ++Child) {
    Out.RunBegin.push_back(uint32_t(Out.Runs.size()));
    addRuns(What, uint32_t(Child), ConsumerGrid, Grid, Most, Out.Runs);
  }
  Out.RunBegin.push_back(uint32_t(Out.Runs.size()));
  return Out;
}

/// Turns parents by child, stored one after the other, into children by parent.
static void transpose(const std::vector<uint32_t> &ByChild, uint64_t Producers,
                      Expansion &Out) {
  Out.Begin.assign(Producers + 1, 0);
  for (uint32_t Parent : ByChild)
    ++Out.Begin[Parent + 1];
  for (uint64_t P = 0; P < Producers; ++P)
    Out.Begin[P + 1] += Out.Begin[P];
  Out.Children.resize(ByChild.size());
  std::vector<uint32_t> Next(Out.Begin.begin(), Out.Begin.end() - 1);
  const uint32_t *Parent = ByChild.data();
  for (uint32_t Child = 0; Child < Out.Parents.size(); ++Child)
    for (uint16_t I = 0; I < Out.Parents[Child]; ++I)
      Out.Children[Next[*Parent++]++] = Child;
}

Expansion expand(const RecordedRelation &What, Dim3 ConsumerGrid,
                 uint32_t MaxParents) {
  Expansion Out;
  Out.KernelLevel =
      !What.List && What.Header.Kind != uint32_t(RelationKind::Closed);
  if (Out.KernelLevel)
    return Out;
  Dim3 Grid = {What.Header.ProducerGrid[0], What.Header.ProducerGrid[1],
               What.Header.ProducerGrid[2]};
  std::vector<uint32_t> ByChild, Parents;
  Out.Parents.resize(ConsumerGrid.count());
  for (uint64_t Child = 0; Child < Out.Parents.size(); ++Child) {
    if (!parentsOf(What, uint32_t(Child), ConsumerGrid, Grid, MaxParents,
                   Parents) ||
        ByChild.size() + Parents.size() > UINT32_MAX)
      return inRuns(What, ConsumerGrid, Grid);
    Out.Parents[Child] = uint16_t(Parents.size());
    Out.MostParents = std::max(Out.MostParents, uint32_t(Parents.size()));
    ByChild.insert(ByChild.end(), Parents.begin(), Parents.end());
  }
  transpose(ByChild, Grid.count(), Out);
  Out.Decodes = decodesFromParents(What);
  return Out;
}

} // namespace blockmaestro::sim
