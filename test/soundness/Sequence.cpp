// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SequenceJudge.h"

#include "Generate.h"

#include <algorithm>

namespace blockmaestro::soundness {

namespace {

constexpr int64_t MemoryBytes = 64 << 10;
constexpr int64_t Middle = MemoryBytes / 2;
constexpr unsigned MostLaunches = 20;
constexpr uint64_t ConstantLength = 256; ///< All of a source have 64 KiB.
constexpr unsigned HostWords = 8192;

/// What the memory of a table is to hold next.
struct Table {
  unsigned Memory = 0;
  Extent Range;        ///< Of all shapes.
  int Filled = -1;     ///< The shape it holds the contents of, or -1.
  bool Counts = false; ///< Its kernel changes it.
};

class Maker {
public:
  Maker(uint32_t Seed, bool Affine) : R(Seed * 2654435761u + 11), Asked(S) {
    S.Seed = Seed;
    S.Affine = Affine;
  }
  Sequence make();

private:
  unsigned pick(unsigned Below) { return R() % Below; }
  bool chance(unsigned Percent) { return pick(100) < Percent; }

  std::pair<Dim3, Dim3> geometry();
  bool addKernel();
  bool isUsable(const Kernel &K, const Run &Of);
  void addMemories();
  void addTables(unsigned Kernel);
  void addTable(unsigned Kernel, unsigned Array);
  Place atEdge(const Spread &Of);
  Place place(const Spread &Of);
  void places(Operation &O);
  void fillTables(const Operation &O);
  void add(const Operation &O);
  void addLaunch(Operation O);
  void addLaunches();
  void addTransfer();
  void again(size_t Count);
  unsigned stream() { return Streams && chance(30) ? pick(3) : 0; }

