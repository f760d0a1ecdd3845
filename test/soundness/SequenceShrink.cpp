// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sequence.h"
#include "Shrink.h"

namespace blockmaestro::soundness {

namespace {

/// S without Count operations from number First on.
Sequence without(const Sequence &S, size_t First, size_t Count) {
  Sequence Less = S;
  const auto At = Less.Operations.begin() + First;
  Less.Operations.erase(At, At + Count);
  return Less;
}

/// The larger parts first.
void dropOperations(const Sequence &S, std::vector<Sequence> &To) {
  const size_t Count = S.Operations.size();
  for (size_t Part = (Count + 1) / 2; Part > 0; Part /= 2)
    for (size_t First = 0; First < Count; First += Part)
      To.push_back(without(S, First, std::min(Part, Count - First)));
}

void shrinkGrids(const Sequence &S, std::vector<Sequence> &To) {
  for (size_t I = 0; I < S.Shapes.size(); ++I)
    for (Dim3 LaunchCase::*Which : {&LaunchCase::Grid, &LaunchCase::Block})
      for (uint32_t Dim3::*Axis : {&Dim3::X, &Dim3::Y, &Dim3::Z}) {
        const uint32_t Now = S.Shapes[I].Case.*Which.*Axis;
        for (uint32_t Next : {uint32_t(1), Now / 2, Now - 1})
          if (Next > 0 && Next < Now) {
            Sequence Less = S;
            Less.Shapes[I].Case.*Which.*Axis = Next;
            To.push_back(std::move(Less));
          }
      }
}

void shrinkKernels(const Sequence &S, std::vector<Sequence> &To) {
  for (size_t I = 0; I < S.Kernels.size(); ++I)
    for (Kernel &K : smaller(S.Kernels[I])) {
      Sequence Less = S;
      Less.Kernels[I] = std::move(K);
      To.push_back(std::move(Less));
    }
}

} // namespace

std::vector<Sequence> smaller(const Sequence &S) {
  std::vector<Sequence> All;
  dropOperations(S, All);
  shrinkKernels(S, All);
  shrinkGrids(S, All);
  return All;
}

} // namespace blockmaestro::soundness
