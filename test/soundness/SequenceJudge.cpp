// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SequenceJudge.h"

#include <algorithm>

namespace blockmaestro::soundness {

namespace {

/// Who has written each byte of a launch so far.
class Writers {
public:
  /// False where another block has written one of the bytes otherwise than by
  /// the same atomic operation.
  bool write(unsigned Memory, int64_t Low, int64_t High, uint32_t Block,
             uint32_t Atomic);
  /// False where another block has.
  bool read(unsigned Memory, int64_t Low, int64_t High, uint32_t Block) const;

private:
  struct Writer {
    uint32_t Block = ~0u;
    uint32_t Atomic = 0; ///< Which, 0 a plain write.
  };
  std::map<unsigned, std::vector<Writer>> Bytes;
};

bool Writers::write(unsigned Memory, int64_t Low, int64_t High, uint32_t Block,
                    uint32_t Atomic) {
  std::vector<Writer> &Of = Bytes[Memory];
  if (int64_t(Of.size()) <= High)
    Of.resize(High + 1);
  for (int64_t B = Low; B <= High; ++B) {
    if (Of[B].Block != ~0u &&
        (Of[B].Atomic != Atomic || (!Atomic && Of[B].Block != Block)))
      return false;
    Of[B] = {Block, Atomic};
  }
  return true;
}

bool Writers::read(unsigned Memory, int64_t Low, int64_t High,
                   uint32_t Block) const {
  auto Of = Bytes.find(Memory);
  if (Of == Bytes.end())
    return true;
  High = std::min(High, int64_t(Of->second.size()) - 1);
  return std::all_of(Of->second.begin() + std::min(Low, High + 1),
                     Of->second.begin() + High + 1, [&](const Writer &W) {
                       return W.Block == ~0u || (W.Block == Block && !W.Atomic);
                     });
}

/// Whether Array is looked into, as Inside says.
bool isLooked(const Node &N, unsigned Array, bool Inside) {
  Inside |= N.What == Op::Fetch || N.What == Op::Load;
  if (N.What == Op::Array && N.Id == Array)
    return Inside;
  return std::ranges::any_of(
      N.Kids, [&](const Node &Kid) { return isLooked(Kid, Array, Inside); });
}

} // namespace

bool isInside(const Place &At, const Spread &Of, int64_t Bytes) {
  const bool Touches = Of.Touched.Low < Of.Touched.High;
  return At.Offset >= -NearBytes && At.Offset <= Bytes &&
         (!Touches || (At.Offset + Of.Touched.Low >= 0 &&
                       At.Offset + Of.Touched.High <= Bytes));
}

const Run &Judge::runOf(unsigned Shape) {
  auto [It, New] = Runs.try_emplace(Shape);
  Run &Of = It->second;
  if (New) {
    Kernel K = S.Kernels[S.Shapes[Shape].Kernel];
    print(K);
    Of.Seen.AskWraps = S.Affine;
    Of.How = interpret(K, S.Shapes[Shape].Case, Of.Blocks, &Of.Seen);
  }
  return Of;
}

std::optional<Operation> &Judge::held(unsigned Memory) {
  if (Held.size() <= Memory)
    Held.resize(Memory + 1);
  return Held[Memory];
}

void Judge::inside(const Place &At, int64_t Low, int64_t High) {
  if (At.Offset + Low < 0 ||
      At.Offset + High > int64_t(S.Memories[At.Memory].Bytes))
    bad("a pointer leaves its memory");
}

void Judge::checkPlaces(const Operation &O, const Run &Of) {
  for (size_t A = 0; A < Of.Seen.Arrays.size(); ++A) {
    const Spread &R = Of.Seen.Arrays[A];
    if (!isInside(O.Pointers[A], R,
                  int64_t(S.Memories[O.Pointers[A].Memory].Bytes)))
      bad("a pointer leaves its memory");
    if (O.Pointers[A].Offset % R.Align != 0)
      bad("a pointer is not aligned");
  }
}

/// What indices are made of is what the interpreter took it for, and no other
/// array's.
void Judge::checkContents(const Operation &O, const Run &Of) {
  const Shape &Mine = S.Shapes[O.Shape];
  const Kernel &K = S.Kernels[Mine.Kernel];
  for (unsigned A = 0; A < K.Arrays.size(); ++A) {
    const Spread &R = Of.Seen.Arrays[A];
    if (!holdsContents(K, A) || R.Touched.Low >= R.Touched.High)
      continue;
    const unsigned Memory = O.Pointers[A].Memory;
    const std::optional<Operation> &By = held(Memory);
    if (!By)
      return bad("a table holds something else");
    const Shape &Theirs = S.Shapes[By->Shape];
    if (Theirs.Kernel != Mine.Kernel || By->Array != A ||
        By->To.Offset != O.Pointers[A].Offset ||
        Theirs.Case.Contents != Mine.Case.Contents ||
        Theirs.Case.WildTables != Mine.Case.WildTables ||
        By->Range.Low > R.Touched.Low || By->Range.High < R.Touched.High)
      return bad("a table holds something else");
    for (unsigned B = 0; B < K.Arrays.size(); ++B)
      if (B != A && O.Pointers[B].Memory == Memory)
        return bad("a table is another array's memory");
  }
}

/// memcpy's arrays do not overlap.
void Judge::checkCopies(const Operation &O, const Run &Of) {
  const Kernel &K = S.Kernels[S.Shapes[O.Shape].Kernel];
  if (!contains(K.Body, Op::Copy))
    return;
  auto Span = [&](unsigned A) {
    return std::pair(O.Pointers[A].Offset + Of.Seen.Arrays[A].Within.Low,
                     O.Pointers[A].Offset + Of.Seen.Arrays[A].Within.High);
  };
  for (unsigned A = 0; A < K.Arrays.size(); ++A)
    for (unsigned B = 0; B < A; ++B)
      if (O.Pointers[A].Memory == O.Pointers[B].Memory &&
          Span(A).first < Span(B).second && Span(B).first < Span(A).second)
        bad("memcpy may overlap");
}

/// Whether blocks touch what another block writes only by the same atomics.
bool Judge::ordered(const Operation &O, const Run &Of) const {
  const Kernel &K = S.Kernels[S.Shapes[O.Shape].Kernel];
  if (contains(K.Body, Op::Fetch) && Of.Blocks.size() > 1)
    return false;
  Writers W;
  auto Each = [&](auto Do) {
    for (uint32_t B = 0; B < Of.Blocks.size(); ++B)
      for (const auto &[T, Set] : Of.Blocks[B])
        for (auto [Low, High] : Set.ranges())
          if (const Place &At = O.Pointers[T.Array];
              !Do(T, At.Memory, At.Offset + Low, At.Offset + High, B))
            return false;
    return true;
  };
  return Each([&](const Touch &T, unsigned M, int64_t Low, int64_t High,
                  uint32_t B) {
           const uint32_t Atomic =
               T.Kind == AccessKind::Atomic ? T.Line * 64 + T.Array + 1 : 0;
           return T.Kind == AccessKind::Read ||
                  W.write(M, Low, High, B, Atomic);
         }) &&
         Each([&](const Touch &T, unsigned M, int64_t Low, int64_t High,
                  uint32_t B) {
           return T.Kind != AccessKind::Read || W.read(M, Low, High, B);
         });
}

bool Judge::isOrdered(unsigned Shape) {
  const Run &Of = runOf(Shape);
  const Kernel &K = S.Kernels[S.Shapes[Shape].Kernel];
  Operation O;
  O.Shape = Shape;
  for (unsigned A = 0; A < K.Arrays.size(); ++A)
    O.Pointers.push_back(
        {A, std::max<int64_t>(-Of.Seen.Arrays[A].Touched.Low, 0)});
  return ordered(O, Of);
}

/// What the launch writes holds something else from now on.
void Judge::written(const Operation &O, const Run &Of) {
  for (const BlockTruth &Block : Of.Blocks)
    for (const auto &[T, Set] : Block)
      if (T.Kind != AccessKind::Read)
        held(O.Pointers[T.Array].Memory).reset();
}

void Judge::launch(const Operation &O) {
  const Run &Of = runOf(O.Shape);
  if (Of.How != Outcome::Done)
    return bad("a launch is undefined or too long");
  checkPlaces(O, Of);
  checkContents(O, Of);
  checkCopies(O, Of);
  if (!Out.Undefined.empty())
    return;
  Out.Deterministic = ordered(O, Of);
  written(O, Of);
}

void Judge::transfer(const Operation &O) {
  const int64_t Bytes = int64_t(O.Bytes);
  if (O.What == Operation::Contents) {
    inside(O.To, O.Range.Low, O.Range.High);
    held(O.To.Memory) = O;
    return;
  }
  if (O.What == Operation::Copy || O.What == Operation::Download)
    inside(O.From, 0, Bytes);
  if (O.What == Operation::Download)
    return;
  inside(O.To, 0, Bytes);
  held(O.To.Memory).reset();
  if (O.What == Operation::Copy && O.To.Memory == O.From.Memory &&
      std::abs(O.To.Offset - O.From.Offset) < Bytes)
    bad("a copy overlaps itself");
}

Judgement Judge::next(const Operation &O) {
  Out = {};
  if (O.What == Operation::Launch)
    launch(O);
  else if (O.What != Operation::Wait)
    transfer(O);
  return Out;
}

bool holdsContents(const Kernel &K, unsigned Array) {
  return isLooked(K.Body, Array, false) ||
         std::ranges::any_of(K.Functions, [&](const Function &F) {
           return isLooked(F.Body, Array, false);
         });
}

Judgement judge(const Sequence &S) {
  Judge J(S);
  Judgement All;
  for (const Operation &O : S.Operations) {
    Judgement One = J.next(O);
    All.Deterministic &= One.Deterministic;
    if (!One.Undefined.empty())
      return One;
  }
  return All;
}

} // namespace blockmaestro::soundness