  Random R;
  Sequence S;
  Judge Asked;
  std::map<std::pair<unsigned, unsigned>, Table> Tables; ///< Kernel, array.
  std::map<std::pair<unsigned, unsigned>, unsigned> Variables;
  unsigned Launches = 0;
  unsigned Plain = 0; ///< Memories that launches share.
  bool Streams = false;
  bool Calm = false; ///< Only launches that give the same in any order.
};

/// Grids and blocks of one to three dimensions.
std::pair<Dim3, Dim3> Maker::geometry() {
  auto Of = [&](unsigned Below) { return uint32_t(1 + pick(Below)); };
  constexpr uint32_t Sizes[] = {32, 32, 64, 16, 8, 33, 7};
  switch (pick(5)) {
  case 0:
  case 1:
    return {{Of(24), 1, 1}, {Sizes[pick(7)], 1, 1}};
  case 2:
    return {{Of(6), Of(6), 1}, {uint32_t(4) << pick(3), Of(4), 1}};
  case 3:
    return {{Of(4), Of(3), Of(3)}, {Of(8), Of(3), Of(2)}};
  default:
    return {{Of(40), 1, 1}, {Of(8), Of(2), 1}};
  }
}

/// Whether threads may leave N without the others.
bool mayLeave(const Node &N, const Kernel &K) {
  const bool Calls = N.What == Op::Call;
  return N.What == Op::Return || N.What == Op::Exit ||
         (Calls && contains(K.Functions[N.Id].Body, Op::Exit)) ||
         std::ranges::any_of(N.Kids,
                             [&](const Node &Kid) { return mayLeave(Kid, K); });
}

/// Warps exchange values only where all of their threads come by.
void settle(Node &N, const Kernel &K, bool Uniform) {
  for (size_t I = 0; I < N.Kids.size(); ++I) {
    if (N.Kids[I].What == Op::Exchange && !Uniform) {
      N.Kids.erase(N.Kids.begin() + I--);
      continue;
    }
    Uniform &= !mayLeave(N.Kids[I], K);
    settle(N.Kids[I], K, false);
  }
}

/// Whether a launch is defined, stays near and touches something; an affine one
/// also what its sums and products say.
bool Maker::isUsable(const Kernel &K, const Run &Of) {
  if (Of.How != Outcome::Done || (S.Affine && Of.Seen.Wraps))
    return false;
  for (unsigned A = 0; A < K.Arrays.size(); ++A)
    if (const Extent &Touched = Of.Seen.Arrays[A].Touched;
        K.Arrays[A].Where < ArrayInfo::Device &&
        (Touched.Low < -Middle || Touched.High > Middle))
      return false;
  bool Touches = false, Writes = false;
  for (const BlockTruth &Block : Of.Blocks)
    for (const auto &[T, Set] : Block) {
      Touches = true;
      Writes |= T.Kind != AccessKind::Read;
    }
  return Touches && (Writes || chance(15));
}

/// Whether the numbers are those of sizes and steps, also when subtracted.
bool isModest(const LaunchCase &L) {
  constexpr Wide Most = INT32_MAX / 2;
  return std::ranges::all_of(
      L.Scalars, [](Wide Each) { return Each >= -Most && Each <= Most; });
}

/// A kernel with one to three shapes; false where none was found.
bool Maker::addKernel() {
  constexpr unsigned Tries = 6;
  const unsigned Number = S.Kernels.size(), Wanted = 1 + pick(3);
  S.Kernels.push_back(generate(R(), S.Affine));
  S.Kernels[Number].Relocatable = false;
  settle(S.Kernels[Number].Body, S.Kernels[Number], true);
  for (ArrayInfo &A : S.Kernels[Number].Arrays)
    if (A.Where == ArrayInfo::Constant)
      A.Length = ConstantLength;
  unsigned Found = 0;
  for (unsigned I = 0; I < Tries && Found < Wanted; ++I) {
    const auto [Grid, Block] = geometry();
    const unsigned Shape = S.Shapes.size();
    S.Shapes.push_back(
        {Number, randomLaunch(S.Kernels[Number], Grid, Block, R)});
    if ((!S.Affine || isModest(S.Shapes[Shape].Case)) &&
        isUsable(S.Kernels[Number], Asked.runOf(Shape)) &&
        (!Calm || Asked.isOrdered(Shape))) {
      ++Found;
      continue;
    }
    Asked.forget(Shape);
    S.Shapes.pop_back();
  }
  if (!Found)
    S.Kernels.pop_back();
  return Found != 0;
}

void Maker::addTable(unsigned Kernel, unsigned Array) {
  const ArrayInfo &A = S.Kernels[Kernel].Arrays[Array];
  Table New;
  New.Counts = !A.Table;
  for (unsigned I = 0; I < S.Shapes.size(); ++I)
    if (S.Shapes[I].Kernel == Kernel) {
      const Extent &Of = Asked.runOf(I).Seen.Arrays[Array].Touched;
      New.Range.Low = std::min(New.Range.Low, Of.Low);
      New.Range.High = std::max(New.Range.High, Of.High);
    }
  New.Memory = S.Memories.size();
  if (auto Variable = Variables.find({Kernel, Array});
      Variable != Variables.end())
    New.Memory = Variable->second;
  else
    S.Memories.push_back({uint64_t(MemoryBytes), false, 0, 0});
  Tables[{Kernel, Array}] = New;
}

void Maker::addTables(unsigned Kernel) {
  const std::vector<ArrayInfo> &Arrays = S.Kernels[Kernel].Arrays;
  for (unsigned A = 0; A < Arrays.size(); ++A) {
    if (Arrays[A].Where >= ArrayInfo::Device) {
      Variables[{Kernel, A}] = S.Memories.size();
      S.Memories.push_back(
          {Arrays[A].Length * traits(Arrays[A].Of).Bytes, true, Kernel, A});
    }
    if (holdsContents(S.Kernels[Kernel], A))
      addTable(Kernel, A);
  }
}

void Maker::addMemories() {
  Plain = 2 + pick(3);
  for (unsigned I = 0; I < Plain; ++I)
    S.Memories.push_back({uint64_t(MemoryBytes), false, 0, 0});
  for (unsigned K = 0; K < S.Kernels.size(); ++K)
    addTables(K);
}

/// Where what is touched begins where the memory does, or ends where it ends;
/// the pointer itself is in the memory, at its end, or a little before it.
Place Maker::atEdge(const Spread &Of) {
  const bool Touches = Of.Touched.Low < Of.Touched.High;
  Place At{pick(Plain), 0};
  if (chance(50))
    At.Offset = Touches ? std::max(-Of.Touched.Low, -NearBytes) : 0;
  else
    At.Offset =
        MemoryBytes - (Touches ? std::max<int64_t>(Of.Touched.High, 0) : 0);
  const int64_t Over = (At.Offset % Of.Align + Of.Align) % Of.Align;
  At.Offset += At.Offset > 0 ? -Over : (Of.Align - Over) % Of.Align;
  return At;
}

/// Mostly the same place, some elements beside it, at an edge, or anywhere.
Place Maker::place(const Spread &Of) {
  if (chance(25))
    if (const Place At = atEdge(Of); isInside(At, Of, MemoryBytes))
      return At;
  Place At{pick(Plain), Middle};
  const unsigned Kind = pick(20);
  if (Kind >= 13 && Kind < 17)
    At.Offset += Of.Align * (int64_t(pick(129)) - 64);
  else if (Kind >= 17)
    At.Offset = int64_t(pick(MemoryBytes / 16)) * 16;
  if (!isInside(At, Of, MemoryBytes))
    At.Offset = Middle;
  return At;
}

/// Places the arrays of a launch.
void Maker::places(Operation &O) {
  const unsigned Number = S.Shapes[O.Shape].Kernel;
  const Kernel &K = S.Kernels[Number];
  const std::vector<Spread> &Reached = Asked.runOf(O.Shape).Seen.Arrays;
  O.Pointers.resize(K.Arrays.size());
  for (unsigned A = 0; A < K.Arrays.size(); ++A) {
    if (auto Of = Tables.find({Number, A}); Of != Tables.end())
      O.Pointers[A] = {Of->second.Memory,
                       K.Arrays[A].Where < ArrayInfo::Device ? Middle : 0};
    else if (K.Arrays[A].Where >= ArrayInfo::Device)
      O.Pointers[A] = {Variables[{Number, A}], 0};
    else
      O.Pointers[A] = place(Reached[A]);
  }
}

void Maker::fillTables(const Operation &O) {
  const Shape &Of = S.Shapes[O.Shape];
  for (auto &[Where, T] : Tables) {
    if (Where.first != Of.Kernel)
      continue;
    auto Same = [&] {
      const LaunchCase &Then = S.Shapes[T.Filled].Case;
      return Then.Contents == Of.Case.Contents &&
             Then.WildTables == Of.Case.WildTables;
    };
    if (T.Filled >= 0 && !T.Counts && Same())
      continue;
    T.Filled = int(O.Shape);
    Operation Fill;
    Fill.What = Operation::Contents;
    Fill.Stream = O.Stream;
    Fill.Shape = O.Shape;
    Fill.Array = Where.second;
    Fill.To = O.Pointers[Where.second];
    Fill.Range = T.Range;
    add(Fill);
  }
}

void Maker::add(const Operation &O) {
  (void)Asked.next(O);
  S.Operations.push_back(O);
}

/// Appends the launch behind what its tables must hold, unless it would be
/// undefined, or not what a calm program does.
void Maker::addLaunch(Operation O) {
  O.Stream = stream();
  fillTables(O);
  const Judgement How = Asked.next(O);
  if (!How.Undefined.empty() || (Calm && !How.Deterministic))
    return;
  ++Launches;
  S.Deterministic &= How.Deterministic;
  S.Operations.push_back(std::move(O));
}

/// The first Count operations again, their memories in other places in turn, as
/// in a loop whose buffers change places.
void Maker::again(size_t Count) {
  const bool Swaps = chance(50);
  const unsigned One = pick(Plain), Other = pick(Plain);
  for (size_t I = 0; I < Count && Launches < MostLaunches; ++I) {
    Operation O = S.Operations[I];
    if (O.What == Operation::Contents)
      continue;
    if (O.What != Operation::Launch) {
      add(O);
      continue;
    }
    for (Place &At : O.Pointers)
      if (Swaps && (At.Memory == One || At.Memory == Other))
        At.Memory = One + Other - At.Memory;
    addLaunch(std::move(O));
  }
}

/// At least three launches; where a calm program has none to offer, it is none.
void Maker::addLaunches() {
  constexpr unsigned Patience = 40;
  unsigned Tries = 0;
  for (unsigned Wanted = 3 + pick(12); Launches < Wanted; ++Tries) {
    Calm &= Tries < Patience || Launches >= 3;
    if (Tries > 2 * Patience)
      break;
    if (chance(15))
      addTransfer();
    Operation O;
    O.Shape = pick(S.Shapes.size());
    places(O);
    addLaunch(std::move(O));
  }
  while (Launches < MostLaunches && chance(60))
    again(1 + pick(S.Operations.size()));
}

void Maker::addTransfer() {
  Operation O;
  constexpr Operation::Kind Kinds[] = {
      Operation::Copy,   Operation::Copy,     Operation::Fill, Operation::Fill,
      Operation::Upload, Operation::Download, Operation::Wait};
  O.What = Kinds[pick(7)];
  O.Stream = stream();
  O.Bytes = 4 + pick(1 + pick(4096));
  auto Somewhere = [&] {
    return Place{pick(Plain), Middle + int64_t(pick(4096)) - 1024};
  };
  O.To = Somewhere();
  O.From = Somewhere();
  if (O.To.Memory == O.From.Memory &&
      std::abs(O.To.Offset - O.From.Offset) < int64_t(O.Bytes))
    O.From.Offset = O.To.Offset - int64_t(O.Bytes);
  O.Value = O.What == Operation::Wait   ? pick(2)
            : O.What == Operation::Fill ? pick(256)
                                        : pick(HostWords / 4);
  add(O);
}

Sequence Maker::make() {
  Streams = chance(30);
  Calm = chance(50);
  const unsigned Count = 1 + pick(4);
  while (S.Kernels.size() < Count)
    addKernel();
  addMemories();
  addLaunches();
  return std::move(S);
}

} // namespace

Sequence makeSequence(uint32_t Seed, bool Affine) {
  return Maker(Seed, Affine).make();
}

} // namespace blockmaestro::soundness
