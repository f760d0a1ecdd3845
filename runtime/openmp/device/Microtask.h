// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the call of a microtask, the code of a `parallel` as clang makes
// it, with as many arguments as it has. Device code only.
// On the data's way: called by Parallel.cu.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_DEVICE_MICROTASK_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_DEVICE_MICROTASK_H

#include "State.h"

namespace blockmaestro::openmp {

template <size_t... Index> struct Positions {};
template <size_t Count, size_t... Index>
struct FirstPositions : FirstPositions<Count - 1, Count - 1, Index...> {};
template <size_t... Index> struct FirstPositions<0, Index...> {
  using Type = Positions<Index...>;
};
template <size_t> using Argument = void *;

template <size_t... Index>
BM_DEVICE void callWith(void *Microtask, void **Arguments,
                        Positions<Index...>) {
  int32_t Thread = int32_t(threadNumber()), Bound = 0;
  using Function = void (*)(int32_t *, int32_t *, Argument<Index>...);
  reinterpret_cast<Function>(Microtask)(&Thread, &Bound, Arguments[Index]...);
}

template <size_t Count>
BM_DEVICE void callWithFirst(void *Microtask, void **Arguments) {
  callWith(Microtask, Arguments, typename FirstPositions<Count>::Type());
}

/// A microtask has at most so many arguments.
inline constexpr size_t MaxArguments = 64;

/// Where Count is known, as it is at every `parallel`, the call of one
/// function, which can be inlined. Traps at more than MaxArguments.
template <size_t First = 0>
BM_DEVICE void callMicrotask(void *Microtask, void **Arguments,
                             uint64_t Count) {
  if (Count == First)
    return callWithFirst<First>(Microtask, Arguments);
  if constexpr (First < MaxArguments)
    return callMicrotask<First + 1>(Microtask, Arguments, Count);
  __builtin_trap();
}

} // namespace blockmaestro::openmp

#endif
