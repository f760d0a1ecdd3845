// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace blockmaestro::soundness {

namespace {

/// How far behind a pointer its allocation may begin: Neighbourhood's bound.
constexpr int64_t Near = 64;

class Planner {
public:
  Planner(const Kernel &K, const LaunchCase &L,
          const std::vector<BlockTruth> &Blocks);
  MemoryPlan plan();

private:
  uint64_t pick(unsigned Below) { return R() % Below; }
  void apart();
  void sideBySide();
  Extent allocated(unsigned Array);
  void place(unsigned Array, Extent Within);
  void addUntouched(unsigned Array);

  const Kernel &K;
  std::mt19937 R;
  std::vector<Extent> Touched; ///< By array; Low is above High for none.
  MemoryPlan Out;
  uint64_t Next = uint64_t(1) << 42;
  int Last = -1; ///< The array whose allocation ends at Next, or before it.
};

Planner::Planner(const Kernel &K, const LaunchCase &L,
                 const std::vector<BlockTruth> &Blocks)
    : K(K), R(L.Contents ^ 0x5eed), Touched(K.Arrays.size(), Extent{1, 0}) {
  for (const BlockTruth &Block : Blocks)
    for (const auto &[T, Set] : Block) {
      Extent &Of = Touched[T.Array];
      const int64_t Low = Set.ranges().front().first,
                    High = Set.ranges().back().second + 1;
      Of = Of.Low > Of.High
               ? Extent{Low, High}
               : Extent{std::min(Of.Low, Low), std::max(Of.High, High)};
    }
}

void Planner::apart() {
  for (unsigned I = 0; I < K.Arrays.size(); ++I) {
    const Extent Size = extentOf(K.Arrays[I]);
    Out.Allocations[I] = {uint64_t(I + 1) << 42,
                          uint64_t(Size.High - Size.Low)};
    Out.Pointers[I] = Out.Allocations[I].Base - Size.Low;
  }
}

/// Room for what is touched, sometimes for a little more, and within reach of
/// the pointer.
Extent Planner::allocated(unsigned Array) {
  if (K.Arrays[Array].Where >= ArrayInfo::Device)
    return extentOf(K.Arrays[Array]);
  Extent Of = Touched[Array];
  if (Of.Low > Near || (Of.Low > 0 && pick(2)))
    Of.Low = pick(2) ? 0 : std::min<int64_t>(Of.Low, Near);
  if (Of.High < 0)
    Of.High = 0;
  if (pick(3) == 0)
    Of.Low -= 4 * int64_t(pick(40));
  if (pick(3) == 0)
    Of.High += 4 * int64_t(pick(40));
  return Of;
}

/// Behind the last one, which may grow to touch it. Pointers are aligned.
void Planner::place(unsigned Array, Extent Within) {
  constexpr uint64_t Align = 16;
  if (pick(5) == 0)
    Next += 4 * pick(40);
  const uint64_t Pointer =
      (Next - uint64_t(Within.Low) + Align - 1) / Align * Align;
  const uint64_t Base = Pointer + uint64_t(Within.Low);
  if (Last >= 0 && pick(2) &&
      K.Arrays[unsigned(Last)].Where < ArrayInfo::Device)
    Out.Allocations[unsigned(Last)].Bytes =
        Base - Out.Allocations[unsigned(Last)].Base;
  Out.Pointers[Array] = Pointer;
  Out.Allocations[Array] = {Base, uint64_t(Within.High - Within.Low)};
  Next = Base + Out.Allocations[Array].Bytes;
  Last = int(Array);
}

/// Null, in no allocation, or where another array is or ends.
void Planner::addUntouched(unsigned Array) {
  const uint64_t Else[] = {0, 16, uint64_t(1) << 50, Next};
  Out.Pointers[Array] = Else[pick(4)];
  if (Last >= 0 && pick(2))
    Out.Pointers[Array] = Out.Pointers[unsigned(Last)];
}

void Planner::sideBySide() {
  std::vector<unsigned> Order;
  for (unsigned I = 0; I < K.Arrays.size(); ++I)
    Order.push_back(I);
  std::shuffle(Order.begin(), Order.end(), R);
  for (unsigned I : Order)
    if (Touched[I].Low <= Touched[I].High ||
        K.Arrays[I].Where >= ArrayInfo::Device)
      place(I, allocated(I));
    else
      addUntouched(I);
}

MemoryPlan Planner::plan() {
  Out.Pointers.resize(K.Arrays.size());
  Out.Allocations.resize(K.Arrays.size());
  if (pick(4) == 0)
    apart();
  else
    sideBySide();
  for (unsigned I = 0; I < K.Arrays.size(); ++I)
    if (K.Arrays[I].Where >= ArrayInfo::Device)
      Out.Known.addGlobal(globalName(K, I), Out.Allocations[I]);
    else
      Out.Known.add(Out.Allocations[I]);
  return std::move(Out);
}

} // namespace

