// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what our implementation of one of NVIDIA's libraries consists of:
// its functions by the names that programs call.
// On the data's way: EntryPoints.cpp leads a program's call here on the
// emulated device.
// Invariants: a function has the type that NVIDIA's header gives its name.
// Threads: constant.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_STANDIN_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_STANDIN_H

#include <span>
#include <string_view>

namespace blockmaestro {

struct LibraryFunction {
  std::string_view Name;
  void *Function = nullptr;
};

template <typename Function>
void *sameType(Function /*Theirs*/, Function Ours) {
  return reinterpret_cast<void *>(Ours);
}

std::span<const LibraryFunction> cublasFunctions();
std::span<const LibraryFunction> cufftFunctions();
std::span<const LibraryFunction> curandFunctions();

} // namespace blockmaestro

/// A row of such a table; the compiler compares the types.
#define BM_STAND_IN(Name, ...)                                                 \
  blockmaestro::LibraryFunction {                                              \
    #Name,                                                                     \
        blockmaestro::sameType<decltype(&__VA_ARGS__)>(&::Name, &__VA_ARGS__)  \
  }

#endif
