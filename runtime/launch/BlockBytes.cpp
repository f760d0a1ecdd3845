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
/// And beginning to walk an access of it.
constexpr uint64_t RunsOfAWalk = 4;

/// More than are ever looked at, in one block.
constexpr Wide ManyRuns = Wide(1) << 40;

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
  /// The points of Form, which is access Like over its indices.
  bool add(const AccessForm &Form, const BlockAccess &Like, Dim3 At);
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
  std::vector<OffsetRange> Ranges;
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

/// A program that leaves the allocation may touch anything; what is not exact
/// has a surplus there.
bool Writer::add(const AccessForm &Form, const BlockAccess &Like, Dim3 At) {
  Ranges.clear();
  Left -= std::min(Left, RunsOfAWalk);
  if (!walkPoints(Form, At, Left, Ranges))
    return false;
  const AccessKind Kind = Like.Kind;
  const Allocation &Where = Like.Where;
  const int64_t Last = int64_t(Where.Bytes) - 1;
  if (!Form.Exact)
    for (OffsetRange &Each : Ranges)
      Each = {std::max<int64_t>(Each.First, 0), std::min(Each.Last, Last)};
  if (!Form.Exact)
    std::erase_if(Ranges,
                  [](const auto &Each) { return Each.First > Each.Last; });
  for (const OffsetRange &Each : Ranges)
    if (Each.First < 0 || Each.Last > Last)
      Out.push_back({0, EndOfMemory, Block, reads(Kind), writes(Kind), false});
    else
      Out.push_back({Where.Base + uint64_t(Each.First),
                     Where.Base + uint64_t(Each.Last), Block, reads(Kind),
                     writes(Kind), Form.Exact});
  return true;
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

/// The access that number Which of those that narrow stands for; null when it
/// has been left out since.
static const BlockAccess *narrowed(const LaunchAccesses &Of, size_t Which) {
  const auto Found = std::find_if(
      Of.Accesses.begin(), Of.Accesses.end(),
      [&](const BlockAccess &A) { return A.Narrows == Which + 1; });
  return Found == Of.Accesses.end() ? nullptr : &*Found;
}

/// The accesses that narrow and have no form, as block Block makes them. Their
/// kinds and allocations are those of the launch's accesses, which may have
/// been changed since it was evaluated.
static void narrowTo(const LaunchAccesses &Of, Dim3 Block,
                     std::vector<BlockAccess> &Out) {
  Out.clear();
  evaluateBlock(*Of.Inputs, Block, Out);
  std::erase_if(Out, [&](BlockAccess &Mine) {
    const BlockAccess *Whole = narrowed(Of, Mine.Narrows - 1);
    if (!Whole)
      return true;
    Mine.Where = Whole->Where;
    Mine.Kind = Whole->Kind;
    return false;
  });
}

namespace {

/// What there is to look at in every block of a launch.
class Blocks {
public:
  explicit Blocks(const LaunchAccesses &Of);

  /// No block has more runs, before those that touch are joined, but for
  /// accesses that have to be evaluated again.
  uint64_t mostRuns() const;
  bool addRuns(Dim3 Block, Writer &Runs);
  /// What a block costs besides its runs.
  uint64_t cost() const { return Evaluates ? RunsOfABlock : 1; }

private:
  struct Walk {
    const AccessForm *Form;
    const BlockAccess *Like;
  };
  const LaunchAccesses &Of;
  std::vector<Walk> Walks;
  bool Evaluates = false;
  std::vector<BlockAccess> Narrowed;
};

Blocks::Blocks(const LaunchAccesses &Of) : Of(Of) {
  for (size_t I = 0; Of.Inputs && I < Of.Inputs->Which.size(); ++I) {
    const BlockAccess *Like = narrowed(Of, I);
    const std::optional<AccessForm> &Form = Of.Inputs->Forms[I];
    if (Like && Form)
      Walks.push_back({&*Form, Like});
    Evaluates |= Like && !Form;
  }
}

uint64_t Blocks::mostRuns() const {
  Wide Sum = 0;
  for (const BlockAccess &A : Of.Accesses) {
    Wide Steps = 1;
    for (const Coordinate &C : A.Coordinates)
      if (C.Stride > A.ByteHigh - A.ByteLow + 1)
        Steps = std::min<Wide>(Steps * C.Count, ManyRuns);
    if (!(A.Narrows && Of.Inputs))
      Sum += Steps;
  }
  return uint64_t(std::min(Sum, ManyRuns));
}

bool Blocks::addRuns(Dim3 Block, Writer &Runs) {
  if (Evaluates)
    narrowTo(Of, Block, Narrowed);
  for (const BlockAccess &A : Of.Accesses)
    if (!(A.Narrows && Of.Inputs) && !Runs.add(A, Block))
      return false;
  for (const BlockAccess &A : Narrowed)
    if (!Runs.add(A, Block))
      return false;
  for (const Walk &Each : Walks)
    if (!Runs.add(*Each.Form, *Each.Like, Block))
      return false;
  return true;
}

} // namespace

bool runsOf(const LaunchAccesses &Of, std::vector<ByteRun> &Out,
            uint64_t &Effort) {
  Out.clear();
  Blocks All(Of);
  if (All.mostRuns() * Of.Grid.count() > Effort)
    return false;
  for (uint64_t B = 0; B < Of.Grid.count(); ++B) {
    Effort -= std::min(Effort, All.cost());
    Writer Runs(uint32_t(B), Effort, Out);
    if (!All.addRuns(blockOf(B, Of.Grid), Runs))
      return false;
    Runs.join();
  }
  std::sort(Out.begin(), Out.end(), [](const ByteRun &A, const ByteRun &B) {
    return A.First < B.First;
  });
  return true;
}

const std::vector<UniqueAccess> &
LaunchFindings::touches(const LaunchAccesses &Of) {
  if (!Touches)
    Touches = touchesOf(Of);
  return Touches->Sets;
}

bool LaunchFindings::sayMore(const LaunchAccesses &Of) {
  if (!Of.Inputs)
    return false;
  if (More)
    return *More;
  const auto &Forms = Of.Inputs->Forms;
  More = std::any_of(Forms.begin(), Forms.end(),
                     [](const auto &Form) { return Form.has_value(); });
  std::vector<BlockAccess> Found;
  const uint64_t Count = Of.Grid.count();
  for (uint64_t Probe : {Count / 2, uint64_t(0), Count - 1})
    if (!*More)
      *More = evaluateBlock(*Of.Inputs, blockOf(Probe, Of.Grid), Found);
  return *More;
}

const std::vector<ByteRun> *LaunchFindings::runs(const LaunchAccesses &Of,
                                                 uint64_t &Effort) {
  if (Runs)
    return &*Runs;
  std::vector<ByteRun> Found;
  if (!runsOf(Of, Found, Effort))
    return nullptr;
  return &Runs.emplace(std::move(Found));
}

} // namespace blockmaestro
