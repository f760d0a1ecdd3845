// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"

#include <cstring>

namespace blockmaestro::soundness {

uint64_t allocationOf(unsigned Array) { return uint64_t(Array + 1) << 42; }

uint64_t addressOf(const Kernel &K, unsigned Array) {
  bool Global = K.Arrays[Array].Where >= ArrayInfo::Device;
  return allocationOf(Array) + (Global ? 0 : HalfAllocation);
}

AllocationMap makeAllocations(const Kernel &K) {
  AllocationMap Map;
  for (unsigned I = 0; I < K.Arrays.size(); ++I) {
    Extent Size = extentOf(K.Arrays[I]);
    Allocation A{allocationOf(I), uint64_t(Size.High - Size.Low)};
    if (K.Arrays[I].Where >= ArrayInfo::Device)
      Map.addGlobal(globalName(K, I), A);
    else
      Map.add(A);
  }
  return Map;
}

static uint32_t bytesOf(const Kernel &K, const ParameterInfo &P) {
  if (P.What == ParameterInfo::Array)
    return 8;
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

Launch makeLaunch(const Kernel &K, const KernelRecord &R, const LaunchCase &L) {
  Launch Out;
  Out.Kernel = &R;
  Out.Grid = L.Grid;
  Out.Block = L.Block;
  Out.Arguments.resize(R.ArgumentBytes);
  auto Put = [&](size_t At, uint64_t Value, size_t Bytes) {
    std::memcpy(Out.Arguments.data() + At, &Value, Bytes);
  };
  auto PutScalar = [&](size_t At, unsigned Id) {
    Put(At, uint64_t(L.Scalars[Id]), traits(K.Scalars[Id].Type).Bits / 8);
  };
  for (size_t I = 0; I < K.Parameters.size(); ++I) {
    size_t At = R.Parameters[I].Offset;
    const ParameterInfo &P = K.Parameters[I];
    if (P.What == ParameterInfo::Array)
      Put(At, addressOf(K, P.Id), 8);
    else if (P.What == ParameterInfo::Scalar)
      PutScalar(At, P.Id);
    else
      for (const MemberInfo &M : K.Members) {
        if (M.IsArray)
          Put(At + M.Offset, addressOf(K, M.Id), 8);
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
  for (const MemberInfo &M : K.Members)
    if (P.What == ParameterInfo::Struct && M.IsArray && M.Offset == Base.Offset)
      return int(M.Id);
  return -1;
}

} // namespace blockmaestro::soundness
