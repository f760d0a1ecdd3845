// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Readiness.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

namespace {

/// Calls \p Visit with the linear number of every block of \p Box.
template <typename Visitor>
void forEachProducer(const ProducerBox &Box, Dim3 Grid, Visitor Visit) {
  for (int64_t Z = Box.Low[2]; Z <= Box.High[2]; ++Z)
    for (int64_t Y = Box.Low[1]; Y <= Box.High[1]; ++Y)
      for (int64_t X = Box.Low[0]; X <= Box.High[0]; ++X)
        Visit(linearOf({uint32_t(X), uint32_t(Y), uint32_t(Z)}, Grid));
}

ProducerBox producersOf(const EncodedPiece &Piece, Dim3 Consumer) {
  const int32_t C[3] = {int32_t(Consumer.X), int32_t(Consumer.Y),
                        int32_t(Consumer.Z)};
  return blockmaestro::producersOf(Piece, C);
}

/// Whether every producer the piece can name is a block of \p Grid.
bool staysInside(const EncodedPiece &Piece, Dim3 Grid) {
  for (int D = 0; D < 3; ++D)
    if (Piece.Rows[D].D <= 0 || Piece.ProducerLow[D] < 0 ||
        Piece.ProducerHigh[D] >= int64_t(Grid[D]))
      return false;
  return true;
}

/// Whether the list has every block of a consumer of \p Consumers blocks and no
/// producer beyond the last of \p Producers.
bool staysInside(const BlockList *List, uint64_t Consumers,
                 uint64_t Producers) {
  if (!List || List->Begin.size() != Consumers + 1 ||
      List->Begin.back() != List->Runs.size() ||
      !std::is_sorted(List->Begin.begin(), List->Begin.end()))
    return false;
  return std::all_of(List->Runs.begin(), List->Runs.end(),
                     [&](BlockRun Run) { return Run.Last < Producers; });
}

/// Calls \p Visit with the linear number of every block of the block's runs.
template <typename Visitor>
void forEachProducer(const BlockList &List, uint64_t Consumer, Visitor Visit) {
  for (BlockRun Run : producersOf(List.lists(), uint32_t(Consumer)))
    for (uint64_t P = Run.First; P <= Run.Last; ++P)
      Visit(P);
}

std::string nameOf(const Flight &F, uint64_t Block) {
  if (!F.Given.What)
    return F.Given.Work.Name;
  Dim3 At = blockOf(Block, F.grid());
  return "block (" + std::to_string(At.X) + "," + std::to_string(At.Y) + "," +
         std::to_string(At.Z) + ")" + nameOfBlock(*F.Given.What, Block) +
         " of launch " + std::to_string(F.Given.What->Id) + " (" +
         F.Given.What->Kernel->Name + ")";
}

/// Notes that block \p C waits for block \p P, unless that has run.
void linkBlock(Flight &Producer, uint64_t P, Flight &Consumer, uint64_t C) {
  if (Producer.Finished[P])
    return;
  Producer.Waiters[P].push_back({Consumer.id(), C});
  ++Consumer.Missing[C];
}

} // namespace

Status checkBlocks(const Dependence &Need, Dim3 Producer,
                   const Task &Consumer) {
  const bool Listed = Need.Header.Kind == uint32_t(RelationKind::Listed);
  const bool Right = Listed
                         ? staysInside(Need.List.get(), Consumer.grid().count(),
                                       Producer.count())
                         : std::all_of(Need.Pieces.begin(), Need.Pieces.end(),
                                       [&](const EncodedPiece &Piece) {
                                         return staysInside(Piece, Producer);
                                       });
  if (Right)
    return Status();
  return Status(StatusCode::InvalidArgument,
                "launch " + std::to_string(Consumer.Node) +
                    " waits for blocks launch " +
                    std::to_string(Need.Producer) + " does not have");
}

Status notEarlier(const Dependence &Need, const Task &Consumer) {
  return Status(StatusCode::InvalidArgument,
                "launch " + std::to_string(Consumer.Node) +
                    " waits for launch " + std::to_string(Need.Producer) +
                    ", which is not an earlier one");
}

Flight::Flight(Task Next)
    : Given(std::move(Next)), Finished(grid().count()), Missing(grid().count()),
      Waiters(grid().count()) {}

const Flight *Readiness::find(uint64_t Launch) const {
  for (const Flight &F : Flights)
    if (F.id() == Launch)
      return &F;
  return nullptr;
}

Flight *Readiness::find(uint64_t Launch) {
  return const_cast<Flight *>(std::as_const(*this).find(Launch));
}

