// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the arguments of a launch as the program gave them, and the one
// that a pdl variant has besides.
// On the data's way: from CudaDevice to cudaLaunchKernelExC. Ownership: of the
// pointers alone. Threads: a value; allocates for many arguments only.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_ONEMOREARGUMENT_H
#define BLOCKMAESTRO_RUNTIME_CUDA_ONEMOREARGUMENT_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace blockmaestro {

/// Pointers to a launch's arguments and to one more behind them.
class OneMoreArgument {
public:
  OneMoreArgument(void **Arguments, size_t Count, void *Last)
      : Out(Count < Few.size() ? Few.data() : nullptr) {
    if (!Out) {
      Many.resize(Count + 1);
      Out = Many.data();
    }
    std::copy_n(Arguments, Count, Out);
    Out[Count] = Last;
  }
  OneMoreArgument(const OneMoreArgument &) = delete;
  OneMoreArgument &operator=(const OneMoreArgument &) = delete;

  void **pointers() { return Out; }

private:
  std::array<void *, 32> Few;
  std::vector<void *> Many;
  void **Out;
};

} // namespace blockmaestro

#endif