MemoryPlan planMemory(const Kernel &K, const LaunchCase &L,
                      const std::vector<BlockTruth> &Blocks) {
  return Planner(K, L, Blocks).plan();
}

static uint32_t bytesOf(const Kernel &K, const ParameterInfo &P) {
  if (P.What == ParameterInfo::Array)
    return 8;
  if (P.What == ParameterInfo::Bundle)
    return bytesOf(K.Bundles[P.Id]);
  return P.What == ParameterInfo::Scalar ? traits(K.Scalars[P.Id].Type).Bits / 8
                                         : 0;
}

std::string checkParameters(const Kernel &K, const KernelRecord &R) {
  if (R.Parameters.size() != K.Parameters.size())
    return "the record has another number of parameters";
  for (size_t I = 0; I < K.Parameters.size(); ++I) {
    uint32_t Bytes = bytesOf(K, K.Parameters[I]);
    if (Bytes && Bytes != R.Parameters[I].Bytes)
      return "parameter " + std::to_string(I) + " has another size";
    if (R.Parameters[I].Offset + R.Parameters[I].Bytes > R.ArgumentBytes)
      return "parameter " + std::to_string(I) + " is outside the arguments";
  }
  return "";
}

/// What is where a bundle has no pointer.
static uint64_t noPointer(unsigned Index) { return 3 + 8 * uint64_t(Index); }

Launch makeLaunch(const Kernel &K, const KernelRecord &R, const LaunchCase &L,
                  const MemoryPlan &Memory) {
  Launch Out;
  Out.Kernel = &R;
  Out.Grid = L.Grid;
  Out.Block = L.Block;
  Out.Arguments.resize(R.ArgumentBytes);
  auto Put = [&](size_t At, uint64_t Value, size_t Bytes) {
    std::memcpy(Out.Arguments.data() + At, &Value, Bytes);
  };
  auto PutBundle = [&](size_t At, const BundleInfo &B) {
    for (unsigned I = 0; I < B.Arrays.size(); ++I)
      Put(At + offsetIn(B, I),
          B.Arrays[I] == BundleInfo::Unused
              ? noPointer(I)
              : Memory.Pointers[unsigned(B.Arrays[I])],
          8);
  };
  auto PutScalar = [&](size_t At, unsigned Id) {
    Put(At, uint64_t(L.Scalars[Id]), traits(K.Scalars[Id].Type).Bits / 8);
  };
  for (size_t I = 0; I < K.Parameters.size(); ++I) {
    size_t At = R.Parameters[I].Offset;
    const ParameterInfo &P = K.Parameters[I];
    if (P.What == ParameterInfo::Array)
      Put(At, Memory.Pointers[P.Id], 8);
    else if (P.What == ParameterInfo::Scalar)
      PutScalar(At, P.Id);
    else if (P.What == ParameterInfo::Bundle)
      PutBundle(At, K.Bundles[P.Id]);
    else
      for (const MemberInfo &M : K.Members) {
        if (M.IsArray)
          Put(At + M.Offset, Memory.Pointers[M.Id], 8);
        else
          PutScalar(At + M.Offset, M.Id);
      }
  }
  return Out;
}

int arrayOf(const Kernel &K, const Root &Base) {
  if (Base.Kind == RootKind::Global) {
    for (unsigned I = 0; I < K.Arrays.size(); ++I)
      if (K.Arrays[I].Where >= ArrayInfo::Device &&
          globalName(K, I) == Base.Global)
        return int(I);
    return -1;
  }
  if (Base.Kind != RootKind::Argument || Base.Argument >= K.Parameters.size())
    return -1;
  const ParameterInfo &P = K.Parameters[Base.Argument];
  if (P.What == ParameterInfo::Array)
    return Base.Offset == 0 ? int(P.Id) : -1;
  if (P.What == ParameterInfo::Bundle) {
    const BundleInfo &B = K.Bundles[P.Id];
    for (unsigned I = 0; I < B.Arrays.size(); ++I)
      if (offsetIn(B, I) == Base.Offset && B.Arrays[I] != BundleInfo::Unused)
        return B.Arrays[I];
    return NoArray;
  }
  for (const MemberInfo &M : K.Members)
    if (P.What == ParameterInfo::Struct && M.IsArray && M.Offset == Base.Offset)
      return int(M.Id);
  return -1;
}

} // namespace blockmaestro::soundness
