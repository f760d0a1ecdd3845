// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a list of few small values, in place.
// On the data's way: inside Evaluate, where one would be allocated for every
// coordinate of every access.
// Invariants: never more than Most values; the caller sees to that. Threads:
// values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_INPLACELIST_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_INPLACELIST_H

#include <cassert>
#include <cstddef>
#include <new>
#include <type_traits>

namespace blockmaestro {

template <typename T, size_t Most> class InPlaceList {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  InPlaceList() = default;
  InPlaceList(const InPlaceList &From) { *this = From; }
  InPlaceList &operator=(const InPlaceList &From) {
    Used = 0;
    for (const T &Each : From)
      add(Each);
    return *this;
  }

  void add(const T &Value) {
    assert(Used < Most);
    new (&Room[Used++ * sizeof(T)]) T(Value);
  }

  size_t size() const { return Used; }
  bool empty() const { return Used == 0; }
  T &operator[](size_t At) { return begin()[At]; }
  const T &operator[](size_t At) const { return begin()[At]; }
  T &back() { return begin()[Used - 1]; }
  T *begin() { return std::launder(reinterpret_cast<T *>(Room)); }
  T *end() { return begin() + Used; }
  const T *begin() const {
    return std::launder(reinterpret_cast<const T *>(Room));
  }
  const T *end() const { return begin() + Used; }

private:
  alignas(T) std::byte Room[Most * sizeof(T)];
  size_t Used = 0;
};

} // namespace blockmaestro

#endif
