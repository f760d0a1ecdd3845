// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockBytes.h"

#include "Evaluate.h"
#include "Membership.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace blockmaestro {
namespace {

/// Evaluating a block costs as much as making so many runs.
constexpr uint64_t RunsOfABlock = 16;

constexpr uint64_t EndOfMemory = std::numeric_limits<uint64_t>::max();

/// The values of one coordinate for one block, as offsets in bytes.
struct Steps {
  int64_t First = 0;
  int64_t Last = 0;
  int64_t Stride = 1;
};

/// Appends the runs of one block.
class Writer {
public:
  /// Left is how many more runs may be looked at, in all blocks.
  Writer(uint32_t Block, uint64_t &Left, std::vector<ByteRun> &Out)
      : Block(Block), Begin(Out.size()), Left(Left), Out(Out) {}

  /// False when there are too many.
  bool add(const BlockAccess &A, Dim3 At);
  /// Joins what touches and agrees.
  void join();

private:
  bool addSteps(const BlockAccess &A, std::span<const Steps> Of,
                int64_t Offset);
  bool addBytes(const BlockAccess &A, int64_t First, int64_t Last);
  void push(const BlockAccess &A, uint64_t First, uint64_t Last);

  uint32_t Block;
  size_t Begin;
  uint64_t &Left;
  std::vector<ByteRun> &Out;
};

void Writer::push(const BlockAccess &A, uint64_t First, uint64_t Last) {
  Out.push_back({First, Last, Block, reads(A.Kind), writes(A.Kind), A.Exact});
}

/// Offsets First to Last from the allocation's base, those inside it. False
/// when too many have been asked for.
bool Writer::addBytes(const BlockAccess &A, int64_t First, int64_t Last) {
  if (Left == 0)
    return false;
  --Left;
  First = std::max<int64_t>(First, 0);
  if (First <= Last && uint64_t(First) < A.Where.Bytes)
    push(A, A.Where.Base + uint64_t(First),
         A.Where.Base + std::min(uint64_t(Last), A.Where.Bytes - 1));
  return true;
}

/// From the largest stride down; the values of the smallest are one run where
/// their bytes touch.
bool Writer::addSteps(const BlockAccess &A, std::span<const Steps> Of,
                      int64_t Offset) {
  if (Of.empty())
    return addBytes(A, Offset + A.ByteLow, Offset + A.ByteHigh);
  const Steps &Here = Of.back();
  if (Of.size() == 1 && A.ByteHigh - A.ByteLow + 1 >= Here.Stride)
    return addBytes(A, Offset + Here.First + A.ByteLow,
                    Offset + Here.Last + A.ByteHigh);
  for (int64_t At = Here.First; At <= Here.Last; At += Here.Stride)
    if (!addSteps(A, Of.first(Of.size() - 1), Offset + At))
      return false;
  return true;
}

bool Writer::add(const BlockAccess &A, Dim3 At) {
  if (!inBox(A, At))
    return true;
  if (A.How == Reach::Everything) {
    push(A, 0, EndOfMemory);
    return true;
  }
  if (A.How == Reach::Range)
    return addBytes(A, 0, int64_t(A.Where.Bytes - 1));
  std::vector<Steps> Values;
  for (const Coordinate &C : A.Coordinates) {
    const WideInterval Of = stepsOf(C, At);
    if (Of.Low > Of.High)
      return true;
    Values.push_back(
        {int64_t(Of.Low * C.Stride), int64_t(Of.High * C.Stride), C.Stride});
  }
  return addSteps(A, Values, 0);
}

bool agree(const ByteRun &A, const ByteRun &B) {
  return A.Reads == B.Reads && A.Writes == B.Writes && A.Sure == B.Sure;
}

void Writer::join() {
  const auto First = Out.begin() + std::ptrdiff_t(Begin);
  std::sort(First, Out.end(), [](const ByteRun &A, const ByteRun &B) {
    return std::tie(A.Reads, A.Writes, A.Sure, A.First) <
           std::tie(B.Reads, B.Writes, B.Sure, B.First);
  });
  size_t Kept = Begin;
  for (size_t I = Begin; I < Out.size(); ++I) {
    ByteRun &Last = Out[Kept == Begin ? Begin : Kept - 1];
    if (Kept > Begin && agree(Last, Out[I]) &&
        (Last.Last == EndOfMemory || Out[I].First <= Last.Last + 1))
      Last.Last = std::max(Last.Last, Out[I].Last);
    else
      Out[Kept++] = Out[I];
  }
  Out.resize(Kept);
}

} // namespace

bool blocksSayMore(const LaunchAccesses &Of) {
  if (!Of.Inputs)
    return false;
  std::vector<BlockAccess> Found;
  const uint64_t Count = Of.Grid.count();
  for (uint64_t Probe : {Count / 2, uint64_t(0), Count - 1})
    evaluateBlock(*Of.Inputs, blockOf(Probe, Of.Grid), Found);
  return std::any_of(Found.begin(), Found.end(),
                     [](const BlockAccess &A) { return A.Exact; });
}

/// The accesses that narrow as block Block makes them. Their kinds and
/// allocations are those of the launch's accesses, which may have been changed
/// since it was evaluated, or left out.
static void narrowTo(const LaunchAccesses &Of, Dim3 Block,
                     std::vector<BlockAccess> &Out) {
  Out.clear();
  if (!Of.Inputs)
    return;
  evaluateBlock(*Of.Inputs, Block, Out);
  std::erase_if(Out, [&](BlockAccess &Mine) {
    auto Whole = std::find_if(
        Of.Accesses.begin(), Of.Accesses.end(),
        [&](const BlockAccess &A) { return A.Narrows == Mine.Narrows; });
    if (Whole == Of.Accesses.end())
      return true;
    Mine.Where = Whole->Where;
    Mine.Kind = Whole->Kind;
    return false;
  });
}

bool runsOf(const LaunchAccesses &Of, std::vector<ByteRun> &Out,
            uint64_t &Effort) {
  Out.clear();
  std::vector<BlockAccess> Narrowed;
  for (uint64_t B = 0; B < Of.Grid.count(); ++B) {
    const Dim3 Block = blockOf(B, Of.Grid);
    Effort -= std::min(Effort, RunsOfABlock);
    narrowTo(Of, Block, Narrowed);
    Writer Runs(uint32_t(B), Effort, Out);
    for (const BlockAccess &A : Of.Accesses)
      if (!(A.Narrows && Of.Inputs) && !Runs.add(A, Block))
        return false;
    for (const BlockAccess &A : Narrowed)
      if (!Runs.add(A, Block))
        return false;
    Runs.join();
  }
  std::sort(Out.begin(), Out.end(), [](const ByteRun &A, const ByteRun &B) {
    return A.First < B.First;
  });
  return true;
}

} // namespace blockmaestro