Status Readiness::add(Task Next, std::vector<Block> &Ready) {
  Flights.emplace_back(std::move(Next));
  Flight &F = Flights.back();
  for (const Dependence &Need : F.Given.Needs)
    if (Status S = link(F, Need); !S.ok())
      return S;
  for (uint64_t B = 0; B < F.Missing.size(); ++B)
    if (F.Missing[B] == 0)
      Ready.push_back({F.id(), B});
  return Status();
}

/// Notes for every block of \p Consumer what it waits for by \p Need. A
/// producer that is no longer in flight has completed.
Status Readiness::link(Flight &Consumer, const Dependence &Need) {
  if (Need.Producer > Consumer.id())
    return notEarlier(Need, Consumer.Given);
  Flight *Producer = find(Need.Producer);
  if (!Producer || Producer->complete())
    return Status();
  if (Need.Header.Kind == uint32_t(RelationKind::Full)) {
    Producer->LaunchWaiters.push_back(Consumer.id());
    for (uint64_t &Missing : Consumer.Missing)
      ++Missing;
    return Status();
  }
  if (Status S = checkBlocks(Need, Producer->grid(), Consumer.Given); !S.ok())
    return S;
  if (Need.Header.Kind == uint32_t(RelationKind::Listed))
    linkList(*Producer, Consumer, *Need.List);
  else
    for (const EncodedPiece &Piece : Need.Pieces)
      linkPiece(*Producer, Consumer, Piece);
  return Status();
}

void Readiness::linkPiece(Flight &Producer, Flight &Consumer,
                          const EncodedPiece &Piece) {
  Dim3 ProducerGrid = Producer.grid(), Grid = Consumer.grid();
  for (uint64_t B = 0; B < Consumer.Missing.size(); ++B)
    forEachProducer(producersOf(Piece, blockOf(B, Grid)), ProducerGrid,
                    [&](uint64_t P) { linkBlock(Producer, P, Consumer, B); });
}

void Readiness::linkList(Flight &Producer, Flight &Consumer,
                         const BlockList &List) {
  for (uint64_t B = 0; B < Consumer.Missing.size(); ++B)
    forEachProducer(List, B,
                    [&](uint64_t P) { linkBlock(Producer, P, Consumer, B); });
}

void Readiness::release(uint64_t Launch, uint64_t Block,
                        std::vector<Readiness::Block> &Ready) {
  if (--find(Launch)->Missing[Block] == 0)
    Ready.push_back({Launch, Block});
}

void Readiness::finish(Block Which, std::vector<Block> &Ready) {
  Flight &F = *find(Which.Launch);
  F.Finished[Which.Block] = true;
  ++F.Done;
  for (const Block &Next : F.Waiters[Which.Block])
    release(Next.Launch, Next.Block, Ready);
  if (!F.complete())
    return;
  for (uint64_t Launch : F.LaunchWaiters)
    for (uint64_t B = 0; B < find(Launch)->Missing.size(); ++B)
      release(Launch, B, Ready);
}

bool Readiness::isInFlight(uint64_t Node) const {
  const Flight *Found = find(Node);
  return Found && !Found->complete();
}

void Readiness::retire() {
  while (!Flights.empty() && Flights.front().complete())
    Flights.pop_front();
}

/// A block \p Block of \p Consumer waits for, in words.
std::string Readiness::firstMissing(const Flight &Consumer,
                                    uint64_t Block) const {
  for (const Dependence &Need : Consumer.Given.Needs) {
    const Flight *Producer = find(Need.Producer);
    if (!Producer || Producer->complete())
      continue;
    std::string Found;
    auto Look = [&](uint64_t P) {
      if (Found.empty() && !Producer->Finished[P])
        Found = nameOf(*Producer, P);
    };
    if (Need.Header.Kind == uint32_t(RelationKind::Full))
      Found = "all blocks of launch " + std::to_string(Need.Producer);
    if (Need.List)
      forEachProducer(*Need.List, Block, Look);
    for (const EncodedPiece &Piece : Need.Pieces)
      forEachProducer(producersOf(Piece, blockOf(Block, Consumer.grid())),
                      Producer->grid(), Look);
    if (!Found.empty())
      return Found;
  }
  return "nothing";
}

std::string Readiness::describeWaiting() const {
  for (const Flight &F : Flights)
    for (uint64_t B = 0; B < F.Finished.size(); ++B)
      if (!F.Finished[B])
        return nameOf(F, B) + " waits for " + firstMissing(F, B);
  return "no block waits";
}

} // namespace blockmaestro
